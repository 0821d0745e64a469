import { describe, expect, it } from 'vitest';
import { snoozeTimes } from './snooze-times.ts';

describe('snoozeTimes', () => {
  it.each(['2026-11-28T01:00:00', '2026-12-31T23:59:59'])('ends at 8 in the morning after %s', (now) => {
    const at = new Date(now);
    const [hour, tomorrow, week] = snoozeTimes(at).map(({ until }) => until);
    expect(hour?.getTime()).toBe(at.getTime() + 3_600_000);
    expect([tomorrow?.getHours(), tomorrow?.getMinutes()]).toEqual([8, 0]);
    const midnight = new Date(at).setHours(24, 0, 0, 0);
    expect((tomorrow?.getTime() ?? 0) - midnight).toBe(8 * 3_600_000);
    expect(week?.getTime()).toBe(at.getTime() + 7 * 86_400_000);
  });
});
