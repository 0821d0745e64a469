import { limitOf } from '@datadeck/contract';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { RecordSource } from '../records/index.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncCursors } from './tables.ts';

/** The stored cursor of a scope. */
export type StoredCursor = typeof syncCursors.$inferSelect;

/** Reads the stored cursor of a scope; undefined before its first finished run. */
export async function findCursor(
  tx: Queryable,
  source: RecordSource,
  scope: string,
): Promise<StoredCursor | undefined> {
  const [stored] = await tx
    .select()
    .from(syncCursors)
    .where(and(isSyncStateOf(syncCursors, source), eq(syncCursors.scope, scope)));
  return stored;
}

/**
 * Returns the cursor for an incremental run of the scope; null when only a full run can fill it up to the cap, or back to another
 * day.
 */
export async function cursorFor(
  tx: Queryable,
  source: RecordSource,
  run: { scope: string; cap: number | null; since: string | null },
): Promise<unknown> {
  const stored = await findCursor(tx, source, run.scope);
  if (!stored || stored.since !== run.since) return null;
  if (stored.truncated && limitOf(stored.cap) < limitOf(run.cap)) return null;
  return stored.cursor;
}

/** The end of a scope's run that its cursor stores. */
interface ScopeState {
  /** Null if the next run must be a full one. */
  cursor: unknown;
  truncated: boolean;
  records: number;
}

/** Stores the cursor of the scope. Deletes it when the run ended without one, so that the next run is a full one. */
export async function saveCursor(
  tx: Queryable,
  run: RecordSource & { id: string; scope: string; cap: number | null; since: string | null },
  { cursor, truncated, records }: ScopeState,
): Promise<void> {
  const { userId, connectionId, entity, scope } = run;
  if (cursor === null) {
    await tx.delete(syncCursors).where(and(isSyncStateOf(syncCursors, run), eq(syncCursors.scope, scope)));
    return;
  }
  const values = { cursor, truncated, cap: run.cap, since: run.since, records, syncId: run.id };
  await tx
    .insert(syncCursors)
    .values({ userId, connectionId, entity, scope, ...values })
    .onConflictDoUpdate({
      target: [syncCursors.userId, syncCursors.connectionId, syncCursors.entity, syncCursors.scope],
      set: values,
    });
}

/** Notes that a run has changed what the scope has stored since its cursor: only the end of the run stores another cursor. */
export async function forgetRecordCount(tx: Queryable, run: RecordSource & { scope: string }): Promise<void> {
  await tx
    .update(syncCursors)
    .set({ records: null })
    .where(
      and(isSyncStateOf(syncCursors, run), eq(syncCursors.scope, run.scope), isNotNull(syncCursors.records)),
    );
}
