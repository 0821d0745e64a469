import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import { documentOf } from './shared-parts.ts';
import type { RecordSource } from './source.ts';

/**
 * A statement over the records of a source, which it sees as the relation `r` (external_id, occurred_at, facets, document,
 * data, stored, parts): `document` is the provider's JSON as text, `data` the same as json, `stored` and `parts` what
 * `DocumentReader` takes apart.
 * @param select the rest of the statement; names `r`, never the table
 */
export function overRecords(source: RecordSource, select: SQL): SQL {
  const document = documentOf();
  return sql`
    with r as not materialized (
      select external_id, occurred_at, facets, facets_version, ${document} as document, (${document})::json as data, data as stored, parts
      from records
      where user_id = ${source.userId} and connection_id = ${source.connectionId} and entity = ${source.entity}
    ) ${select}`;
}

/** The newest records among which examples are looked for. */
const EXAMPLE_CANDIDATES = 100;

/**
 * Examples of a source: of its newest records those whose facets have the most different values that are not empty or zero;
 * of these the newest. Facets are small, which documents need not be.
 */
export async function exampleRecords(
  db: Queryable,
  source: RecordSource,
  limit: number,
): Promise<{ results: unknown[]; count: number }> {
  const page = await db.execute<{ document: string }>(
    overRecords(
      source,
      sql`, newest as materialized (
        select external_id, occurred_at, facets from r order by occurred_at desc, external_id desc limit ${EXAMPLE_CANDIDATES}
      ), chosen as materialized (
        select external_id, row_number() over (order by (
          select count(distinct value) from jsonb_each_text(facets) where value not in ('', '0', 'false', '[]', '{}')
        ) desc, occurred_at desc, external_id desc) as place from newest order by place limit ${limit}
      )
      select document from chosen join r using (external_id) order by place`,
    ),
  );
  return { results: page.rows.map((row) => JSON.parse(row.document)), count: await countRecords(db, source) };
}

/** How many records a source has. */
export async function countRecords(db: Queryable, source: RecordSource): Promise<number> {
  const total = await db.execute<{ count: number }>(
    overRecords(source, sql`select count(*)::int as count from r`),
  );
  return total.rows[0]?.count ?? 0;
}

/** The version of a source's records: grows with each change; 0 before the first. */
export async function recordsVersion(db: Queryable, source: RecordSource): Promise<number> {
  const result = await db.execute<{ version: string }>(sql`
    select version from record_versions
    where user_id = ${source.userId} and connection_id = ${source.connectionId} and entity = ${source.entity}`);
  return Number(result.rows[0]?.version ?? 0);
}
