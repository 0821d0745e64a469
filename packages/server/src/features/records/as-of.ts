import { type SQL, sql } from 'drizzle-orm';
import { connectionIdsOf, type RecordSet } from './record-set.ts';
import { tableNameOf, tableOf } from './record-table.ts';

/** An entity of a set, and the runs whose changes its records do not have yet. */
export interface RecordsBefore {
  entity: string;
  /** Select of `id`, `connection_id` and `number` of the later runs, whose undo logs must all be kept. */
  runs: SQL;
  /** What is computed from each record and read with it. */
  derived?: DerivedRows | undefined;
}

/** A table with a row for each record of an entity, under the record's `user_id`, `connection_id` and `id`. */
export interface DerivedRows {
  table: string;
  /** Condition on its rows `d`: they are of this entity. */
  where: SQL;
  /** Returns the call that computes its row, or null, from the expression for a row of the undo log, `json`. */
  ofSaved(row: SQL): SQL;
}

/** Returns the name of the CTE of the records that later runs touched. */
const touchedOf = (entity: string): SQL => sql`${sql.identifier(`${tableNameOf(entity)} touched`)}`;

/** Builds the CTE of the records that later runs touched: with the first of these runs, and whether they existed before it. */
function touched({ userId }: RecordSet, { entity, runs }: RecordsBefore): SQL {
  return sql`${touchedOf(entity)} as materialized (
    select distinct on (v.connection_id, v.id) v.connection_id, v.id, v.sync_id, v.existed
    from (${runs}) s cross join lateral (
      select s.connection_id, u.id, u.sync_id, true as existed from record_undo u
      where u.user_id = ${userId} and u.sync_id = s.id
      union all
      select s.connection_id, e.id, s.id, false from record_added a cross join lateral unnest(a.external_ids) e(id)
      where a.user_id = ${userId} and a.sync_id = s.id
    ) v
    order by v.connection_id, v.id, s.number, v.existed desc
  )`;
}

/** Returns the condition that a row is of the set's accounts, and of a record that no later run touched. @param alias of the table */
function isUntouched(set: RecordSet, entity: string, alias: 'r' | 'd'): SQL {
  const row = sql.raw(alias);
  return sql`${row}.user_id = ${set.userId} and ${row}.connection_id = any(${connectionIdsOf(set)}) and not exists (
    select from ${touchedOf(entity)} k where k.connection_id = ${row}.connection_id and k.id = ${row}.id)`;
}

/** Returns the table expression of the saved rows of records that later runs touched, as `u.row`. */
function savedRows({ userId }: RecordSet, entity: string): SQL {
  // OFFSET 0 keeps the lookup of each pre-image by its key, also with outdated statistics.
  return sql`(select * from ${touchedOf(entity)} where existed) k cross join lateral (
    select u.row from record_undo u where u.user_id = ${userId} and u.sync_id = k.sync_id and u.id = k.id offset 0) u`;
}

/** Builds the CTE that has, under the name of the entity's table, its records as they were. */
function recordsBefore(set: RecordSet, entity: string): SQL {
  const table = tableOf({ entity });
  return sql`${table} as not materialized (
    select r.* from ${table} r where ${isUntouched(set, entity, 'r')}
    union all
    select p.* from ${savedRows(set, entity)} cross join lateral json_populate_record(null::${table}, u.row) p
  )`;
}

/** Builds the CTEs that have, under the name of a derived table, its rows as they were. Each is computed once in a statement. */
function derivedBefore(set: RecordSet, { entity, derived }: RecordsBefore): SQL[] {
  if (!derived) return [];
  const table = sql.identifier(derived.table);
  const computed = sql.identifier(`${derived.table} computed`);
  return [
    sql`${computed} as materialized (
      select d.* from ${savedRows(set, entity)} cross join lateral ${derived.ofSaved(sql`u.row`)} d where d.id is not null
    )`,
    sql`${table} as not materialized (
      select d.* from ${table} d where ${isUntouched(set, entity, 'd')} and ${derived.where}
      union all
      select * from ${computed}
    )`,
  ];
}

/**
 * Selects the number of records of a set's accounts before some runs as `count`, and how many of them these runs changed or
 * removed as `saved`; copies count as well.
 */
export function countRecordsBefore(set: RecordSet, before: RecordsBefore): SQL {
  return sql`with ${touched(set, before)} select (untouched + saved)::int as count, saved::int from (
    select (select count(*) from ${tableOf(before)} r where ${isUntouched(set, before.entity, 'r')}) as untouched,
      (select count(*) from ${touchedOf(before.entity)} where existed) as saved) counted`;
}

/**
 * Builds a statement in which the names of the entities' tables select the set's records as they were before some runs: those
 * that none of them touched, and the pre-images of the others. The names of derived tables select the rows of these records.
 */
export function withRecordsBefore(set: RecordSet, entities: readonly RecordsBefore[], select: SQL): SQL {
  const parts = entities.flatMap((one) => [
    touched(set, one),
    recordsBefore(set, one.entity),
    ...derivedBefore(set, one),
  ]);
  // A statement has one WITH clause; a subquery may have its own, and its order stays.
  return sql`with ${sql.join(parts, sql`, `)} select * from (${select}) s`;
}

/** Selects the number of pre-images that the later runs saved, as `count`, and of those of an older extraction, as `stale`. */
export function countPreImages(
  { userId }: Pick<RecordSet, 'userId'>,
  { runs }: Pick<RecordsBefore, 'runs'>,
  extraction: number,
): SQL {
  return sql`
    select count(*)::int as count, (count(*) filter (where u.extraction < ${extraction}))::int as stale
    from (${runs}) s join record_undo u on u.user_id = ${userId} and u.sync_id = s.id`;
}
