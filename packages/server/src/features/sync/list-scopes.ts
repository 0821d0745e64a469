import { SCOPE_LIMITS, type SyncScope, syncSummarySchema } from '@datadeck/contract';
import { asc, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { findSync } from './list.ts';
import { isScopeOf } from './run-scopes.ts';
import { syncScopes } from './tables.ts';
import type { SyncRow } from './to-response.ts';

/** Returns the names of the scopes of a run, in the order in which it read them; at most those of a source. */
export async function namesOfRun(db: Queryable, run: Pick<SyncRow, 'userId' | 'id'>): Promise<string[]> {
  const rows = await db
    .select({ name: syncScopes.name })
    .from(syncScopes)
    .where(isScopeOf(run))
    .orderBy(asc(syncScopes.place))
    .limit(SCOPE_LIMITS.perSource);
  return rows.map(({ name }) => name);
}

/** Returns a page of the scopes of a sync: failed ones first, then in the order in which they were read. @throws AppError not-found */
export async function listSyncScopes(
  { db }: Context,
  { userId, id, page }: { userId: string; id: string; page: number },
): Promise<{ results: SyncScope[]; count: number }> {
  const run = await findSync(db, userId, id);
  const rows = await db
    .select()
    .from(syncScopes)
    .where(isScopeOf(run))
    .orderBy(sql`${syncScopes.status} <> 'failed'`, asc(syncScopes.place))
    .limit(SCOPE_LIMITS.runPage)
    .offset((page - 1) * SCOPE_LIMITS.runPage);
  const [total] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(syncScopes)
    .where(isScopeOf(run));
  const results = rows.map(({ name, status, message, summary }) => ({
    name,
    status,
    message,
    summary: syncSummarySchema.parse(summary),
  }));
  return { results, count: total?.count ?? 0 };
}
