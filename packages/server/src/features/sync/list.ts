import { PAGE_SIZES, type Sync, type SyncHistory } from '@datadeck/contract';
import { and, desc, eq, gte, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isId } from '../../platform/ids.ts';
import { findConnection, listShownConnections } from '../connections/index.ts';
import type { RecordSource } from '../records/index.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncs } from './tables.ts';
import { type SyncRow, toSync } from './to-response.ts';

/** Number of syncs of each entity and account on one page of the list. */
const SYNCS_PER_ENTITY = 50;

/** Returns the id of the newest ended sync of each entity of each of the given connections. */
async function lastSyncIds(db: Queryable, userId: string, connectionIds: string[]): Promise<Set<string>> {
  if (connectionIds.length === 0) return new Set();
  const rows = await db
    .selectDistinctOn([syncs.connectionId, syncs.entity], { id: syncs.id })
    .from(syncs)
    .where(
      and(eq(syncs.userId, userId), inArray(syncs.connectionId, connectionIds), ne(syncs.status, 'started')),
    )
    .orderBy(syncs.connectionId, syncs.entity, desc(syncs.number));
  return new Set(rows.map((row) => row.id));
}

/** Returns the newest ended sync of an entity; undefined before the first. */
export async function findLastSync(db: Queryable, source: RecordSource): Promise<SyncRow | undefined> {
  const [row] = await db
    .select()
    .from(syncs)
    .where(and(isSyncStateOf(syncs, source), ne(syncs.status, 'started')))
    .orderBy(desc(syncs.number))
    .limit(1);
  return row;
}

/** Converts syncs of several accounts to their wire format. */
async function toSyncs(
  db: Queryable,
  connections: readonly { userId: string; id: string; account: string }[],
  rows: readonly SyncRow[],
): Promise<Sync[]> {
  const names = new Map(connections.map(({ id, account }) => [id, account]));
  const ids = [...new Set(rows.map((row) => row.connectionId))];
  const lastIds = await lastSyncIds(db, rows[0]?.userId ?? '', ids);
  return rows.map((row) => toSync(row, { lastIds, account: names.get(row.connectionId) ?? '' }));
}

/** Converts a sync to its wire format. */
export async function toOneSync(db: Queryable, row: SyncRow): Promise<Sync> {
  const connection = await findConnection(db, row.userId, row.connectionId);
  const [sync] = await toSyncs(db, connection ? [connection] : [], [row]);
  return sync as Sync;
}

/**
 * Lists syncs of the shown accounts of the given providers, newest first. A page holds up to 50 syncs of each entity and account.
 * @param of `page` counts from 1; `account` limits the list to one account
 * @returns a page, and whether any entity has more syncs
 */
export async function listSyncs(
  context: Context,
  userId: string,
  of: { providers: readonly string[]; account?: string | undefined; page: number },
): Promise<{ syncs: Sync[]; hasMore: boolean }> {
  const shown = await listShownConnections(context.db, userId, { account: of.account });
  const connections = shown.filter((one) => of.providers.includes(one.provider));
  const ids = connections.map((connection) => connection.id);
  if (ids.length === 0) return { syncs: [], hasMore: false };
  const rank = sql<number>`row_number() over (partition by ${syncs.connectionId}, ${syncs.entity} order by ${syncs.number} desc)`;
  const ranked = context.db
    .select({ id: sql<string>`${syncs.id}`.as('ranked_id'), rank: rank.as('rank') })
    .from(syncs)
    .where(and(eq(syncs.userId, userId), inArray(syncs.connectionId, ids)))
    .as('ranked');
  const last = of.page * SYNCS_PER_ENTITY;
  // Reads one extra row per entity to find out whether another page follows.
  const rows = await context.db
    .select({ sync: syncs, rank: ranked.rank })
    .from(syncs)
    .innerJoin(ranked, eq(ranked.id, syncs.id))
    .where(
      and(
        eq(syncs.userId, userId),
        sql`${ranked.rank} between ${last - SYNCS_PER_ENTITY + 1} and ${last + 1}`,
      ),
    )
    .orderBy(desc(syncs.updatedAt), desc(syncs.number));
  const listed = rows.filter((row) => Number(row.rank) <= last).map(({ sync }) => sync);
  return { syncs: await toSyncs(context.db, connections, listed), hasMore: listed.length < rows.length };
}

export interface HistoryFilter {
  provider?: string | undefined;
  entity?: string | undefined;
  account?: string | undefined;
  status?: 'started' | 'finished' | 'failed' | '' | undefined;
  /** ISO instants of the last change: the first one that counts, and the first one that does not. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Returns the condition of the syncs of these connections that a filter selects. Empty filters match all. */
export function matchesHistory(
  userId: string,
  connectionIds: string[],
  { provider, entity, status, from, to }: HistoryFilter,
): SQL | undefined {
  return and(
    eq(syncs.userId, userId),
    inArray(syncs.connectionId, connectionIds),
    provider ? eq(syncs.provider, provider) : undefined,
    entity ? eq(syncs.entity, entity) : undefined,
    status ? eq(syncs.status, status) : undefined,
    from ? gte(syncs.updatedAt, new Date(from)) : undefined,
    to ? lt(syncs.updatedAt, new Date(to)) : undefined,
  );
}

/** Returns a page of 8 syncs of the history, newest first. Empty filters match all. */
export async function listHistory(
  context: Context,
  userId: string,
  filter: HistoryFilter & { page: number },
): Promise<SyncHistory> {
  const connections = await listShownConnections(context.db, userId, { account: filter.account });
  const ids = connections.map((connection) => connection.id);
  if (ids.length === 0) return { results: [], count: 0 };
  const where = matchesHistory(userId, ids, filter);
  const rows = await context.db
    .select()
    .from(syncs)
    .where(where)
    .orderBy(desc(syncs.number))
    .limit(PAGE_SIZES.history)
    .offset((filter.page - 1) * PAGE_SIZES.history);
  const [total] = await context.db.select({ count: sql<number>`count(*)::int` }).from(syncs).where(where);
  return { results: await toSyncs(context.db, connections, rows), count: total?.count ?? 0 };
}

/** Finds a sync of the user. @throws AppError not-found for an unknown id or another user's sync */
export async function findSync(db: Queryable, userId: string, id: string): Promise<SyncRow> {
  const [row] = isId(id)
    ? await db
        .select()
        .from(syncs)
        .where(and(eq(syncs.userId, userId), eq(syncs.id, id)))
    : [];
  if (!row) throw notFound('This sync');
  return row;
}

/** Returns a sync by id in its wire format. @throws AppError not-found */
export async function readSync(context: Context, userId: string, id: string): Promise<Sync> {
  return toOneSync(context.db, await findSync(context.db, userId, id));
}
