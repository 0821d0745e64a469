import { type SQL, sql } from 'drizzle-orm';
import type { WriteTarget } from './source.ts';

/**
 * The columns of `records`, in the order in which new rows are copied in (`write.ts`). `record_undo` has each of them and
 * the run's id: what stands here is kept of a record that a run changes or removes, and comes back when the run is undone.
 */
export const RECORD_COLUMNS = [
  'user_id',
  'connection_id',
  'entity',
  'external_id',
  'scopes',
  'occurred_at',
  'hash',
  'facets',
  'facets_version',
  'data',
  'parts',
  'created_sync',
  'changed_sync',
] as const;

/** Those that are not a record's key. */
const CONTENT = RECORD_COLUMNS.slice(4);

const names = sql.raw(RECORD_COLUMNS.join(', '));
const ofUndo = sql.raw(RECORD_COLUMNS.map((name) => `u.${name}`).join(', '));
const asExcluded = sql.raw(CONTENT.map((name) => `${name} = excluded.${name}`).join(', '));

/**
 * Keeps how the records with these ids are before the run changes or removes them, as an insert. The first of a run wins;
 * of records that the run added itself there is nothing to keep.
 * @param ids an array of ids
 */
export function keepPreImages({ userId, connectionId, entity, syncId }: WriteTarget, ids: SQL): SQL {
  return sql`
    insert into record_undo (sync_id, ${names})
    select ${syncId}::uuid, ${names} from records
    where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity} and external_id = any(${ids})
      and created_sync <> ${syncId}
    on conflict do nothing`;
}

/** Brings back the records as a run found them, as an insert. @param log which rows of `record_undo u` */
export function restorePreImages(log: SQL): SQL {
  return sql`
    insert into records (${names})
    select ${ofUndo} from record_undo u where ${log}
    on conflict (user_id, connection_id, entity, external_id) do update set ${asExcluded}`;
}
