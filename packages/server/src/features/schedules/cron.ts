import { isTimeZone, type ScheduleTimes } from '@datadeck/contract';
import { Cron, CronPattern } from 'croner';
import { AppError } from '../../platform/app-error.ts';

/** Fixed times, lists and ranges run once on days on which clocks change. */
const OPTIONS = { mode: '5-part', fixedTimeRule: 'no-wildcard' } as const;
const MONTHS = 12;

function invalid(field: keyof ScheduleTimes, message: string): AppError {
  return new AppError('validation-failed', 'The times of the schedule are not valid.', {
    fields: { [field]: message },
  });
}

function isCronLine(line: string): boolean {
  try {
    new CronPattern(line, undefined, OPTIONS);
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks the values of a cron line and its time zone. @returns them with single blanks between fields
 * @throws AppError validation-failed
 */
export function checkTimes({ cron, timeZone }: ScheduleTimes, now: Date): ScheduleTimes {
  // First the time zone: the library reports a wrong one as a wrong line.
  if (!isTimeZone(timeZone)) throw invalid('timeZone', 'Must be a time zone, such as Europe/Berlin');
  const line = cron.trim().split(/\s+/).join(' ');
  if (!isCronLine(line)) throw invalid('cron', 'Must be a cron line of five fields, such as 30 7 * * 1-5');
  if (cronTimesAfter({ cron: line, timeZone }, now, 1).length === 0)
    throw invalid('cron', 'Must have a time in the future');
  return { cron: line, timeZone };
}

/** Returns the next times of a checked cron line after an instant. @param count their largest number */
export function cronTimesAfter({ cron, timeZone }: ScheduleTimes, instant: Date, count: number): Date[] {
  return new Cron(cron, { ...OPTIONS, timezone: timeZone }).nextRuns(count, instant);
}

/** Returns the last time of a checked cron line before an instant, if there is one. */
export function cronTimeBefore({ cron, timeZone }: ScheduleTimes, instant: Date): Date | undefined {
  return new Cron(cron, { ...OPTIONS, timezone: timeZone }).previousRuns(1, instant)[0];
}

function matchesDay({ day, month, dayOfWeek, starDOM, starDOW }: CronPattern, date: Date): boolean {
  if (!month[date.getUTCMonth()]) return false;
  const isDay = Boolean(day[date.getUTCDate() - 1]);
  const isWeekday = Boolean(dayOfWeek[date.getUTCDay()]);
  // As in cron, one of two restricted fields suffices.
  return starDOM || starDOW ? isDay && isWeekday : isDay || isWeekday;
}

const sum = (numbers: number[]) => numbers.reduce((total, value) => total + value, 0);

/**
 * Returns the largest number of times of a checked cron line in one of the next twelve months, at least 1. Counts the
 * matching days, so that its work does not depend on the line.
 */
export function countRunsPerMonth(line: string, now: Date): number {
  const pattern = new CronPattern(line, undefined, OPTIONS);
  const days = Array.from({ length: MONTHS }, (_, ahead) => {
    const begin = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1);
    const month = new Date(begin).getUTCMonth();
    return Array.from({ length: 31 }, (_day, offset) => new Date(begin + offset * 86_400_000)).filter(
      (date) => date.getUTCMonth() === month && matchesDay(pattern, date),
    ).length;
  });
  return Math.max(1, Math.max(...days) * sum(pattern.minute) * sum(pattern.hour));
}
