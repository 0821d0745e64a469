import { z } from 'zod';

/** Longest name of a time zone, UTF-16 units. */
export const TIME_ZONE_LENGTH = 100;

/** Time zone, e.g. `Europe/Berlin`. The server also checks that it exists. */
export const timeZoneSchema = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(TIME_ZONE_LENGTH, `Must be ${TIME_ZONE_LENGTH} characters or less`);

/** Formats of time zones by name; only existing names are kept, and their number is limited. */
const formats = new Map<string, Intl.DateTimeFormat>();
const KEPT_FORMATS = 1000;

/** @throws RangeError for an unknown zone */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US-u-ca-iso8601', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size >= KEPT_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** Returns whether a time zone exists by this name. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns what the clocks of a time zone show at an instant, as the instant at which those of UTC show it.
 *
 *     localTime(new Date('2026-01-31T23:30:00Z'), 'Europe/Berlin')    // 2026-02-01T00:30:00.000Z
 *
 * @throws RangeError for an unknown zone
 */
export function localTime(instant: Date, timeZone: string): Date {
  const part = new Map(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const [year = 0, month = 1, ...time] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((type) =>
    Number(part.get(type as Intl.DateTimeFormatPartTypes)),
  );
  const [day, hour, minute, second] = time;
  const local = new Date(0);
  local.setUTCFullYear(part.get('era')?.startsWith('B') ? 1 - year : year, month - 1, day);
  local.setUTCHours(hour ?? 0, minute, second);
  return local;
}

const DAY_MS = 86_400_000;

/**
 * Returns the first instant of a day in a time zone. A day that the zone left out begins with the next one.
 * @param day midnight of the day in UTC
 * @throws RangeError for an unknown zone
 */
export function startOfDay(day: Date, timeZone: string): Date {
  // The difference to UTC changes at most once around a midnight; of the two, the earlier instant that is in the day is its start.
  const starts = [-DAY_MS, DAY_MS].map((distance) => {
    const near = new Date(day.getTime() + distance);
    return new Date(day.getTime() + near.getTime() - localTime(near, timeZone).getTime());
  });
  const within = starts.filter((start) => localTime(start, timeZone) >= day);
  return new Date(Math.min(...(within.length > 0 ? within : starts).map((start) => start.getTime())));
}

/** Returns the day of an instant in a time zone, e.g. `2026-11-27`. @throws RangeError for an unknown zone */
export function dayIn(instant: Date, timeZone: string): string {
  return localTime(instant, timeZone).toISOString().slice(0, 10);
}

/** Returns the instant at which the clocks of a time zone show an hour of a day. @throws RangeError for an unknown zone */
export function hourOfDay(day: Date, hour: number, timeZone: string): Date {
  const wanted = day.getTime() + hour * 3_600_000;
  const near = new Date(startOfDay(day, timeZone).getTime() + hour * 3_600_000);
  // The clocks may be changed between midnight and the hour.
  return new Date(near.getTime() + wanted - localTime(near, timeZone).getTime());
}
