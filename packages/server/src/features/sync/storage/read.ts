import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../platform/db/pool.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import type { RecordSource, StoredEntity } from './source.ts';

/**
 * A statement that sees the source's rows alone under the name of the entity's table.
 * @param select the rest of the statement, which names the table
 */
export function overRecords(source: RecordSource, select: SQL): SQL {
  const table = tableOf(source);
  return sql`with ${table} as not materialized (select * from ${table} r where ${isRecordOf(source)}) ${select}`;
}

/** The newest records among which examples are looked for. */
const EXAMPLE_CANDIDATES = 100;

/**
 * Returns examples of a source: of its newest records those with the most different values in their columns that are not
 * empty or zero; of these the newest. Columns are small, which documents need not be.
 */
export async function exampleRecords(
  db: Queryable,
  source: RecordSource,
  { entity, limit }: { entity: StoredEntity; limit: number },
): Promise<{ results: unknown[]; count: number }> {
  const columns = Object.keys(entity.table.columns).map((name) => sql`r.${sql.identifier(name)}::text`);
  const table = tableOf(source);
  const page = await db.execute<{ data: unknown }>(
    overRecords(
      source,
      sql`, newest as materialized (
        select id, occurred_at, array[${sql.join(columns, sql`, `)}] as found from ${table} r order by occurred_at desc, id desc limit ${EXAMPLE_CANDIDATES}
      ), chosen as materialized (
        select id, row_number() over (order by (
          select count(distinct value) from unnest(found) value where value not in ('', '0', 'false', '{}')
        ) desc, occurred_at desc, id desc) as place from newest order by place limit ${limit}
      )
      select data from chosen join ${table} r using (id) order by place`,
    ),
  );
  const { records } = await dataVersion(db, source);
  return { results: page.rows.map(({ data }) => data), count: records };
}

/** Version and number of a source's records. */
export interface DataVersion {
  /** Grows with each change; 0 before the first. */
  version: number;
  records: number;
  /** Version of the extraction that no record is older than; undefined before the first record. */
  extraction: number | undefined;
}

/** Reads the version and the number of a source's records. */
export async function dataVersion(db: Queryable, source: RecordSource): Promise<DataVersion> {
  const { rows } = await db.execute<{ version: string; records: string; extraction: number }>(sql`
    select version, records, extraction from record_versions
    where user_id = ${source.userId} and connection_id = ${source.connectionId} and entity = ${source.entity}`);
  const [row] = rows;
  return {
    version: Number(row?.version ?? 0),
    records: Number(row?.records ?? 0),
    extraction: row?.extraction,
  };
}
