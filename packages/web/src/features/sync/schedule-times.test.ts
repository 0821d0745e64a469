import { describe, expect, it } from 'vitest';
import { type ChosenTimes, cronLineOf, timesInWords } from './schedule-times.ts';

const times: ChosenTimes = { kind: 'daily', minute: '5', time: '07:30', line: ' */15 8 * * * ' };
const words = (cron: string) => timesInWords({ every: 'cron', cron, timeZone: 'Europe/Berlin' });

describe('cronLineOf', () => {
  it('makes a line of each kind of times', () => {
    expect(cronLineOf(times)).toBe('30 7 * * *');
    expect(cronLineOf({ ...times, kind: 'weekdays', time: '08:00' })).toBe('0 8 * * 1-5');
    expect(cronLineOf({ ...times, kind: 'hourly' })).toBe('5 * * * *');
    expect(cronLineOf({ ...times, kind: 'cron' })).toBe('*/15 8 * * *');
  });

  it('is empty while the times are incomplete', () => {
    expect(cronLineOf({ ...times, time: '' })).toBe('');
    expect(cronLineOf({ ...times, kind: 'hourly', minute: '' })).toBe('');
    expect(cronLineOf({ ...times, kind: 'cron', line: ' ' })).toBe('');
  });
});

describe('timesInWords', () => {
  it('describes the lines of the form, and shows others', () => {
    expect(words('30 7 * * *')).toBe('Daily at 07:30, Europe/Berlin');
    expect(words('0 8 * * 1-5')).toBe('Mondays to Fridays at 08:00, Europe/Berlin');
    expect(words('5 * * * *')).toBe('Hourly at minute 5, Europe/Berlin');
    expect(words('*/15 8 * * *')).toBe('*/15 8 * * *, Europe/Berlin');
    expect(timesInWords({ every: 'hourly', cron: null, timeZone: 'UTC' })).toBe('Hourly');
  });
});
