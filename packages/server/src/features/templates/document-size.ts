import { type SQL, sql } from 'drizzle-orm';
import { readBounded } from '../../platform/db/bounded-read.ts';
import type { Database } from '../../platform/db/database.ts';
import { isStatementTimeout } from '../../platform/db/failures.ts';
import { MAX_LOADED_BYTES } from '../../platform/evaluation/index.ts';
import { isRecordIn, orderedRecordsOf, type RecordSet, tableOf } from '../records/index.ts';
import { NO_NESTED_LOOPS, type PastRecords } from './as-of.ts';

/** Up to this many records are loaded without measuring: 64 KB each would still fit in memory. */
const MAX_UNMEASURED_RECORDS = 2000;
/** Number of newest records from which the size of a document is estimated. */
const SAMPLE_SIZE = 100;
/** Timeout for counting the documents that a condition selects, ms. */
const COUNT_TIMEOUT_MS = 5000;

/** Size of a set of documents. */
export interface Size {
  rows: number;
  bytes: number;
}

/** Cached sizes by row name and data version, because counting a million rows takes longer than a page. */
const sizes = new Map<string, Size>();
const MAX_CACHED_SIZES = 1000;

/** The part of the documents that a query reads. */
interface Selected {
  records: number;
  where: SQL | undefined;
  row: SQL;
  /** Where the documents are read as they were; absent: now. */
  past: Pick<PastRecords, 'within'> | undefined;
}

/**
 * Estimates the number and bytes of the documents that a query reads.
 * @param name cache key of the rows, including the data version
 */
export async function sizeOf(
  db: Database,
  set: RecordSet,
  { name, ...selected }: Selected & { name: string },
): Promise<Size | undefined> {
  if (selected.records <= MAX_UNMEASURED_RECORDS) return undefined;
  const known = sizes.get(name);
  if (known) return known;
  const size = await measureSize(db, set, selected);
  if (sizes.size >= MAX_CACHED_SIZES) sizes.delete(sizes.keys().next().value ?? '');
  sizes.set(name, size);
  return size;
}

async function measureSize(
  db: Database,
  set: RecordSet,
  { records, where, row, past }: Selected,
): Promise<Size> {
  const order = sql`occurred_at desc, id desc`;
  const sampled = await db.execute<{ bytes: number }>(sql`
    select coalesce(avg(octet_length(${row})), 0)::float8 as bytes
    from (select * from ${orderedRecordsOf(set, order)} order by ${order} limit ${SAMPLE_SIZE}) r`);
  const bytes = sampled.rows[0]?.bytes ?? 0;
  const all = { rows: records, bytes: records * bytes };
  if (where === undefined || all.bytes <= MAX_LOADED_BYTES) return all;
  try {
    const count = sql`select count(*)::int as rows from ${tableOf(set)} r where ${isRecordIn(set)} and ${where}`;
    const counted = await readBounded(db, COUNT_TIMEOUT_MS, async (tx) => {
      if (past) await tx.execute(sql.raw(NO_NESTED_LOOPS));
      return tx.execute<{ rows: number }>(past ? past.within(count) : count);
    });
    const rows = counted.rows[0]?.rows ?? 0;
    return { rows, bytes: rows * bytes };
  } catch (error) {
    if (isStatementTimeout(error)) return all;
    throw error;
  }
}
