import { sql } from 'drizzle-orm';
import { type RecordSource, tableOf, withSourceRecords } from '../src/features/records/index.ts';
import type { Database } from '../src/platform/db/database.ts';

/** Reads the newest 1,000 documents of a source. */
export async function newestDocuments(db: Database, source: RecordSource): Promise<unknown[]> {
  const select = sql`select data from ${tableOf(source)} order by occurred_at desc, id desc limit 1000`;
  const { rows } = await db.execute<{ data: unknown }>(withSourceRecords(source, select));
  return rows.map(({ data }) => data);
}
