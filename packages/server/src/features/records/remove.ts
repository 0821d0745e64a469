import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import { isUnmet } from './met.ts';
import { keepPreImages } from './pre-images.ts';
import type { WriteTarget } from './source.ts';
import { textArray } from './text-array.ts';
import { bumpVersion } from './write.ts';

/** Records that left a scope. */
export interface Removal {
  count: number;
  /** Of them those that no other scope holds: they are gone. */
  deleted: number;
  /** Of the deleted those that the same run had added: nothing came of them. */
  added: number;
  /** Of the others those that it had updated before they were deleted. */
  updated: number;
}

export const NO_REMOVAL: Removal = { count: 0, deleted: 0, added: 0, updated: 0 };

/** Takes the records that `which` selects (as `r`) out of the scope; those of no other scope are deleted. Undoable. */
async function leaveScope(tx: Queryable, target: WriteTarget, which: SQL): Promise<Removal> {
  const { userId, connectionId, entity, syncId, scope } = target;
  const mine = sql`r.user_id = ${userId} and r.connection_id = ${connectionId} and r.entity = ${entity}`;
  // Arrays of ids are looked up by the key; of a join the planner, which believes in few rows, may make nested loops.
  const result = await tx.execute<Removal & Record<string, unknown>>(sql`
    with gone as materialized (
      select r.external_id, cardinality(r.scopes) = 1 as last, r.created_sync = ${syncId} as added, r.changed_sync = ${syncId} as changed
      from records r where ${mine} and r.scopes @> array[${scope}::text] and ${which}
    ), undo as (
      ${keepPreImages(target, sql`array(select external_id from gone)`)}
    ), deleted as (
      delete from records r where ${mine} and r.external_id = any(array(select external_id from gone where last))
    ), kept as (
      update records r set scopes = array_remove(r.scopes, ${scope}::text)
      where ${mine} and r.external_id = any(array(select external_id from gone where not last))
    )
    select count(*)::int as count, (count(*) filter (where last))::int as deleted, (count(*) filter (where added))::int as added,
      (count(*) filter (where changed and last and not added))::int as updated
    from gone`);
  const removal = result.rows[0] ?? NO_REMOVAL;
  if (removal.count > 0) await bumpVersion(tx, target);
  return removal;
}

/** Removes records by id. @returns those that were in the scope */
export async function removeRecords(
  tx: Queryable,
  target: WriteTarget,
  ids: readonly string[],
): Promise<Removal> {
  if (ids.length === 0) return NO_REMOVAL;
  return leaveScope(tx, target, sql`r.external_id = any(${textArray(ids)})`);
}

/** After a complete listing: removes what the scope holds and the listing did not meet. */
export async function removeUnseen(tx: Queryable, target: WriteTarget): Promise<Removal> {
  return leaveScope(tx, target, isUnmet(target));
}

/** Keeps the newest `cap` records of the scope. */
export async function trimScope(tx: Queryable, target: WriteTarget, cap: number): Promise<Removal> {
  return leaveScope(
    tx,
    target,
    // As an array the select runs once; the planner, which believes in few rows, may run that of an IN for each of them.
    sql`r.external_id = any(array(
      select o.external_id from records o
      where o.user_id = ${target.userId} and o.connection_id = ${target.connectionId} and o.entity = ${target.entity}
        and o.scopes @> array[${target.scope}::text]
      order by o.occurred_at desc, o.external_id desc offset ${cap}))`,
  );
}
