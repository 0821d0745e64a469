import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { isUnlisted } from './listed-ids.ts';
import { savePreImages } from './pre-images.ts';
import { isRecordOf, listedAt, tableOf } from './record-table.ts';
import type { WriteTarget } from './source.ts';
import { textArray } from './text-array.ts';
import { bumpVersion } from './write.ts';

/** The number of records removed from a scope. */
export interface Removal {
  count: number;
  /** Of `count`: deleted, because no other scope contains them. */
  deleted: number;
  /** Of `deleted`: added by the same run. */
  added: number;
  /** Of `deleted`, without `added`: updated by the same run. */
  updated: number;
}

export const NO_REMOVAL: Removal = { count: 0, deleted: 0, added: 0, updated: 0 };

/**
 * Removes the records selected by `which` (a condition on `r`) from the scope and deletes those in no other scope.
 * Saves pre-images, so it can be undone.
 */
async function removeFromScope(tx: Queryable, target: WriteTarget, which: SQL): Promise<Removal> {
  const { syncId, scope } = target;
  const table = tableOf(target);
  const isOwn = isRecordOf(target);
  // An array of ids uses the primary key; a join may become nested loops while statistics are outdated.
  const result = await tx.execute<Removal & Record<string, unknown>>(sql`
    with gone as materialized (
      select r.id, cardinality(r.scopes) = 1 as last, r.created_sync = ${syncId} as added, r.changed_sync = ${syncId} as changed
      from ${table} r where ${isOwn} and r.scopes @> array[${scope}::text] and ${which}
    ), undo as (
      ${savePreImages(target, sql`array(select id from gone)`)}
    ), deleted as (
      delete from ${table} r where ${isOwn} and r.id = any(array(select id from gone where last))
    ), kept as (
      update ${table} r set scopes = array_remove(r.scopes, ${scope}::text)
      where ${isOwn} and r.id = any(array(select id from gone where not last))
    )
    select count(*)::int as count, (count(*) filter (where last))::int as deleted, (count(*) filter (where added))::int as added,
      (count(*) filter (where changed and last and not added))::int as updated
    from gone`);
  const removal = result.rows[0] ?? NO_REMOVAL;
  if (removal.count > 0) await bumpVersion(tx, target, { added: -removal.deleted });
  return removal;
}

/** Removes records from the scope by id. */
export async function removeRecords(
  tx: Queryable,
  target: WriteTarget,
  ids: readonly string[],
): Promise<Removal> {
  if (ids.length === 0) return NO_REMOVAL;
  return removeFromScope(tx, target, sql`r.id = any(${textArray(ids)})`);
}

/** Removes the records that a complete listing did not contain from the scope. */
export async function removeUnlisted(tx: Queryable, target: WriteTarget): Promise<Removal> {
  return removeFromScope(tx, target, isUnlisted(target));
}

/** Removes all but the newest `cap` records from the scope. */
export async function trimScope(tx: Queryable, target: WriteTarget, cap: number): Promise<Removal> {
  return removeFromScope(
    tx,
    target,
    // An array subquery runs once; an IN subquery may run once per row while statistics are outdated.
    sql`r.id = any(array(
      select r.id from ${tableOf(target)} r where ${isRecordOf(target)} and r.scopes @> array[${target.scope}::text]
      order by ${listedAt(target)} desc, r.id desc offset ${cap}))`,
  );
}
