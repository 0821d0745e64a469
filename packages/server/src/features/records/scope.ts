import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import type { WriteTarget } from './source.ts';

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
export async function oldest(tx: Queryable, target: WriteTarget, which: SQL): Promise<Date | undefined> {
  const result = await tx.execute<{ oldest: string | null }>(sql`
    select min(r.occurred_at)::text as oldest from records r
    where r.user_id = ${target.userId} and r.connection_id = ${target.connectionId} and r.entity = ${target.entity} and ${which}`);
  const found = new Date(result.rows[0]?.oldest ?? 0);
  return found.getTime() > 0 ? found : undefined;
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
