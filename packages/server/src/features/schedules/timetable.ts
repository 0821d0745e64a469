import {
  RUNS_PER_MONTH,
  type ScheduleInterval,
  type ScheduleTimes,
  type Timetable,
} from '@datadeck/contract';
import { checkTimes, countRunsPerMonth, cronTimeBefore, cronTimesAfter } from './cron.ts';

const HOUR_MS = 3_600_000;
const INTERVAL_MS: Record<ScheduleInterval, number> = { hourly: HOUR_MS, daily: 24 * HOUR_MS };
/** Number of next times that are shown. */
const SHOWN_TIMES = 3;

/** When a schedule is due: at an interval, or at the times of a cron line. */
export interface Timing {
  every: ScheduleInterval | 'cron';
  cron: string | null;
  timeZone: string;
}

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
  return firstTimeFrom(every, due, startOfNextMonth(last));
}

/** Returns the first time of a schedule that is created now. */
export function firstTime(every: ScheduleInterval, now: Date): Date {
  return new Date(now.getTime() + INTERVAL_MS[every]);
}

function startOfNextMonth(instant: Date): number {
  return Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1);
}

function timesOf({ cron, timeZone }: Timing): ScheduleTimes {
  if (cron === null) throw new Error('a schedule by a cron line has none');
  return { cron, timeZone };
}

/** Returns the first time of a cron line after an instant. @throws Error when there is none */
export function firstCronTime(times: ScheduleTimes, instant: Date): Date {
  const [first] = cronTimesAfter(times, instant, 1);
  if (!first) throw new Error(`the cron line ${times.cron} has no time in the future`);
  return first;
}

/** Returns the next time of a schedule after `due`, skipping times that have passed. */
export function nextTimeOf(timing: Timing, due: Date, now: Date): Date {
  if (timing.every !== 'cron') return nextTimeAfter(timing.every, due, now);
  return firstCronTime(timesOf(timing), now > due ? now : due);
}

/** Returns the first time at or after `due` at which the monthly runs have been reset since the time before `due`. */
export function timeAfterReset(timing: Timing, due: Date): Date {
  if (timing.every !== 'cron') return timeNextMonth(timing.every, due);
  const times = timesOf(timing);
  const reset = startOfNextMonth(cronTimeBefore(times, due) ?? due);
  return due.getTime() >= reset ? due : firstCronTime(times, new Date(reset - 1));
}

/** Returns the number of runs of a schedule in a month. */
export function runsPerMonth(timing: Timing, now: Date): number {
  if (timing.every !== 'cron') return RUNS_PER_MONTH[timing.every];
  return countRunsPerMonth(timesOf(timing).cron, now);
}

/** Returns a time of a schedule and those after it. */
export function timesFrom(timing: Timing, next: Date): Date[] {
  const { every } = timing;
  if (every === 'cron') return [next, ...cronTimesAfter(timesOf(timing), next, SHOWN_TIMES - 1)];
  return Array.from(
    { length: SHOWN_TIMES },
    (_, index) => new Date(next.getTime() + index * INTERVAL_MS[every]),
  );
}

/** Returns the next times and the monthly runs of a cron line. @throws AppError validation-failed */
export function readTimetable(given: ScheduleTimes, now: Date): Timetable {
  const times = checkTimes(given, now);
  return {
    nextTimes: cronTimesAfter(times, now, SHOWN_TIMES).map((time) => time.toISOString()),
    runsPerMonth: countRunsPerMonth(times.cron, now),
  };
}
