import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { AppError } from '../../../platform/app-error.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import { type DataVersion, dataVersion } from './read.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import type { RecordSource, StoredEntity } from './source.ts';

/** How long a query waits for the backfill of its records, ms, and how often it looks. */
const PREPARED_WITHIN_MS = 10_000;
const LOOK_MS = 200;

/** Counts the records of a source that the backfill has still to prepare. */
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

/** Reads by which extraction a user's sources are prepared. */
export async function extractionsOf(
  db: Queryable,
  userId: string,
): Promise<{ connectionId: string; entity: string; extraction: number }[]> {
  const { rows } = await db.execute<{ connection_id: string; entity: string; extraction: number }>(
    sql`select connection_id, entity, extraction from record_versions where user_id = ${userId}`,
  );
  return rows.map(({ connection_id: connectionId, entity, extraction }) => ({
    connectionId,
    entity,
    extraction,
  }));
}

/** Fails for records that are not prepared: an answer from some of them would be wrong. */
async function refuse(db: Queryable, source: RecordSource, entity: StoredEntity): Promise<never> {
  const left = (await countUnprepared(db, source, entity)).toLocaleString('en');
  throw new AppError(
    'unavailable',
    `Your records are being converted after an upgrade, ${left} are left. Nothing is lost; try again in a minute.`,
  );
}

function isPrepared({ extraction }: DataVersion, entity: StoredEntity): boolean {
  return extraction === undefined || extraction >= entity.extraction;
}

/**
 * Reads the version of a source whose records are prepared (see `backfill.ts`), waiting for that some seconds.
 * @throws AppError unavailable
 */
export async function requirePrepared(
  db: Queryable,
  source: RecordSource,
  { entity, withinMs = PREPARED_WITHIN_MS }: { entity: StoredEntity; withinMs?: number },
): Promise<DataVersion> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await dataVersion(db, source);
    if (isPrepared(found, entity)) return found;
    if (performance.now() >= end) return refuse(db, source, entity);
    await sleep(LOOK_MS);
  }
}
