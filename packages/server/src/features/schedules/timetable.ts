import type { ScheduleInterval } from '@datadeck/contract';

const HOUR_MS = 3_600_000;
const INTERVAL_MS: Record<ScheduleInterval, number> = { hourly: HOUR_MS, daily: 24 * HOUR_MS };

/** Returns the first scheduled time at or after an instant. @param due any scheduled time */
function firstTimeFrom(every: ScheduleInterval, due: Date, instant: number): Date {
  const interval = INTERVAL_MS[every];
  return new Date(due.getTime() + interval * Math.ceil((instant - due.getTime()) / interval));
}

/** Returns the next scheduled time after `due`, skipping times that have passed. */
export function nextTimeAfter(every: ScheduleInterval, due: Date, now: Date): Date {
  return firstTimeFrom(every, due, Math.max(now.getTime() + 1, due.getTime() + 1));
}

/**
 * Returns the first scheduled time in the month (UTC) after the last time before `due`: that is when the monthly runs
 * reset.
 */
export function timeNextMonth(every: ScheduleInterval, due: Date): Date {
  const last = new Date(due.getTime() - INTERVAL_MS[every]);
  return firstTimeFrom(every, due, Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, 1));
}

/** Returns the first time of a schedule that is created now. */
export function firstTime(every: ScheduleInterval, now: Date): Date {
  return new Date(now.getTime() + INTERVAL_MS[every]);
}
