import type { ScheduleInterval } from '@datadeck/contract';

const HOUR_MS = 3_600_000;
const INTERVAL_MS: Record<ScheduleInterval, number> = { hourly: HOUR_MS, daily: 24 * HOUR_MS };

/** The first time of the schedule's grid (`due` is one of it) at or after an instant. */
function firstFrom(every: ScheduleInterval, due: Date, instant: number): Date {
  const step = INTERVAL_MS[every];
  return new Date(due.getTime() + step * Math.ceil((instant - due.getTime()) / step));
}

/** When the schedule is due after `due`: times that passed meanwhile are left out. */
export function timeAfter(every: ScheduleInterval, due: Date, now: Date): Date {
  return firstFrom(every, due, Math.max(now.getTime() + 1, due.getTime() + 1));
}

/** The first time of a schedule, whose last time passed before `due`, in the month after that (UTC): runs start anew then. */
export function timeNextMonth(every: ScheduleInterval, due: Date): Date {
  const passed = new Date(due.getTime() - INTERVAL_MS[every]);
  return firstFrom(every, due, Date.UTC(passed.getUTCFullYear(), passed.getUTCMonth() + 1, 1));
}

/** The first time of a schedule that is made now. */
export function firstTime(every: ScheduleInterval, now: Date): Date {
  return new Date(now.getTime() + INTERVAL_MS[every]);
}
