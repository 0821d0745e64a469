import type { SyncDays } from '@datadeck/contract';

export type DayCounts = SyncDays[number];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Fewest days that are drawn. */
const LEAST = 30;

/** Returns the local day of a date: `2026-11-27`. */
function localDay(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** Returns the local midnight of a day, or of one some days later; undefined if it is none. */
function midnightOf(day: string, later = 0): Date | undefined {
  const [year = 0, month = 0, date = 0] = DAY.test(day) ? day.split('-').map(Number) : [];
  const midnight = new Date(year, month - 1, date);
  if (localDay(midnight) !== day) return undefined;
  return new Date(year, month - 1, date + later);
}

/** Returns the instants between which a local day lies; undefined for a text that is no day. */
export function instantsOfDay(day: string): { from: string; to: string } | undefined {
  const [from, to] = [midnightOf(day), midnightOf(day, 1)];
  return from && to && { from: from.toISOString(), to: to.toISOString() };
}

/** Adds the days without a sync, up to today. @param most number of days that fit */
export function fillDays(counted: SyncDays, most: number, today = new Date()): DayCounts[] {
  const known = new Map(counted.map((one) => [one.day, one]));
  const dayBefore = (days: number) =>
    localDay(new Date(today.getFullYear(), today.getMonth(), today.getDate() - days));
  const first = counted[0]?.day ?? '';
  const days: DayCounts[] = [];
  for (let before = 0; before < most; before++) {
    const day = dayBefore(before);
    if (before >= LEAST && day < first) break;
    days.unshift(known.get(day) ?? { day, finished: 0, failed: 0, started: 0 });
  }
  return days;
}
