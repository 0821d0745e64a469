import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { restorePreImages } from './pre-images.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import type { RecordSource } from './source.ts';
import { recordAdded, recordUndo } from './tables.ts';

const UNDO_LOG = [recordUndo, recordAdded];

/**
 * Undoes a run: deletes the records it added and restores those it changed or removed. The cost depends only on the
 * size of the run's changes.
 */
export async function undoSync(tx: Queryable, source: RecordSource, syncId: string): Promise<void> {
  const log = sql`u.user_id = ${source.userId} and u.sync_id = ${syncId}`;
  const deleted = await tx.execute(sql`
    delete from ${tableOf(source)} r
    where ${isRecordOf(source)} and r.id = any(array(
      select unnest(u.external_ids) from record_added u where ${log} union all select u.id from record_undo u where ${log}))`);
  const restored = await tx.execute(restorePreImages(source, log));
  const added = (restored.rowCount ?? 0) - (deleted.rowCount ?? 0);
  // Restored rows may have an older extraction version; the next backfill then re-extracts them.
  await tx.execute(sql`
    update record_versions set version = version + 1, records = records + ${added},
      extraction = least(extraction, (select min(u.extraction) from record_undo u where ${log}))
    where user_id = ${source.userId} and connection_id = ${source.connectionId} and entity = ${source.entity}`);
  await deleteUndoLog(tx, source.userId, syncId);
}

/** Deletes the undo log of a run. */
export async function deleteUndoLog(tx: Queryable, userId: string, syncId: string): Promise<void> {
  for (const table of UNDO_LOG)
    await tx.execute(sql`delete from ${table} where user_id = ${userId} and sync_id = ${syncId}`);
}
