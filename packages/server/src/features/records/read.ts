import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import type { RecordSource, StoredEntity } from './source.ts';

/**
 * Builds a statement in which the name of the entity's table selects only the source's rows.
 * @param select the rest of the statement, which uses that name
 * @param others entities of the same connection whose tables the statement reads, restricted likewise
 */
export function withSourceRecords(source: RecordSource, select: SQL, others: readonly string[] = []): SQL {
  const restricted = [source.entity, ...others].map((entity) => {
    const table = tableOf({ entity });
    return sql`${table} as not materialized (select * from ${table} r where ${isRecordOf(source)})`;
  });
  return sql`with ${sql.join(restricted, sql`, `)} ${select}`;
}

/** Number of newest records from which examples are chosen. */
const EXAMPLE_CANDIDATES = 100;

/**
 * Returns example records of a source: those of its newest records with the most distinct non-empty, non-zero column
 * values. Compares columns because they are small; documents may be large.
 */
export async function exampleRecords(
  db: Queryable,
  source: RecordSource,
  { entity, limit }: { entity: StoredEntity; limit: number },
): Promise<{ results: unknown[]; count: number }> {
  const columns = Object.entries(entity.table.columns)
    .filter(([, { maxLength }]) => maxLength === undefined)
    .map(([name]) => sql`r.${sql.identifier(name)}::text`);
  const table = tableOf(source);
  const page = await db.execute<{ data: unknown }>(
    withSourceRecords(
      source,
      sql`, newest as materialized (
        select id, occurred_at, array[${sql.join(columns, sql`, `)}] as found from ${table} r order by occurred_at desc, id desc limit ${EXAMPLE_CANDIDATES}
      ), chosen as materialized (
        select id, row_number() over (order by (
          select count(distinct value) from unnest(found) value where value not in ('', '0', 'false', '{}')
        ) desc, occurred_at desc, id desc) as example_rank from newest order by example_rank limit ${limit}
      )
      select data from chosen join ${table} r using (id) order by example_rank`,
    ),
  );
  const { records } = await dataVersion(db, source);
  return { results: page.rows.map(({ data }) => data), count: records };
}

/** The data version and record count of a source. */
export interface DataVersion {
  /** Incremented with every change of the records; 0 before the first. */
  version: number;
  records: number;
  /** The oldest extraction version among the records; undefined before the first record. */
  extraction: number | undefined;
}

/** Reads the data version and record count of a source. */
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
