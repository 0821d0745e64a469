import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { OpenRecords } from './open-records.ts';
import { documentOf, matchesKey, orderedRecordsOf } from './record-set.ts';
import { tableOf } from './record-table.ts';
import type { StoredEntity } from './source.ts';

/** Number of newest records from which examples are chosen. */
const EXAMPLE_CANDIDATES = 100;

/**
 * Returns example records of a set: those of its newest records with the most distinct non-empty, non-zero column
 * values. Compares columns because they are small; documents may be large.
 */
export async function exampleRecords(
  db: Queryable,
  { set, records }: OpenRecords,
  { entity, limit }: { entity: StoredEntity; limit: number },
): Promise<{ results: unknown[]; count: number }> {
  const columns = Object.entries(entity.table.columns)
    .filter(([, { maxLength }]) => maxLength === undefined)
    .map(([name]) => sql`r.${sql.identifier(name)}::text`);
  const order = sql`occurred_at desc, id desc`;
  const page = await db.execute<{ data: unknown }>(sql`
    with newest as materialized (
      select connection_id, id, occurred_at, array[${sql.join(columns, sql`, `)}] as found
      from ${orderedRecordsOf(set, order)} order by ${order} limit ${EXAMPLE_CANDIDATES}
    ), chosen as materialized (
      select connection_id, id, row_number() over (order by (
        select count(distinct value) from unnest(found) value where value not in ('', '0', 'false', '{}')
      ) desc, occurred_at desc, id desc) as example_rank from newest order by example_rank limit ${limit}
    )
    select ${documentOf(set)}::json as data from chosen k
    join ${tableOf(set)} r on ${matchesKey(set)}
    order by example_rank`);
  return { results: page.rows.map(({ data }) => data), count: records };
}
