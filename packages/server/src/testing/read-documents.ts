import { type SQL, sql } from 'drizzle-orm';
import {
  DocumentReader,
  overRecords,
  type RecordSource,
  type StoredDocument,
} from '../features/records/index.ts';
import type { Database } from '../platform/db/pool.ts';
import { RowBatch, RowParser } from '../platform/evaluation/rows.ts';

/** Documents of a source as an evaluation gets them. @param select of `stored` and `parts`, see `overRecords` */
export async function readDocuments(
  db: Database,
  source: RecordSource,
  select: SQL = sql`select stored, parts from r order by occurred_at`,
): Promise<unknown[]> {
  const { rows } = await db.execute<StoredDocument & Record<string, unknown>>(overRecords(source, select));
  const reader = new DocumentReader(
    async (statement) => (await db.execute<{ hash: string; text: string }>(statement)).rows,
    source,
  );
  const batch = new RowBatch();
  const parser = new RowParser();
  // In two goes, of which the second finds parts told by the first.
  for (const some of [rows.slice(0, rows.length / 2), rows.slice(rows.length / 2)]) {
    const { parts, documents } = await reader.read(some);
    for (const part of parts) batch.addPart(part);
    for (const one of documents) parser.add(batch.add(one.texts, one.parts) ?? Buffer.alloc(0));
  }
  parser.add(batch.take());
  return parser.rows;
}

/** The newest 1,000 documents of a source as the database puts them together. */
export async function newestDocuments(db: Database, source: RecordSource): Promise<unknown[]> {
  const select = sql`select document from r order by occurred_at desc, external_id desc limit 1000`;
  const { rows } = await db.execute<{ document: string }>(overRecords(source, select));
  return rows.map(({ document }) => JSON.parse(document));
}
