import type { SyncNews } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { listShownConnections } from '../connections/index.ts';
import { matchesHistory } from './list.ts';
import { syncs } from './tables.ts';

/** Sums a count of the receipts. */
function sumOf(count: 'added' | 'updated' | 'removed') {
  return sql<number>`coalesce(sum((${syncs.summary}->>${count})::bigint), 0)::int`;
}

/** Sums what the syncs since an instant added, updated and removed, by entity and account: those with the most new records first. */
export async function readNews(
  context: Context,
  userId: string,
  { from }: { from: string },
): Promise<SyncNews> {
  const connections = await listShownConnections(context.db, userId);
  const accounts = new Map(connections.map(({ id, account }) => [id, account]));
  if (accounts.size === 0) return [];
  const [added, updated, removed] = [sumOf('added'), sumOf('updated'), sumOf('removed')];
  const rows = await context.db
    .select({
      connectionId: syncs.connectionId,
      providerId: syncs.provider,
      entityLabel: syncs.entity,
      runs: sql<number>`count(*)::int`,
      added,
      updated,
      removed,
    })
    .from(syncs)
    .where(matchesHistory(userId, [...accounts.keys()], { from }))
    .groupBy(syncs.connectionId, syncs.provider, syncs.entity)
    .orderBy(sql`5 desc, 4 desc, 3, 1`);
  return rows.map(({ connectionId, ...counts }) => ({
    ...counts,
    account: accounts.get(connectionId) ?? '',
  }));
}
