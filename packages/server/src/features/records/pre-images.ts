import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
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

/** Returns the expression for the scopes of the row `r` after one of them was renamed. */
export function renamedScopes(from: string, to: string): SQL {
  return sql`case when r.scopes @> array[${to}::text] then array_remove(r.scopes, ${from}::text)
    else array_replace(r.scopes, ${from}::text, ${to}::text) end`;
}

/**
 * Renames a scope in the pre-images of a source: an undo does not undo what happened at the provider, and later runs read only the
 * new name.
 */
export async function renameInPreImages(
  tx: Queryable,
  source: RecordSource,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { userId, connectionId, entity } = source;
  const table = tableOf(source);
  await tx.execute(sql`
    with renamed as (
      select u.sync_id, u.id, row_to_json(p) as row from record_undo u
      cross join lateral json_populate_record(null::${table}, u.row) r
      cross join lateral json_populate_record(r, json_build_object('scopes', ${renamedScopes(from, to)})) p
      where u.user_id = ${userId} and u.connection_id = ${connectionId} and u.entity = ${entity}
        and r.scopes @> array[${from}::text]
    )
    update record_undo u set row = n.row from renamed n
    where u.user_id = ${userId} and u.sync_id = n.sync_id and u.id = n.id`);
}
