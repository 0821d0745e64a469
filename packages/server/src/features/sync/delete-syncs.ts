import { STALE_TAGS } from '@datadeck/contract';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { publishInvalidation } from '../notifications/index.ts';
import { deleteListedIdsExcept, requirePrepared, undoSync } from '../records/index.ts';
import { findLastSync, findSync } from './list.ts';
import { namesOfRun } from './list-scopes.ts';
import { lockStarts } from './lock-starts.ts';
import { startBackfill } from './re-extract-job.ts';
import { reportChangedRecords } from './records-changed.ts';
import { scopeKeyOf } from './resolve-scopes.ts';
import { isScopeOf } from './run-scopes.ts';
import { deleteSources } from './sources.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncCursors, syncNumbers, syncScopes, syncs, syncUsage } from './tables.ts';
import type { SyncRow } from './to-response.ts';

/**
 * Deletes the last sync of its entity by undoing it: removes the records it added and restores those it changed or
 * removed. The next run of the scope is a full one.
 * @throws AppError not-found, sync-running, sync-outdated, unavailable
 */
export async function deleteLastSync(
  context: Context,
  registry: ConnectorRegistry,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const found = await findSync(tx, userId, id);
    const source = { userId, connectionId: found.connectionId, entity: found.entity };
    await lockStarts(tx, source);
    const siblings = await tx
      .select({ id: syncs.id, status: syncs.status })
      .from(syncs)
      .where(isSyncStateOf(syncs, source))
      .for('update');
    if (siblings.some((sync) => sync.status === 'started')) {
      throw new AppError(
        'sync-running',
        'A sync of this entity is running. Wait for it, or cancel it, then delete.',
      );
    }
    const last = await findLastSync(tx, source);
    if (last?.id !== id)
      throw new AppError('sync-outdated', 'Only the last sync of an entity can be deleted. Reload the page.');
    if (!last.undoable) throw new AppError('sync-outdated', 'This sync is too old to be undone.');
    await requirePrepared(tx, source, {
      entity: registry.entity(found.provider, found.entity),
      timeoutMs: 0,
    });
    await undoSync(tx, source, id);
    // Cursors of other scopes stay valid: they are older than this run, and the undo restores the state they refer to.
    const scopes = await scopesOfRun(tx, registry, last);
    await tx
      .delete(syncCursors)
      .where(and(isSyncStateOf(syncCursors, source), inArray(syncCursors.scope, scopes)));
    await tx.delete(syncs).where(and(eq(syncs.userId, userId), eq(syncs.id, id)));
    await tx.delete(syncScopes).where(isScopeOf(last));
    const sync = { id, number: last.number };
    await reportChangedRecords(tx, context.jobs, source, { cause: 'undo', sync });
    // Restored records may have an older extraction version.
    await startBackfill(tx, context.jobs);
  });
  await publishInvalidation(context, userId, STALE_TAGS.records);
}

/** Returns the scopes that a run read, by which their cursors are stored. */
async function scopesOfRun(tx: Queryable, registry: ConnectorRegistry, run: SyncRow): Promise<string[]> {
  if (run.givenScopes === null) return [run.scope];
  const entity = registry.entity(run.provider, run.entity);
  const { scopes } = entity;
  const names = await namesOfRun(tx, run);
  return [run.scope, ...(scopes ? names.map((name) => scopeKeyOf(entity, scopes, name)) : [])];
}

/** Deletes the syncs, sources and cursors of a connection, or of the whole user. This month's usage stays. */
export async function deleteSyncs(tx: Queryable, userId: string, connectionId?: string): Promise<void> {
  const bySync = connectionId === undefined ? undefined : eq(syncs.connectionId, connectionId);
  const byCursor = connectionId === undefined ? undefined : eq(syncCursors.connectionId, connectionId);
  const byScope = connectionId === undefined ? undefined : eq(syncScopes.connectionId, connectionId);
  await tx.delete(syncs).where(and(eq(syncs.userId, userId), bySync));
  await tx.delete(syncScopes).where(and(eq(syncScopes.userId, userId), byScope));
  await deleteSources(tx, userId, connectionId);
  await tx.delete(syncCursors).where(and(eq(syncCursors.userId, userId), byCursor));
}

/** Deletes the listed ids of ended runs whose process was killed before it could delete them. */
export async function deleteListedIdsOfEndedRuns(db: Queryable): Promise<void> {
  await deleteListedIdsExcept(db, sql`select id from ${syncs} where status = 'started'`);
}

/** Deletes the usage and sync numbers of an account. */
export async function deleteUsage(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(syncUsage).where(eq(syncUsage.userId, userId));
  await tx.delete(syncNumbers).where(eq(syncNumbers.userId, userId));
}
