import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type DataVersion, dataVersion } from './read.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import type { RecordSource, StoredEntity } from './source.ts';

/** How long a query waits for the backfill of its records, and how often it checks, ms. */
const PREPARE_TIMEOUT_MS = 10_000;
const POLL_MS = 200;

/** Counts the records of a source that the backfill has not prepared yet. */
export async function countUnprepared(
  db: Queryable,
  source: RecordSource,
  { extraction }: Pick<StoredEntity, 'extraction'>,
): Promise<number> {
  const { userId, connectionId, entity } = source;
  const { rows } = await db.execute<{ count: number }>(sql`
    select ((select count(*) from legacy_records where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity})
      + (select count(*) from ${tableOf(source)} r where ${isRecordOf(source)} and r.extraction < ${extraction}))::int as count`);
  return rows[0]?.count ?? 0;
}

/** The extraction version and the number of records of a source. */
export interface SourceState {
  connectionId: string;
  entity: string;
  extraction: number;
  records: number;
}

/** Reads the states of a user's sources. */
export async function sourceStates(db: Queryable, userId: string): Promise<SourceState[]> {
  const { rows } = await db.execute<Omit<SourceState, 'connectionId'> & { connection_id: string }>(
    sql`select connection_id, entity, extraction, records::float8 as records from record_versions where user_id = ${userId}`,
  );
  return rows.map(({ connection_id: connectionId, ...state }) => ({ connectionId, ...state }));
}

/**
 * Throws an error with the number of unprepared records. Queries over partly prepared records would return wrong
 * results.
 */
async function throwUnprepared(db: Queryable, source: RecordSource, entity: StoredEntity): Promise<never> {
  const remaining = (await countUnprepared(db, source, entity)).toLocaleString('en');
  throw new AppError(
    'unavailable',
    `Your records are being converted after an upgrade, ${remaining} are left. Nothing is lost; try again in a minute.`,
  );
}

function isPrepared({ extraction }: DataVersion, entity: StoredEntity): boolean {
  return extraction === undefined || extraction >= entity.extraction;
}

/**
 * Returns the data version of a source, waiting up to `timeoutMs` until the backfill has prepared it (see
 * `backfill.ts`).
 * @throws AppError unavailable when the timeout elapses
 */
export async function requirePrepared(
  db: Queryable,
  source: RecordSource,
  { entity, timeoutMs = PREPARE_TIMEOUT_MS }: { entity: StoredEntity; timeoutMs?: number },
): Promise<DataVersion> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await dataVersion(db, source);
    if (isPrepared(found, entity)) return found;
    if (performance.now() >= deadline) return throwUnprepared(db, source, entity);
    await sleep(POLL_MS);
  }
}
