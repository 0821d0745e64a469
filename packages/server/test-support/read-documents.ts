import { sql } from 'drizzle-orm';
import { isRecordOf, type RecordSource, tableOf } from '../src/features/records/index.ts';
import type { Database } from '../src/platform/db/database.ts';

/** Reads the newest 1,000 documents of a source. */
export async function newestDocuments(db: Database, source: RecordSource): Promise<unknown[]> {
  const { rows } = await db.execute<{ data: unknown }>(sql`
    select data from ${tableOf(source)} r where ${isRecordOf(source)} order by occurred_at desc, id desc limit 1000`);
  return rows.map(({ data }) => data);
}
