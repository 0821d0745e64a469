import { dayIn, HISTORY_DAYS, type SyncDays } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { requireTimeZone } from '../accounts/index.ts';
import { listShownConnections } from '../connections/index.ts';
import { type HistoryFilter, matchesHistory } from './list.ts';
import { syncs } from './tables.ts';

const DAY_MS = 86_400_000;

/**
 * Counts the syncs of each of the last 90 days by status, oldest first. Days without a sync are left out.
 * @throws AppError validation-failed for an unknown time zone
 */
export async function listHistoryDays(
  context: Context,
  userId: string,
  { timeZone, ...filter }: Omit<HistoryFilter, 'from' | 'to'> & { timeZone: string },
): Promise<SyncDays> {
  const zone = requireTimeZone(timeZone);
  const dayOf = (instant: Date) => dayIn(instant, zone);
  const connections = await listShownConnections(context.db, userId, { account: filter.account });
  const ids = connections.map((connection) => connection.id);
  if (ids.length === 0) return [];
  const before = (days: number) => new Date(Date.now() - days * DAY_MS);
  // Days of every time zone begin at a quarter of an hour of UTC.
  const quarter = sql<Date>`date_bin('15 minutes', ${syncs.updatedAt}, timestamptz 'epoch')`.mapWith(
    syncs.updatedAt,
  );
  const rows = await context.db
    .select({ quarter, status: syncs.status, count: sql<number>`count(*)::int` })
    .from(syncs)
    .where(matchesHistory(userId, ids, { ...filter, from: before(HISTORY_DAYS).toISOString() }))
    .groupBy(sql`1`, syncs.status)
    .orderBy(sql`1`);
  const days = new Map<string, SyncDays[number]>();
  for (const { quarter: instant, status, count } of rows) {
    const day = dayOf(instant);
    const counts = days.get(day) ?? { day, finished: 0, failed: 0, started: 0 };
    counts[status] += count;
    days.set(day, counts);
  }
  // The day at the limit is not complete.
  const first = dayOf(before(HISTORY_DAYS - 1));
  return [...days.values()].filter(({ day }) => day >= first);
}
