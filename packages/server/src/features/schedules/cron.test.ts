import { describe, expect, it } from 'vitest';
import { AppError } from '../../platform/app-error.ts';
import { checkTimes, countRunsPerMonth, cronTimesAfter } from './cron.ts';
import { nextTimeOf, type Timing, timeAfterReset, timesFrom } from './timetable.ts';

const NOW = new Date('2026-11-27T09:10:00Z');
const berlin = (cron: string): Timing & { cron: string } => ({
  every: 'cron',
  cron,
  timeZone: 'Europe/Berlin',
});
const timesAfter = (cron: string, instant: string, count = 3) =>
  cronTimesAfter(berlin(cron), new Date(instant), count).map((time) => time.toISOString());

/** Returns the fields that are reported for the times of a schedule. */
function fieldsOf(cron: string, timeZone = 'UTC'): object | undefined {
  try {
    checkTimes({ cron, timeZone }, NOW);
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.detail.fields : {};
  }
}

describe('checkTimes', () => {
  it('returns the line with single blanks', () => {
    const times = { cron: ' 30  7 *\t* mon-fri ', timeZone: 'Europe/Berlin' };
    expect(checkTimes(times, NOW)).toEqual({ cron: '30 7 * * mon-fri', timeZone: 'Europe/Berlin' });
  });

  it('reports a wrong time zone before the line, and each at its field', () => {
    expect(fieldsOf('61 * * * *', 'Mars/Olympus')).toEqual({
      timeZone: 'Must be a time zone, such as Europe/Berlin',
    });
    for (const line of ['61 * * * *', '* * * *', '0 8 * * 5-1', '0 8 * foo *', '5/10 * * * *'])
      expect(fieldsOf(line), line).toEqual({ cron: expect.stringContaining('30 7 * * 1-5') });
  });

  it('refuses a line that never comes', () => {
    expect(fieldsOf('0 8 30 2 *')).toEqual({ cron: 'Must have a time in the future' });
    expect(fieldsOf('0 8 29 2 *')).toBeUndefined();
  });
});

describe('the times of a cron line', () => {
  it('come once on the day on which clocks go forward', () => {
    expect(timesAfter('30 2 * * *', '2027-03-27T00:00:00Z')).toEqual([
      '2027-03-27T01:30:00.000Z',
      '2027-03-28T01:00:00.000Z',
      '2027-03-29T00:30:00.000Z',
    ]);
  });

  it('come once on the day on which clocks go back', () => {
    expect(timesAfter('30 2 * * *', '2027-10-30T00:00:00Z')).toEqual([
      '2027-10-30T00:30:00.000Z',
      '2027-10-31T00:30:00.000Z',
      '2027-11-01T01:30:00.000Z',
    ]);
    expect(timesAfter('30 2,14 * * *', '2027-10-31T00:00:00Z', 2)).toEqual([
      '2027-10-31T00:30:00.000Z',
      '2027-10-31T13:30:00.000Z',
    ]);
  });

  it('skip what has passed, and continue after a time that is due', () => {
    const due = new Date('2026-11-25T07:00:00Z');
    expect(nextTimeOf(berlin('0 8 * * 1-5'), due, NOW)).toEqual(new Date('2026-11-30T07:00:00Z'));
    expect(nextTimeOf(berlin('0 8 * * 1-5'), due, due)).toEqual(new Date('2026-11-26T07:00:00Z'));
    expect(timesFrom(berlin('0 8 * * 1-5'), due)).toHaveLength(3);
  });

  it('continue in the month in which the runs are reset', () => {
    const daily = berlin('0 8 * * *');
    expect(timeAfterReset(daily, new Date('2026-11-28T07:00:00Z'))).toEqual(new Date('2026-12-01T07:00:00Z'));
    const monthly = berlin('0 8 30 * *');
    expect(timeAfterReset(monthly, new Date('2026-12-30T07:00:00Z'))).toEqual(
      new Date('2026-12-30T07:00:00Z'),
    );
  });
});

describe('countRunsPerMonth', () => {
  it.each([
    ['30 7 * * *', 31],
    ['0 8 * * 1-5', 23],
    ['0 8,20 * * MON-FRI', 46],
    ['*/15 8-17 * * *', 31 * 4 * 10],
    ['0 8 1 * *', 1],
    ['0 8 29 2 *', 1],
    // As in cron, a day of the month or a day of the week.
    ['0 8 1 * 1', 6],
    ['* * * * *', 31 * 1440],
  ])('counts the fullest month of %s', (line, runs) => {
    expect(countRunsPerMonth(line, NOW)).toBe(runs);
  });
});
