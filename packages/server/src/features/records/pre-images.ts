import { type SQL, sql } from 'drizzle-orm';
import { isRecordOf, tableOf } from './record-table.ts';
import type { RecordSource, WriteTarget } from './source.ts';

/**
 * Builds the insert that saves rows to the undo log before the run changes or removes them. Only the first pre-image of
 * a record in a run is kept; records that the run itself added have none.
 * @param ids expression: an array of record ids
 */
export function savePreImages(target: WriteTarget, ids: SQL): SQL {
  const { userId, connectionId, entity, syncId } = target;
  return sql`
    insert into record_undo (user_id, sync_id, entity, id, connection_id, row, hash, created_sync, changed_sync, extraction)
    select ${userId}::uuid, ${syncId}::uuid, ${entity}::text, r.id, ${connectionId}::uuid, row_to_json(r), r.hash, r.created_sync, r.changed_sync, r.extraction
    from ${tableOf(target)} r
    where ${isRecordOf(target)} and r.id = any(${ids}) and r.created_sync <> ${syncId}
    on conflict do nothing`;
}

/** Builds the insert that restores rows from their pre-images. @param log condition on `record_undo u` */
export function restorePreImages(source: RecordSource, log: SQL): SQL {
  const table = tableOf(source);
  return sql`
    insert into ${table} select p.* from record_undo u cross join lateral json_populate_record(null::${table}, u.row) p
    where ${log}`;
}
