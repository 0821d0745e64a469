import { describe, expect, it } from 'vitest';
import { snoozeTimes } from './snooze-times.ts';

describe('snoozeTimes', () => {
  it.each([
    ['2026-11-28T01:00:00Z', 'UTC', '2026-11-29T08:00:00Z'],
    ['2026-12-31T23:59:59Z', 'UTC', '2027-01-01T08:00:00Z'],
    // Already the next day there.
    ['2026-11-28T23:30:00Z', 'Europe/Berlin', '2026-11-30T07:00:00Z'],
    ['2026-11-28T23:30:00Z', 'America/New_York', '2026-11-29T13:00:00Z'],
    // The clocks are put forward, or back, in the night before.
    ['2026-03-28T12:00:00Z', 'Europe/Berlin', '2026-03-29T06:00:00Z'],
    ['2026-10-24T12:00:00Z', 'Europe/Berlin', '2026-10-25T07:00:00Z'],
  ])('ends at 8 in the morning after %s in %s', (now, timeZone, expected) => {
    const [hour, tomorrow, week] = snoozeTimes(new Date(now), timeZone);
    expect(tomorrow).toEqual({
      label: `Until tomorrow at 8 (${timeZone})`,
      until: new Date(expected),
    });
    const times = [hour, week].map((one) => (one?.until.getTime() ?? 0) - Date.parse(now));
    expect(times).toEqual([3_600_000, 7 * 86_400_000]);
  });
});
