import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { requirePrepared } from './prepared.ts';
import { connectionIdsOf, type RecordSet } from './record-set.ts';
import { tableOf } from './record-table.ts';
import type { StoredEntity } from './source.ts';

/** A set of records of one data version. */
export interface OpenRecords {
  set: RecordSet;
  /** The sum of the data versions of the accounts; 0 before the first record. */
  version: number;
  /** Number of shown records: a record in several accounts counts once. */
  records: number;
}

/** Further copies of records by set and data version, because counting them reads all ids. */
const copies = new Map<string, number>();
const MAX_CACHED = 1000;

/** Counts the records that another account of the set has, too, without the first copy of each. */
async function countCopies(db: Queryable, set: RecordSet, version: number): Promise<number> {
  const key = `${set.userId}/${set.entity}/${set.key}@${version}`;
  const known = copies.get(key);
  if (known !== undefined) return known;
  const { rows } = await db.execute<{ count: number }>(sql`
    select coalesce(sum(copies - 1), 0)::int as count from (
      select count(*) as copies from ${tableOf(set)} r
      where r.user_id = ${set.userId} and r.connection_id = any(${connectionIdsOf(set)}) group by r.id having count(*) > 1
    ) copied`);
  if (copies.size >= MAX_CACHED) copies.delete(copies.keys().next().value ?? '');
  const count = rows[0]?.count ?? 0;
  copies.set(key, count);
  return count;
}

/**
 * Opens a set of records: waits until the backfill has prepared all of them, and finds out whether accounts share records.
 * @throws AppError unavailable when the backfill takes too long
 */
export async function openRecords(
  db: Queryable,
  set: RecordSet,
  { entity, timeoutMs }: { entity: StoredEntity; timeoutMs?: number },
): Promise<OpenRecords> {
  let [version, records] = [0, 0];
  for (const { connectionId } of set.accounts) {
    const source = { userId: set.userId, connectionId, entity: set.entity };
    const found = await requirePrepared(db, source, {
      entity,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    version += found.version;
    records += found.records;
  }
  if (!set.mayHaveCopies) return { set, version, records };
  const count = await countCopies(db, set, version);
  return { set: { ...set, mayHaveCopies: count > 0 }, version, records: records - count };
}
