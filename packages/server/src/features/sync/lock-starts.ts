import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { RecordSource } from '../records/index.ts';

/**
 * Takes an advisory lock on starts of the entity until the transaction ends. Two starts never overlap, and no start
 * uses a cursor that is being deleted together with its records.
 */
export async function lockStarts(tx: Queryable, source: Omit<RecordSource, 'userId'>): Promise<void> {
  const name = `${source.connectionId} ${source.entity}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`);
}
