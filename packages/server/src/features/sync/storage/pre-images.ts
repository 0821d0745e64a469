import { type SQL, sql } from 'drizzle-orm';
import { isRecordOf, tableOf } from './record-table.ts';
import type { RecordSource, WriteTarget } from './source.ts';

/**
 * Keeps the rows with these ids as they are before the run changes or removes them, as an insert. The first pre-image of a
 * run wins; records that the run added itself have none.
 * @param ids an array of ids
 */
export function keepPreImages(target: WriteTarget, ids: SQL): SQL {
  const { userId, connectionId, entity, syncId } = target;
  return sql`
    insert into record_undo (user_id, sync_id, entity, id, connection_id, row, hash, created_sync, changed_sync)
    select ${userId}::uuid, ${syncId}::uuid, ${entity}::text, r.id, ${connectionId}::uuid, row_to_json(r), r.hash, r.created_sync, r.changed_sync
    from ${tableOf(target)} r
    where ${isRecordOf(target)} and r.id = any(${ids}) and r.created_sync <> ${syncId}
    on conflict do nothing`;
}

/** Restores rows from their pre-images, as an insert. @param log condition on `record_undo u` */
export function restorePreImages(source: RecordSource, log: SQL): SQL {
  const table = tableOf(source);
  return sql`
    insert into ${table} select p.* from record_undo u cross join lateral json_populate_record(null::${table}, u.row) p
    where ${log}`;
}
