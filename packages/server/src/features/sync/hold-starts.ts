import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import type { RecordSource } from './storage/index.ts';

/**
 * Waits for a start of the entity that is under way, and holds others off until the transaction ends: two starts do not
 * overlap, and none begins at a cursor that is being deleted with its records.
 */
export async function holdStarts(tx: Queryable, source: Omit<RecordSource, 'userId'>): Promise<void> {
  const name = `${source.connectionId} ${source.entity}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`);
}
