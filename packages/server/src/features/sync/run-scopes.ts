import type { EntityDefinition } from '@datadeck/connectors';
import { SCOPE_LIMITS, type SyncSummary } from '@datadeck/contract';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { textArray } from '../records/index.ts';
import { type Claim, ClaimLost, isHeldAtCheckpoint, isHeldBy } from './claim.ts';
import { countersSchema } from './counters.ts';
import { cursorFor } from './cursors.ts';
import { type ResolvedScopes, requireScopes } from './resolve-scopes.ts';
import { type ScopeEnd, type ScopeTotals, totalsOf, withScope } from './scope-totals.ts';
import { syncScopes, syncs } from './tables.ts';
import type { SyncRow } from './to-response.ts';

/*
 * A run over several scopes reads one after another. The row of `syncs` has the state of the one that is being read, as if the
 * run were of this scope alone, so that pages, checkpoints and restarts know nothing of the others. The end of a scope stores its
 * receipt in `sync_scopes`, adds it to the totals, and puts the next scope in the row, in one transaction.
 */

/** Returns whether a run reads a list of scopes. */
export function hasScopes({ givenScopes }: Pick<SyncRow, 'givenScopes'>): boolean {
  return givenScopes !== null;
}

/** Returns the condition for the rows of a run's scopes. */
export function isScopeOf({ userId, id }: Pick<SyncRow, 'userId' | 'id'>) {
  return and(eq(syncScopes.userId, userId), eq(syncScopes.syncId, id));
}

/** Returns the values of `syncs` for reading a scope from its cursor. */
async function startOf(
  tx: Queryable,
  run: SyncRow,
  { entity, name }: { entity: EntityDefinition; name: string },
) {
  const settings = requireScopes(entity).settingsOf(name);
  const scope = entity.scopeOf(settings);
  const startCursor = await cursorFor(tx, run, { scope, cap: run.cap, since: run.since });
  return { settings, scope, startCursor, checkpoint: null, counters: {}, total: null };
}

/** Stores the scopes of a run, and begins with the first one. @throws ClaimLost */
export async function commitScopes(
  tx: Queryable,
  claim: Claim,
  run: SyncRow,
  {
    entity,
    names,
    cut,
    usage,
  }: ResolvedScopes & { entity: EntityDefinition; usage: Partial<SyncRow['counters'] & object> },
): Promise<SyncRow> {
  await tx.execute(sql`
    insert into sync_scopes (user_id, sync_id, connection_id, place, name)
    select ${run.userId}, ${run.id}, ${run.connectionId}, place - 1, name
    from unnest(${textArray(names)}) with ordinality n(name, place) on conflict do nothing`);
  const none = totalsOf({ totals: null });
  const totals: ScopeTotals = {
    ...none,
    counters: countersSchema.parse({ ...none.counters, ...usage }),
    cutCount: cut.length,
    cut: cut.slice(0, SCOPE_LIMITS.named),
  };
  const start = await startOf(tx, run, { entity, name: names[0] ?? '' });
  const [saved] = await tx
    .update(syncs)
    .set({ ...start, place: 0, scopeCount: names.length, totals })
    .where(isHeldBy(claim))
    .returning();
  if (!saved) throw new ClaimLost();
  return saved;
}

/** Returns the name of a scope of a run. */
export async function nameOfScope(
  tx: Queryable,
  run: Pick<SyncRow, 'userId' | 'id'>,
  place: number,
): Promise<string> {
  const [row] = await tx
    .select({ name: syncScopes.name })
    .from(syncScopes)
    .where(and(isScopeOf(run), eq(syncScopes.place, place)));
  return row?.name ?? '';
}

/** The end of the scope that a run reads: its counters, its stored records, why it failed, and its receipt. */
export type ReadScope = Pick<ScopeEnd, 'counters' | 'stored' | 'failure'> & { summary: SyncSummary };

/** Stores the receipt of the scope that was read. @returns the totals with it */
export async function storeScopeEnd(
  tx: Queryable,
  run: SyncRow,
  { summary, ...end }: ReadScope,
): Promise<ScopeTotals> {
  const name = await nameOfScope(tx, run, run.place);
  const { failure } = end;
  await tx
    .update(syncScopes)
    .set({ status: failure ? 'failed' : 'finished', summary, ...(failure && { message: failure.message }) })
    .where(and(isScopeOf(run), eq(syncScopes.place, run.place)));
  const isIncremental = run.startCursor !== null;
  return withScope(totalsOf(run), { ...end, name, total: run.total, isIncremental });
}

/**
 * Puts the next scope in the row of the run.
 * @returns the run; undefined when it has read the last one
 * @throws ClaimLost
 */
export async function beginNextScope(
  tx: Queryable,
  claim: Claim,
  run: SyncRow,
  { entity, totals }: { entity: EntityDefinition; totals: ScopeTotals },
): Promise<SyncRow | undefined> {
  const place = run.place + 1;
  if (place >= (run.scopeCount ?? 0)) return undefined;
  const start = await startOf(tx, run, { entity, name: await nameOfScope(tx, run, place) });
  const [saved] = await tx
    .update(syncs)
    .set({ ...start, place, totals, updatedAt: new Date() })
    .where(isHeldAtCheckpoint(claim, run))
    .returning();
  if (!saved) throw new ClaimLost();
  return saved;
}

/** Marks the scopes after the one that a run reads as failed, because it ends before they are read. @returns the totals with them */
export async function failUnread(
  tx: Queryable,
  run: SyncRow,
  { message, totals }: { message: string; totals: ScopeTotals },
): Promise<ScopeTotals> {
  const failed = await tx
    .update(syncScopes)
    .set({ status: 'failed', message })
    .where(and(isScopeOf(run), gt(syncScopes.place, run.place), eq(syncScopes.status, 'waiting')))
    .returning({ name: syncScopes.name, place: syncScopes.place });
  const nothing = countersSchema.parse({});
  const failure = { message, isUnavailable: false };
  return failed
    .sort((one, other) => one.place - other.place)
    .reduce(
      (sum, { name }) =>
        withScope(sum, { name, counters: nothing, stored: 0, total: null, isIncremental: true, failure }),
      totals,
    );
}

/** Fails the scope that a run is reading, and each one after it, because the run ends. @returns the run's totals, with these */
export async function failRemaining(
  tx: Queryable,
  run: SyncRow,
  { message, ...end }: Omit<ReadScope, 'failure'> & { message: string },
): Promise<ScopeTotals> {
  const failure = { message, isUnavailable: false };
  const totals = await storeScopeEnd(tx, run, { ...end, failure });
  return failUnread(tx, run, { message, totals });
}
