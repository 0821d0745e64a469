import { localTime, TIME_BUCKETS, type TimeBucket } from '@datadeck/contract';

/** Milliseconds, as of `Date`; local times are instants at which UTC shows what the clocks of a zone show. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Distance of instants that have the same difference to UTC in every zone. */
const QUARTER_HOUR = HOUR / 4;
const KEPT_OFFSETS = 20_000;

const PERIOD = /^(\d{4})(?:-(?:(\d{2})|W(\d{2})|Q([1-4])))?(?:-(\d{2}))?$/;
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/** A point of time, and the width of what its text names: `2026-11` is a month. */
export interface LocalTime {
  ms: number;
  width: TimeBucket;
  /** Whether the text is an instant in UTC. */
  isInstant?: boolean;
}

/** Returns the Monday of a week of a year as ISO 8601 counts them. */
function mondayOf(year: number, week: number): number {
  const fourth = Date.UTC(year, 0, 4);
  return startOf(fourth, 'week') + (week - 1) * 7 * DAY;
}

function periodOf(text: string): LocalTime | undefined {
  const [, year, month, week, quarter, day] = PERIOD.exec(text) ?? [];
  if (year === undefined) return undefined;
  if (week !== undefined) return { ms: mondayOf(Number(year), Number(week)), width: 'week' };
  if (quarter !== undefined)
    return { ms: Date.UTC(Number(year), (Number(quarter) - 1) * 3), width: 'quarter' };
  if (month === undefined) return { ms: Date.UTC(Number(year)), width: 'year' };
  return {
    ms: Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1)),
    width: day === undefined ? 'month' : 'day',
  };
}

/** Returns a function that reads texts as local times of a zone; it returns undefined for other values. */
export function localTimeReader(timeZone: string): (value: unknown) => LocalTime | undefined {
  const offsets = new Map<number, number>();
  const offsetAt = (instant: number) => {
    const slot = Math.floor(instant / QUARTER_HOUR);
    let offset = offsets.get(slot);
    if (offset === undefined) {
      const at = slot * QUARTER_HOUR;
      offset = localTime(new Date(at), timeZone).getTime() - at;
      if (offsets.size >= KEPT_OFFSETS) offsets.clear();
      offsets.set(slot, offset);
    }
    return offset;
  };
  return (value) => {
    if (typeof value !== 'string' || value.length < 4 || value.length > 40) return undefined;
    const period = periodOf(value);
    if (period) return Number.isNaN(period.ms) ? undefined : period;
    if (!/^\d{4}-\d{2}-\d{2}T/.test(value)) return undefined;
    const isLocal = LOCAL.test(value);
    const instant = Date.parse(isLocal ? `${value}Z` : value);
    if (Number.isNaN(instant)) return undefined;
    return {
      ms: isLocal ? instant : instant + offsetAt(instant),
      width: 'hour',
      isInstant: value.endsWith('Z'),
    };
  };
}

/** Returns the beginning of the group of a local time. */
export function startOf(local: number, bucket: TimeBucket): number {
  if (bucket === 'hour') return Math.floor(local / HOUR) * HOUR;
  const day = Math.floor(local / DAY) * DAY;
  if (bucket === 'day') return day;
  // 1 January 1970 was a Thursday.
  if (bucket === 'week') return Math.floor((day / DAY + 3) / 7) * 7 * DAY - 3 * DAY;
  const date = new Date(local);
  const month = date.getUTCMonth();
  const first = { month, quarter: month - (month % 3), year: 0 }[bucket];
  return date.setUTCFullYear(date.getUTCFullYear(), first, 1) && startOf(date.getTime(), 'day');
}

/** Returns the beginning of the next group. */
export function nextStart(start: number, bucket: TimeBucket): number {
  if (bucket === 'hour') return start + HOUR;
  if (bucket === 'day') return start + DAY;
  if (bucket === 'week') return start + 7 * DAY;
  const months = { month: 1, quarter: 3, year: 12 }[bucket];
  const date = new Date(start);
  return date.setUTCMonth(date.getUTCMonth() + months);
}

/** Returns the wider one of two widths. */
export function widerOf(a: TimeBucket, b: TimeBucket): TimeBucket {
  return TIME_BUCKETS.indexOf(a) < TIME_BUCKETS.indexOf(b) ? b : a;
}

/** Approximate lengths of buckets, ms. */
const LENGTHS: Record<TimeBucket, number> = {
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  quarter: 91 * DAY,
  year: 365 * DAY,
};

/** Groups of a time axis that the eye still separates; a range with more of them gets wider ones. */
const COMFORTABLE = 100;

/** Returns the width of groups for a range of local times: at most `COMFORTABLE`, or `most` of the wanted width. */
export function bucketFor(
  range: { from: number; to: number },
  { wanted, least, most }: { wanted: TimeBucket | undefined; least: TimeBucket; most: number },
): TimeBucket {
  const span = range.to - range.from;
  const first = wanted ? widerOf(wanted, least) : least;
  const limit = wanted ? most : COMFORTABLE;
  const wide = TIME_BUCKETS.filter(
    (one) => widerOf(one, first) === one && (wanted || first === 'quarter' || one !== 'quarter'),
  );
  return wide.find((bucket) => span / LENGTHS[bucket] < limit) ?? 'year';
}

/** Returns the text of the beginning of a group: `2026-11-25`, with the time for hours. */
export function startText(start: number, bucket: TimeBucket): string {
  const text = new Date(start).toISOString();
  return text.slice(0, text.indexOf('T') + (bucket === 'hour' ? 6 : 0));
}
