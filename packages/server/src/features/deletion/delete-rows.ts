import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/database.ts';
import { recordTables } from '../records/index.ts';

/** Rows deleted by the first statement. Later statements adapt to the measured time. */
const INITIAL_CHUNK_ROWS = 200;
const MIN_CHUNK_ROWS = 50;
const MAX_CHUNK_ROWS = 5000;
/** Target duration of one statement, ms. Short statements leave the disk and processor to others. */
const TARGET_CHUNK_MS = 25;
const MAX_PAUSE_MS = 100;

/** Key columns of a table after `user_id`, with their types. */
type Key = readonly (readonly [column: string, type: string])[];
interface KeyedTable {
  table: string;
  key: Key;
  /** True if rows are of several connections: all of the user are deleted with the data of one. */
  isShared?: true;
}
const CONNECTION = ['connection_id', 'uuid'] as const;
const ENTITY = ['entity', 'text'] as const;
const SYNC = ['sync_id', 'uuid'] as const;

/** Tables that all entities share. */
const SHARED_TABLES: readonly KeyedTable[] = [
  { table: 'record_undo', key: [SYNC, ['id', 'text']] },
  { table: 'record_added', key: [SYNC, ['place', 'bigint']] },
  {
    table: 'template_pages',
    key: [
      ['accounts', 'text'],
      ['template', 'text'],
      ['page', 'integer'],
    ],
    isShared: true,
  },
  { table: 'record_versions', key: [CONNECTION, ENTITY] },
  // Triggers delete entries with their records; these tables also hold what belongs to a source as a whole.
  { table: 'search_entries', key: [CONNECTION, ENTITY, ['id', 'text']] },
  { table: 'search_values', key: [CONNECTION, ENTITY, ['operator', 'text'], ['value', 'text']] },
  { table: 'search_pending', key: [CONNECTION, ENTITY] },
];

/**
 * Tables of earlier versions. Deleted first: rows that the backfill moves during the deletion are then found in their
 * new tables.
 */
const LEGACY_TABLES: readonly KeyedTable[] = [
  { table: 'legacy_records', key: [CONNECTION, ENTITY, ['external_id', 'text']] },
  { table: 'legacy_record_undo', key: [SYNC, ['external_id', 'text']] },
  { table: 'legacy_record_parts', key: [CONNECTION, ENTITY, ['hash', 'text']] },
];

/** Lists the tables that hold a connection's rows, in deletion order. */
async function tablesInOrder(db: Database): Promise<KeyedTable[]> {
  const entityTables = (await recordTables(db)).map(
    (table): KeyedTable => ({ table, key: [CONNECTION, ['id', 'text']] }),
  );
  return [...LEGACY_TABLES, ...entityTables, ...SHARED_TABLES];
}

/** What is deleted: one connection, or (`connectionId` null) a whole account. */
export interface DeletionTarget {
  accountId: string;
  connectionId: string | null;
}

/**
 * Deletes the next rows of a table in key order. Starting after the last key skips index entries of rows that are
 * already deleted.
 * @returns the last deleted key; undefined when no rows are left
 */
async function deleteChunk(
  db: Database,
  { accountId, connectionId }: DeletionTarget,
  { table, key, isShared, after, limit }: KeyedTable & { after: string[] | undefined; limit: number },
): Promise<string[] | undefined> {
  const columns = sql.raw(key.map(([column]) => column).join(', '));
  const texts = sql.raw(key.map(([column]) => `${column}::text`).join(', '));
  const values = after?.map((value, index) => sql`${value}::${sql.raw(key[index]?.[1] ?? 'text')}`);
  const afterKey = values ? sql` and (${columns}) > (${sql.join(values, sql`, `)})` : sql``;
  const within = connectionId === null || isShared ? sql`` : sql` and connection_id = ${connectionId}`;
  return db.transaction(async (tx) => {
    // Statistics of a table that just grew are outdated: the planner would sort the whole table for each chunk. The cost of
    // the last sort, which has no alternative, would have the statement compiled each time.
    await tx.execute(sql`
      select set_config(name, 'off', true) from unnest(array['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'jit']) name`);
    const { rows } = await tx.execute<{ key: string[] }>(sql`
    with chunk as materialized (
      select ctid as row, array[${texts}] as key, row_number() over (order by ${columns}) as chunk_row from ${sql.identifier(table)}
      where user_id = ${accountId}${within}${afterKey} order by ${columns} limit ${limit}
    ), gone as (
      delete from ${sql.identifier(table)} where user_id = ${accountId} and ctid = any(array(select row from chunk))
    )
    select key from chunk order by chunk_row desc limit 1`);
    return rows[0]?.key;
  });
}

/**
 * Deletes the records and undo logs of a connection, or of a whole account, in many small transactions. Pauses after
 * each one for as long as it took, so that the database is idle half of the time.
 * @param shouldContinue called between transactions
 * @returns false when `shouldContinue` returned false and rows are left
 */
export async function deleteRecords(
  db: Database,
  target: DeletionTarget,
  shouldContinue: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  let limit = INITIAL_CHUNK_ROWS;
  for (const table of await tablesInOrder(db)) {
    let after: string[] | undefined;
    for (;;) {
      const startedAt = performance.now();
      after = await deleteChunk(db, target, { ...table, after, limit });
      if (!after) break;
      const took = performance.now() - startedAt;
      const wantedRows = limit * Math.min(2, Math.max(0.5, TARGET_CHUNK_MS / took));
      limit = Math.round(Math.min(MAX_CHUNK_ROWS, Math.max(MIN_CHUNK_ROWS, wantedRows)));
      await sleep(Math.min(took, MAX_PAUSE_MS));
      if (!(await shouldContinue())) return false;
    }
  }
  return true;
}
