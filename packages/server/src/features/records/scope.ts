import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { renamedScopes, renameInPreImages } from './pre-images.ts';
import { isRecordOf, listedAt, tableOf } from './record-table.ts';
import type { RecordSource, WriteTarget } from './source.ts';

/** Counts the records of the scope. */
export async function countScope(tx: Queryable, target: Omit<WriteTarget, 'syncId'>): Promise<number> {
  const result = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from ${tableOf(target)} r
    where ${isRecordOf(target)} and r.scopes @> array[${target.scope}::text]`);
  return result.rows[0]?.count ?? 0;
}

/**
 * Counts the records of the scope that are at least as new as its oldest record before the run. Below that date a
 * truncated scope is incomplete: the provider may have records that were never stored.
 */
export async function countWithinHorizon(tx: Queryable, target: WriteTarget): Promise<number> {
  const { userId, syncId, scope } = target;
  const table = tableOf(target);
  const isOwn = sql`${isRecordOf(target)} and r.scopes @> array[${scope}::text]`;
  const log = sql`u.user_id = ${userId} and u.sync_id = ${syncId}`;
  const result = await tx.execute<{ count: number }>(sql`
    with before as (
      select ${listedAt(target)} as listed_at, r.id from ${table} r
      where ${isOwn} and r.created_sync <> ${syncId} and r.id not in (select u.id from record_undo u where ${log})
      union all
      select ${listedAt(target)}, r.id from record_undo u cross join lateral json_populate_record(null::${table}, u.row) r
      where ${log} and r.scopes @> array[${scope}::text]
    ), oldest as (
      select listed_at, id from before order by listed_at, id limit 1
    )
    select count(*)::int as count from ${table} r, oldest o
    where ${isOwn} and (${listedAt(target)}, r.id) >= (o.listed_at, o.id)`);
  return result.rows[0]?.count ?? 0;
}

/**
 * Returns the date of the oldest record selected by `which`, a condition on `r`; undefined when there is none or it has
 * no date.
 */
export async function oldest(tx: Queryable, target: WriteTarget, which: SQL): Promise<Date | undefined> {
  const result = await tx.execute<{ oldest: string | null }>(sql`
    select min(${listedAt(target)})::text as oldest from ${tableOf(target)} r
    where ${isRecordOf(target)} and ${which}`);
  const found = new Date(result.rows[0]?.oldest ?? 0);
  return found.getTime() > 0 ? found : undefined;
}

/** Returns the date of the oldest record of the scope; undefined when there is none or it has no date. */
export function oldestInScope(tx: Queryable, target: WriteTarget): Promise<Date | undefined> {
  return oldest(tx, target, sql`r.scopes @> array[${target.scope}::text]`);
}

/** Returns the ids of the records of the scope. */
export async function idsInScope(tx: Queryable, target: Omit<WriteTarget, 'syncId'>): Promise<Set<string>> {
  const result = await tx.execute<{ id: string }>(sql`
    select r.id from ${tableOf(target)} r where ${isRecordOf(target)} and r.scopes @> array[${target.scope}::text]`);
  return new Set(result.rows.map((row) => row.id));
}

/** What became one scope when one was renamed to another. */
export interface MergedScopes {
  /** Records that only the renamed scope had. */
  joined: number;
  /** Records that only the other scope had. */
  others: number;
}

/**
 * Renames a scope of a source, e.g. that of a renamed repository, also in the undo log. The data version stays: no row shows the
 * scope.
 */
export async function renameScope(
  tx: Queryable,
  { from, to, ...source }: RecordSource & { from: string; to: string },
): Promise<MergedScopes> {
  const isOld = sql`r.scopes @> array[${from}::text]`;
  const isNew = sql`r.scopes @> array[${to}::text]`;
  const { rows } = await tx.execute<MergedScopes & Record<string, unknown>>(sql`
    with before as (
      select (count(*) filter (where ${isOld} and not ${isNew}))::int as joined,
        (count(*) filter (where ${isNew} and not ${isOld}))::int as others
      from ${tableOf(source)} r where ${isRecordOf(source)}
    ), renamed as (
      update ${tableOf(source)} r set scopes = ${renamedScopes(from, to)} where ${isRecordOf(source)} and ${isOld}
    )
    select * from before`);
  await renameInPreImages(tx, source, { from, to });
  return rows[0] ?? { joined: 0, others: 0 };
}

/** Counts the stored records of each scope of a source. */
export async function countByScope(db: Queryable, source: RecordSource): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ scope: string; count: number }>(sql`
    select scope, count(*)::int as count from ${tableOf(source)} r cross join lateral unnest(r.scopes) scope
    where ${isRecordOf(source)} group by scope`);
  return new Map(rows.map(({ scope, count }) => [scope, count]));
}
