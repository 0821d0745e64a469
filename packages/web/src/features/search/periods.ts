import { parseSearchDate, type SearchFacets } from '@datadeck/contract';
import type { TextPeriod } from './search-text.ts';

/** Number of records in a month or year. */
export type PeriodValue = SearchFacets['facets'][number]['values'][number];

/** Largest number of bars. The server counts five years by month, else 60 years. */
const MAX_PERIODS = 60;

/** Returns the month or year after one: `2026-12` → `2027-01`, `2026` → `2027`. */
export function nextPeriod(period: string): string {
  const [year = 0, month] = period.split('-').map(Number);
  if (month === undefined) return String(year + 1).padStart(4, '0');
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const SHORT_MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Returns a month or year for narrow places: `Nov 2026`, `2026`. */
export function shortTitle(period: string): string {
  return period.length > 4 ? SHORT_MONTH.format(new Date(period)) : period;
}

/** Returns a month or year for people: `November 2026`, `2026`. */
function periodTitle(period: string): string {
  return period.length > 4 ? MONTH.format(new Date(period)) : period;
}

/** Returns the months or years from the oldest to the newest counted one, oldest first, with those that have no records. */
export function filledPeriods(values: readonly PeriodValue[]): PeriodValue[] {
  const counted = new Map(values.map((one) => [one.value, one]));
  const names = [...counted.keys()].sort();
  const last = names.at(-1) ?? '';
  const periods: PeriodValue[] = [];
  for (let name = names[0] ?? ''; name !== '' && name <= last; name = nextPeriod(name))
    periods.push(counted.get(name) ?? { value: name, title: periodTitle(name), count: 0 });
  return periods.slice(-MAX_PERIODS);
}

/** Returns which of the periods, oldest first, a period of the search includes, also in part. */
export function periodsWithin(periods: readonly PeriodValue[], chosen: TextPeriod | undefined): boolean[] {
  const moment = { now: Date.now(), timeZone: 'UTC' };
  const timeOf = (text: string) => parseSearchDate(text, moment)?.getTime() ?? Number.NaN;
  if (!chosen) return periods.map(() => false);
  const [after, before] = [
    chosen.after === undefined ? -Infinity : timeOf(chosen.after),
    chosen.before === undefined ? Infinity : timeOf(chosen.before),
  ];
  return periods.map(({ value }) => timeOf(value) < before && timeOf(nextPeriod(value)) > after);
}

/** Returns the period from one to another of the periods in any order. */
export function periodBetween(periods: readonly PeriodValue[], one: number, other: number): TextPeriod {
  const [first, last] = [periods[Math.min(one, other)], periods[Math.max(one, other)]];
  return { after: first?.value, before: last && nextPeriod(last.value) };
}

/** Returns a period of a search for people: `November 2026`, `March 2026 to May 2026`, `Since 2026-03-05`. */
export function writePeriod({ after, before }: TextPeriod): string {
  const isPeriod = (text: string) => /^\d{4}(-\d{2})?$/.test(text);
  if (after === undefined) return before === undefined ? '' : `Before ${titleOf(before)}`;
  if (before === undefined) return `Since ${titleOf(after)}`;
  if (!isPeriod(after) || after.length !== before.length || !isPeriod(before))
    return `${titleOf(after)} until before ${titleOf(before)}`;
  const last = lastBefore(before);
  return last === after ? periodTitle(after) : `${periodTitle(after)} to ${periodTitle(last)}`;
}

const titleOf = (text: string) => (/^\d{4}-\d{2}$/.test(text) ? periodTitle(text) : text);

/** Returns the month or year before one. */
function lastBefore(period: string): string {
  const [year = 0, month] = period.split('-').map(Number);
  if (month === undefined) return String(year - 1).padStart(4, '0');
  return new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 7);
}
