import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { RecordSource } from './source.ts';

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
