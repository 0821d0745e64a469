import { dayIn, type SyncDays, startOfDay } from '@datadeck/contract';

export type DayCounts = SyncDays[number];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;
/** Fewest days that are drawn. */
const LEAST = 30;

/** Returns the day some days after another one: `2026-11-27`. */
function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the instants between which a day of a time zone lies; undefined for a text that is no day. */
export function instantsOfDay(day: string, timeZone: string): { from: string; to: string } | undefined {
  if (!DAY.test(day) || Number.isNaN(Date.parse(day)) || dayAfter(day, 0) !== day) return undefined;
  const [from, to] = [0, 1].map((days) => startOfDay(new Date(Date.parse(day) + days * DAY_MS), timeZone));
  return from && to && { from: from.toISOString(), to: to.toISOString() };
}

interface ShownDays {
  /** Number of days that fit. */
  most: number;
  timeZone: string;
  now?: Date;
}

/** Adds the days without a sync, up to today. */
export function fillDays(counted: SyncDays, { most, timeZone, now = new Date() }: ShownDays): DayCounts[] {
  const known = new Map(counted.map((one) => [one.day, one]));
  const today = dayIn(now, timeZone);
  const first = counted[0]?.day ?? '';
  const days: DayCounts[] = [];
  for (let before = 0; before < most; before++) {
    const day = dayAfter(today, -before);
    if (before >= LEAST && day < first) break;
    days.unshift(known.get(day) ?? { day, finished: 0, failed: 0, started: 0 });
  }
  return days;
}
