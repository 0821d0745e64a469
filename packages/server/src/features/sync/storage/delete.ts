import { setTimeout as sleep } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../../../platform/db/pool.ts';
import { recordTables } from './record-table.ts';

/** Rows that the first statement deletes; further ones by how long it took. */
const FIRST_CHUNK = 200;
const SMALLEST_CHUNK = 50;
const LARGEST_CHUNK = 5000;
/** A statement should take about so long, ms: others wait for the disk and the processor in between. */
const CHUNK_MS = 25;
const LONGEST_REST_MS = 100;

/** Columns of a table's key behind the user, with their types. */
type Key = readonly (readonly [column: string, type: string])[];
interface KeyedTable {
  table: string;
  key: Key;
}
const CONNECTION = ['connection_id', 'uuid'] as const;
const ENTITY = ['entity', 'text'] as const;
const SYNC = ['sync_id', 'uuid'] as const;

/** Tables beside those of the entities. */
const SHARED_TABLES: readonly KeyedTable[] = [
  { table: 'record_undo', key: [SYNC, ['id', 'text']] },
  { table: 'record_added', key: [SYNC, ['place', 'bigint']] },
  {
    table: 'template_pages',
    key: [CONNECTION, ['template', 'text'], ['page', 'integer']],
  },
  { table: 'record_versions', key: [CONNECTION, ENTITY] },
];

/** Tables of earlier versions. They come first: rows that are moved out of them during the deletion are found in their new tables. */
const LEGACY_TABLES: readonly KeyedTable[] = [
  { table: 'legacy_records', key: [CONNECTION, ENTITY, ['external_id', 'text']] },
  { table: 'legacy_record_undo', key: [SYNC, ['external_id', 'text']] },
  { table: 'legacy_record_parts', key: [CONNECTION, ENTITY, ['hash', 'text']] },
];

/** Lists the tables with a connection's rows, in the order in which they are emptied. */
async function tablesInOrder(db: Database): Promise<KeyedTable[]> {
  const ofEntities = (await recordTables(db)).map(
    (table): KeyedTable => ({ table, key: [CONNECTION, ['id', 'text']] }),
  );
  return [...LEGACY_TABLES, ...ofEntities, ...SHARED_TABLES];
}

/** Whose rows go: of a connection, or all of an account. */
export interface DeletionTarget {
  accountId: string;
  connectionId: string | null;
}

/**
 * Deletes the next rows of a table behind a key. Going on behind the last key spares the search through what is deleted.
 * @returns the key of the last one; undefined when there are no more
 */
async function deleteChunk(
  db: Database,
  { accountId, connectionId }: DeletionTarget,
  { table, key, after, limit }: KeyedTable & { after: string[] | undefined; limit: number },
): Promise<string[] | undefined> {
  const columns = sql.raw(key.map(([column]) => column).join(', '));
  const texts = sql.raw(key.map(([column]) => `${column}::text`).join(', '));
  const values = after?.map((value, index) => sql`${value}::${sql.raw(key[index]?.[1] ?? 'text')}`);
  const behind = values ? sql` and (${columns}) > (${sql.join(values, sql`, `)})` : sql``;
  const within = connectionId === null ? sql`` : sql` and connection_id = ${connectionId}`;
  return db.transaction(async (tx) => {
    // Statistics lag behind a table that just grew: the planner would sort all of it for each chunk.
    await tx.execute(sql`
      select set_config(name, 'off', true) from unnest(array['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) name`);
    const { rows } = await tx.execute<{ key: string[] }>(sql`
    with chunk as materialized (
      select ctid as row, array[${texts}] as key, row_number() over (order by ${columns}) as place from ${sql.identifier(table)}
      where user_id = ${accountId}${within}${behind} order by ${columns} limit ${limit}
    ), gone as (
      delete from ${sql.identifier(table)} where user_id = ${accountId} and ctid = any(array(select row from chunk))
    )
    select key from chunk order by place desc limit 1`);
    return rows[0]?.key;
  });
}

/**
 * Deletes the records and undo logs of a connection, or of a whole account, in many small transactions. It rests as long
 * as each of them took, so that others find the database idle half of the time.
 * @param goOn called between them @returns false when `goOn` did: something is left
 */
export async function deleteRecords(
  db: Database,
  target: DeletionTarget,
  goOn: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  let limit = FIRST_CHUNK;
  for (const { table, key } of await tablesInOrder(db)) {
    let after: string[] | undefined;
    for (;;) {
      const begun = performance.now();
      after = await deleteChunk(db, target, { table, key, after, limit });
      if (!after) break;
      const took = performance.now() - begun;
      const wished = limit * Math.min(2, Math.max(0.5, CHUNK_MS / took));
      limit = Math.round(Math.min(LARGEST_CHUNK, Math.max(SMALLEST_CHUNK, wished)));
      await sleep(Math.min(took, LONGEST_REST_MS));
      if (!(await goOn())) return false;
    }
  }
  return true;
}

/** Forgets which ids runs have seen, but for the runs that `running` selects. */
export async function forgetSeenExcept(db: Queryable, running: SQL): Promise<void> {
  await db.execute(sql`delete from sync_seen where sync_id not in (${running})`);
}

/** Forgets what the runs of an account have seen. */
export async function forgetSeenOfAccount(db: Queryable, userId: string): Promise<void> {
  await db.execute(sql`delete from sync_seen where user_id = ${userId}`);
}
