import { STALE_TAGS } from '@datadeck/contract';
import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { publishInvalidation } from '../notifications/index.ts';
import { startBackfill } from './backfill-job.ts';
import { holdStarts } from './hold-starts.ts';
import { findLastSync, findSync } from './list.ts';
import { forgetSeenExcept, requirePrepared, undoSync } from './storage/index.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncCursors, syncNumbers, syncs, syncUsage } from './tables.ts';

/**
 * Deletes the last sync of its entity by undoing it: what it added goes, what it overwrote or removed returns.
 * The next run of the scope is a full one.
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
    await holdStarts(tx, source);
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
    await requirePrepared(tx, source, { entity: registry.entity(found.provider, found.entity), withinMs: 0 });
    await undoSync(tx, source, id);
    // Other scopes' cursors are older than this run, which is the last: the state that it leaves again is theirs.
    await tx
      .delete(syncCursors)
      .where(and(isSyncStateOf(syncCursors, source), eq(syncCursors.scope, last.scope)));
    await tx.delete(syncs).where(and(eq(syncs.userId, userId), eq(syncs.id, id)));
    // Restored records may come from an older extraction.
    await startBackfill(tx, context.jobs);
  });
  await publishInvalidation(context, userId, STALE_TAGS.records);
}

/** Deletes the syncs and cursors of a connection, or of the whole user; this month's usage stays. */
export async function deleteSyncs(tx: Queryable, userId: string, connectionId?: string): Promise<void> {
  const bySync = connectionId === undefined ? undefined : eq(syncs.connectionId, connectionId);
  const byCursor = connectionId === undefined ? undefined : eq(syncCursors.connectionId, connectionId);
  await tx.delete(syncs).where(and(eq(syncs.userId, userId), bySync));
  await tx.delete(syncCursors).where(and(eq(syncCursors.userId, userId), byCursor));
}

/** Forgets what runs have seen that ended without doing so themselves, for their process was killed. */
export async function forgetSeenOfEnded(db: Queryable): Promise<void> {
  await forgetSeenExcept(db, sql`select id from ${syncs} where status = 'started'`);
}

/** Removes what only belongs to the account itself. */
export async function deleteUsage(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(syncUsage).where(eq(syncUsage.userId, userId));
  await tx.delete(syncNumbers).where(eq(syncNumbers.userId, userId));
}
