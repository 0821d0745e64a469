import type { Sync } from '@datadeck/contract';
import { and, eq } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { undoSync } from '../records/index.ts';
import { commitFailure } from './commit.ts';
import { holdStarts } from './hold-starts.ts';
import { findLastSync, findSync, readSync } from './list.ts';
import { ofSource } from './of-source.ts';
import { publishInvalidation, publishSync } from './progress.ts';
import { syncCursors, syncNumbers, syncs, syncUsage } from './tables.ts';

/**
 * Cancels a running sync, durably: its worker may write nothing more; what was committed stays.
 * @throws AppError not-found, sync-not-running
 */
export async function cancelSync(context: Context, userId: string, id: string): Promise<Sync> {
  await context.db.transaction(async (tx) => {
    await findSync(tx, userId, id);
    const [run] = await tx
      .select()
      .from(syncs)
      .where(and(eq(syncs.userId, userId), eq(syncs.id, id), eq(syncs.status, 'started')))
      .for('update');
    if (!run) throw new AppError('sync-not-running', 'This sync is not running any more.');
    await commitFailure(tx, run, 'Cancelled by user');
  });
  await publishSync(context, userId, id);
  return readSync(context, userId, id);
}

/** Ends the running syncs of a connection (or of all), before its tokens or data go. */
export async function endRunningSyncs(
  context: Context,
  userId: string,
  reason: string,
  connectionId?: string,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const running = await tx
      .select()
      .from(syncs)
      .where(
        and(
          eq(syncs.userId, userId),
          eq(syncs.status, 'started'),
          connectionId === undefined ? undefined : eq(syncs.connectionId, connectionId),
        ),
      )
      .for('update');
    for (const run of running) await commitFailure(tx, run, reason);
  });
}

/**
 * Deletes the last sync of its entity by undoing it: what it added goes, what it overwrote or removed returns.
 * The next run of the scope is a full one.
 * @throws AppError not-found, sync-running, sync-outdated
 */
export async function deleteLastSync(context: Context, userId: string, id: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    const found = await findSync(tx, userId, id);
    const source = { userId, connectionId: found.connectionId, entity: found.entity };
    await holdStarts(tx, source);
    const siblings = await tx
      .select({ id: syncs.id, status: syncs.status })
      .from(syncs)
      .where(ofSource(syncs, source))
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
    await undoSync(tx, source, id);
    await tx.delete(syncCursors).where(ofSource(syncCursors, source));
    await tx.delete(syncs).where(and(eq(syncs.userId, userId), eq(syncs.id, id)));
  });
  await publishInvalidation(context, userId, ['Synchronizations', 'Entities', 'Aggregation', 'View']);
}

/** Deletes the syncs and cursors of a connection, or of the whole user; this month's usage stays. */
export async function deleteSyncs(tx: Queryable, userId: string, connectionId?: string): Promise<void> {
  const bySync = connectionId === undefined ? undefined : eq(syncs.connectionId, connectionId);
  const byCursor = connectionId === undefined ? undefined : eq(syncCursors.connectionId, connectionId);
  const begun = await tx
    .selectDistinctOn([syncCursors.connectionId, syncCursors.entity])
    .from(syncCursors)
    .where(and(eq(syncCursors.userId, userId), byCursor))
    .orderBy(syncCursors.connectionId, syncCursors.entity);
  for (const source of begun) await holdStarts(tx, source);
  await tx.delete(syncs).where(and(eq(syncs.userId, userId), bySync));
  await tx.delete(syncCursors).where(and(eq(syncCursors.userId, userId), byCursor));
}

/** Removes what only belongs to the account itself. */
export async function deleteUsage(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(syncUsage).where(eq(syncUsage.userId, userId));
  await tx.delete(syncNumbers).where(eq(syncNumbers.userId, userId));
}
