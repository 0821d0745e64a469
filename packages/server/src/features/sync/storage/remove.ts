import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../platform/db/pool.ts';
import { keepPreImages } from './pre-images.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import { isUnseen } from './seen.ts';
import type { WriteTarget } from './source.ts';
import { textArray } from './text-array.ts';
import { growVersion } from './write.ts';

/** Records that left a scope. */
export interface Removal {
  count: number;
  /** Of them those that no other scope holds: they are deleted. */
  deleted: number;
  /** Of the deleted those that the same run had added. */
  added: number;
  /** Of the other deleted ones those that the same run had updated. */
  updated: number;
}

export const NO_REMOVAL: Removal = { count: 0, deleted: 0, added: 0, updated: 0 };

/** Takes the records that `which` selects (as `r`) out of the scope; deletes those of no other scope. Undoable. */
async function leaveScope(tx: Queryable, target: WriteTarget, which: SQL): Promise<Removal> {
  const { syncId, scope } = target;
  const table = tableOf(target);
  const mine = isRecordOf(target);
  // Arrays of ids are looked up by the key; a join may become nested loops while statistics lag behind.
  const result = await tx.execute<Removal & Record<string, unknown>>(sql`
    with gone as materialized (
      select r.id, cardinality(r.scopes) = 1 as last, r.created_sync = ${syncId} as added, r.changed_sync = ${syncId} as changed
      from ${table} r where ${mine} and r.scopes @> array[${scope}::text] and ${which}
    ), undo as (
      ${keepPreImages(target, sql`array(select id from gone)`)}
    ), deleted as (
      delete from ${table} r where ${mine} and r.id = any(array(select id from gone where last))
    ), kept as (
      update ${table} r set scopes = array_remove(r.scopes, ${scope}::text)
      where ${mine} and r.id = any(array(select id from gone where not last))
    )
    select count(*)::int as count, (count(*) filter (where last))::int as deleted, (count(*) filter (where added))::int as added,
      (count(*) filter (where changed and last and not added))::int as updated
    from gone`);
  const removal = result.rows[0] ?? NO_REMOVAL;
  if (removal.count > 0) await growVersion(tx, target, { added: -removal.deleted });
  return removal;
}

/** Removes records by id from the scope. */
export async function removeRecords(
  tx: Queryable,
  target: WriteTarget,
  ids: readonly string[],
): Promise<Removal> {
  if (ids.length === 0) return NO_REMOVAL;
  return leaveScope(tx, target, sql`r.id = any(${textArray(ids)})`);
}

/** Removes the records of the scope that a complete listing did not contain. */
export async function removeUnseen(tx: Queryable, target: WriteTarget): Promise<Removal> {
  return leaveScope(tx, target, isUnseen(target));
}

/** Keeps the newest `cap` records of the scope. */
export async function trimScope(tx: Queryable, target: WriteTarget, cap: number): Promise<Removal> {
  return leaveScope(
    tx,
    target,
    // As an array the select runs once; that of an IN may run once for each row while statistics lag behind.
    sql`r.id = any(array(
      select o.id from ${tableOf(target)} o
      where o.user_id = ${target.userId} and o.connection_id = ${target.connectionId} and o.scopes @> array[${target.scope}::text]
      order by o.occurred_at desc, o.id desc offset ${cap}))`,
  );
}
