import { localTime, startOfDay } from '@datadeck/contract';

/** Years whose records facets count, back from this one. Older records are in no period. */
const YEARS = 60;
/** Of these years, records are counted by month. */
const YEARS_BY_MONTH = 5;

/** A month or year, e.g. `2026-11` or `2026`, and its first instant in a time zone. */
interface Period {
  name: string;
  start: Date;
}

/** Number of records in a month or year. */
export interface PeriodCount {
  name: string;
  count: number;
}

/** Periods by time zone and month. Each search needs them, and they take milliseconds to compute. */
const known = new Map<string, readonly Period[]>();
const KEPT_ZONES = 100;

/**
 * Returns the periods of facets, oldest first: years, then the months of the last five years. The last one begins in the future and
 * is without name. By their starts, PostgreSQL counts without knowing the time zone, which it may name differently.
 * @param now ms since 1970
 * @throws RangeError for an unknown zone
 */
export function facetPeriods(now: number, timeZone: string): readonly Period[] {
  const local = localTime(new Date(now), timeZone);
  const key = `${timeZone} ${local.toISOString().slice(0, 7)}`;
  const periods = known.get(key) ?? computePeriods(local, timeZone);
  if (known.size >= KEPT_ZONES) known.clear();
  known.set(key, periods);
  return periods;
}

function computePeriods(local: Date, timeZone: string): Period[] {
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
  const period = (firstDay: number, length: number): Period => ({
    name: new Date(firstDay).toISOString().slice(0, length),
    start: startOfDay(new Date(firstDay), timeZone),
  });
  const firstByMonth = year - YEARS_BY_MONTH + 1;
  const years = Array.from({ length: YEARS - YEARS_BY_MONTH }, (_, index) =>
    period(Date.UTC(year - YEARS + 1 + index, 0, 1), 4),
  );
  const months = Array.from({ length: (YEARS_BY_MONTH - 1) * 12 + month + 1 }, (_, index) =>
    period(Date.UTC(firstByMonth, index, 1), 7),
  );
  return [...years, ...months, { ...period(Date.UTC(year, month + 1, 1), 7), name: '' }];
}

/** Adds up the counts of periods under the names that each has, in their order. */
function countBy(found: readonly PeriodCount[], namesOf: (name: string) => readonly string[]): PeriodCount[] {
  const counts = new Map<string, number>();
  for (const { name, count } of found)
    for (const period of namesOf(name)) counts.set(period, (counts.get(period) ?? 0) + count);
  return [...counts].map(([name, count]) => ({ name, count }));
}

/**
 * Returns the counts by month, newest first, or by year if there are records of more than five years. A chosen month or year is always
 * one of them, a year before its months.
 * @param counts number of records by the position of their period from 1, as `width_bucket` counts
 * @param chosen e.g. `2026` or `2026-11`
 */
export function countsOfPeriods(
  periods: readonly Period[],
  counts: ReadonlyMap<number, number>,
  chosen: readonly string[] = [],
): PeriodCount[] {
  const found = periods.flatMap(({ name }, index) => {
    const count = counts.get(index + 1) ?? 0;
    return name === '' || count === 0 ? [] : [{ name, count }];
  });
  const isByMonth = found.every(({ name }) => name.length > 4);
  return countBy(found.reverse(), (name) => {
    const year = name.slice(0, 4);
    const isYear = name === year;
    return [
      ...(isYear || !isByMonth || chosen.includes(year) ? [year] : []),
      ...(!isYear && (isByMonth || chosen.includes(name)) ? [name] : []),
    ];
  });
}
