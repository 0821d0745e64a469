import { describe, expect, it } from 'vitest';
import { dayIn, isTimeZone, localTime, startOfDay } from './time-zones.ts';

const DAY_MS = 86_400_000;

describe('localTime', () => {
  it.each([
    ['Europe/Berlin', '2026-01-31T23:30:00Z', '2026-02-01T00:30:00Z'],
    ['Asia/Kathmandu', '2026-01-31T18:15:00Z', '2026-02-01T00:00:00Z'],
    ['America/St_Johns', '2026-07-01T00:00:00Z', '2026-06-30T21:30:00Z'],
    ['UTC', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ])('shows what clocks of %s show', (zone, instant, local) => {
    expect(localTime(new Date(instant), zone)).toEqual(new Date(local));
  });
});

describe('startOfDay', () => {
  it.each([
    // An hour is left out at midnight.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z'],
    // An hour is repeated before midnight, and after it.
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z'],
    // A day is left out.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00Z'],
  ])('finds the start of a day of %s (%s)', (zone, day, start) => {
    expect(startOfDay(new Date(day), zone)).toEqual(new Date(start));
  });

  it('is the first instant of its day in every time zone', () => {
    // A prime number of days, so that all days of years and weeks occur.
    const days = Array.from(
      { length: 120 },
      (_, index) => new Date(Date.UTC(1995, 0, 1) + index * 97 * DAY_MS),
    );
    const wrong = Intl.supportedValuesOf('timeZone').flatMap((zone) =>
      days
        .filter((day) => {
          const start = startOfDay(day, zone);
          const before = new Date(start.getTime() - 1000);
          return !(localTime(start, zone) >= day && localTime(before, zone) < day);
        })
        .map((day) => `${zone} ${day.toISOString()}`),
    );
    expect(wrong).toEqual([]);
  });
});

it('names the day of an instant', () => {
  expect(dayIn(new Date('2026-11-27T23:30:00Z'), 'Asia/Tokyo')).toBe('2026-11-28');
});

it.each([
  ['Europe/Berlin', true],
  ['Asia/Calcutta', true],
  ['Nowhere/Else', false],
  ['', false],
])('knows whether %s is a time zone', (name, isKnown) => {
  expect(isTimeZone(name)).toBe(isKnown);
});
