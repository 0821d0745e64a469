import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import { keepPreImages } from './pre-images.ts';
import type { WriteTarget } from './source.ts';
import { textArray } from './text-array.ts';
import { bumpVersion } from './write.ts';

/** Records that left a scope. */
export interface Removal {
  count: number;
  /** Of them those that the same run had added: nothing came of them. */
  added: number;
  /** Of the others those that it had updated before they were deleted. */
  updated: number;
}

export const NO_REMOVAL: Removal = { count: 0, added: 0, updated: 0 };

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
    select count(*)::int as count, (count(*) filter (where added))::int as added,
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

function noted({ userId, syncId }: WriteTarget): SQL {
  return sql`select external_id from sync_seen where user_id = ${userId} and sync_id = ${syncId}`;
}

/** Notes ids that a run met without bringing their records: a listing that held them leaves in the scope what is stored of them. */
export async function noteSeen(tx: Queryable, target: WriteTarget, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    insert into sync_seen (user_id, sync_id, external_id)
    select ${target.userId}, ${target.syncId}, id from unnest(${textArray(ids)}) id on conflict do nothing`);
}

/** The ids that a run has met: what it noted, and the records that it added. */
function met(target: WriteTarget): SQL {
  const { userId, connectionId, entity, syncId, isAnew } = target;
  if (isAnew) return noted(target);
  return sql`${noted(target)} union
    select external_id from records
    where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity} and created_sync = ${syncId}`;
}

/** After a complete listing: removes what the scope holds and the listing did not meet. */
export async function removeUnseen(tx: Queryable, target: WriteTarget): Promise<Removal> {
  return leaveScope(
    tx,
    target,
    // NOT IN is hashed whatever the planner believes of tables that just grew; an anti-join may become a nested loop.
    target.isAnew
      ? sql`r.external_id not in (${noted(target)})`
      : sql`r.created_sync <> ${target.syncId} and r.external_id not in (${noted(target)})`,
  );
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

/** Forgets which ids a run has met. */
export async function forgetSeen(tx: Queryable, userId: string, syncId: string): Promise<void> {
  await tx.execute(sql`delete from sync_seen where user_id = ${userId} and sync_id = ${syncId}`);
}

/** How many ids a run has met. */
export async function countSeen(tx: Queryable, target: WriteTarget): Promise<number> {
  const result = await tx.execute<{ count: number }>(
    sql`select count(*)::int as count from (${met(target)}) m`,
  );
  return result.rows[0]?.count ?? 0;
}

/** How many records the scope holds, and how many ids the run has met, in one look at the records. */
export async function countAtEnd(
  tx: Queryable,
  target: WriteTarget,
): Promise<{ present: number; met: number }> {
  const { userId, connectionId, entity, syncId, scope, isAnew } = target;
  const result = await tx.execute<{ present: number; added: number; noted: number }>(sql`
    select (count(*) filter (where scopes @> array[${scope}::text]))::int as present,
      (count(*) filter (where created_sync = ${syncId}))::int as added,
      (select count(*)::int from sync_seen where user_id = ${userId} and sync_id = ${syncId}) as noted
    from records where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity}`);
  const { present = 0, added = 0, noted = 0 } = result.rows[0] ?? {};
  if (isAnew) return { present, met: noted };
  // A first sync has noted nothing, a later one has added little.
  return { present, met: added === 0 || noted === 0 ? added + noted : await countSeen(tx, target) };
}

/** Records that the scope holds. */
export async function countScope(tx: Queryable, target: Omit<WriteTarget, 'syncId'>): Promise<number> {
  const result = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from records
    where user_id = ${target.userId} and connection_id = ${target.connectionId} and entity = ${target.entity}
      and scopes @> array[${target.scope}::text]`);
  return result.rows[0]?.count ?? 0;
}

/**
 * Records of the scope that are no older than the oldest one was before the run. Of a scope that the cap cut nothing is
 * known below that: a record that came in there may stand where the provider has a newer one.
 */
export async function countWithinHorizon(tx: Queryable, target: WriteTarget): Promise<number> {
  const { userId, connectionId, entity, syncId, scope } = target;
  const mine = sql`r.user_id = ${userId} and r.connection_id = ${connectionId} and r.entity = ${entity} and r.scopes @> array[${scope}::text]`;
  const log = sql`u.user_id = ${userId} and u.sync_id = ${syncId}`;
  const result = await tx.execute<{ count: number }>(sql`
    with before as (
      select r.occurred_at, r.external_id from records r
      where ${mine} and r.created_sync <> ${syncId}
        and r.external_id not in (select u.external_id from record_undo u where ${log})
      union all
      select u.occurred_at, u.external_id from record_undo u where ${log} and u.scopes @> array[${scope}::text]
    ), oldest as (
      select occurred_at, external_id from before order by occurred_at, external_id limit 1
    )
    select count(*)::int as count from records r, oldest o
    where ${mine} and (r.occurred_at, r.external_id) >= (o.occurred_at, o.external_id)`);
  return result.rows[0]?.count ?? 0;
}

/** When the oldest record of the source happened that `which` selects (as `r`); undefined for none, and for records without a date. */
async function oldest(tx: Queryable, target: WriteTarget, which: SQL): Promise<Date | undefined> {
  const result = await tx.execute<{ oldest: string | null }>(sql`
    select min(r.occurred_at)::text as oldest from records r
    where r.user_id = ${target.userId} and r.connection_id = ${target.connectionId} and r.entity = ${target.entity} and ${which}`);
  const found = new Date(result.rows[0]?.oldest ?? 0);
  return found.getTime() > 0 ? found : undefined;
}

/** When the oldest record happened that a run has met; undefined before the first, and of records without a date. */
export function oldestSeen(tx: Queryable, target: WriteTarget): Promise<Date | undefined> {
  const { userId, syncId, isAnew } = target;
  const isNoted = sql`exists (
    select from sync_seen s where s.user_id = ${userId} and s.sync_id = ${syncId} and s.external_id = r.external_id)`;
  return oldest(tx, target, isAnew ? isNoted : sql`(r.created_sync = ${syncId} or ${isNoted})`);
}

/** When the oldest record of the scope happened; undefined for none, and for records without a date. */
export function oldestInScope(tx: Queryable, target: WriteTarget): Promise<Date | undefined> {
  return oldest(tx, target, sql`r.scopes @> array[${target.scope}::text]`);
}

/** The ids of the records that the scope holds. */
export async function idsInScope(tx: Queryable, target: Omit<WriteTarget, 'syncId'>): Promise<Set<string>> {
  const result = await tx.execute<{ id: string }>(sql`
    select external_id as id from records
    where user_id = ${target.userId} and connection_id = ${target.connectionId} and entity = ${target.entity}
      and scopes @> array[${target.scope}::text]`);
  return new Set(result.rows.map((row) => row.id));
}
