import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityDefinition } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { isRefusedData } from '../../platform/db/failures.ts';
import {
  type ExtractedRow,
  extractPreImages,
  extractStale,
  isStalePreImage,
  storeWithPreImages,
} from './extract.ts';
import { convertLegacy, deleteLegacyParts, hasLegacy } from './legacy.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import type { RecordSource } from './source.ts';

/*
 * A source is prepared when all its records are in the entity's table with columns of the current extraction version.
 * After an upgrade, a job prepares every source; `record_versions.extraction` shows which are done.
 */

/** Extracts the next records after an id again, with their pre-images. @returns the last id; undefined when none is left */
async function extractStep(
  db: Database,
  source: RecordSource,
  { entity, after }: { entity: EntityDefinition; after: string },
): Promise<string | undefined> {
  const rows = await extractStale(db, source, { entity, which: sql`r.id > ${after}` });
  await storeAccepted(db, source, { entity, rows });
  return rows.at(-1)?.id;
}

/** Stores extracted records. One that PostgreSQL refuses is stored without its columns. */
async function storeAccepted(
  db: Database,
  source: RecordSource,
  { entity, rows }: { entity: EntityDefinition; rows: readonly ExtractedRow[] },
): Promise<void> {
  const store = (part: readonly ExtractedRow[]) =>
    db.transaction((tx) => storeWithPreImages(tx, source, { entity, rows: part }));
  try {
    await store(rows);
  } catch (error) {
    if (!isRefusedData(error)) throw error;
    const [row] = rows;
    if (rows.length > 1) for (const one of rows) await storeAccepted(db, source, { entity, rows: [one] });
    else if (row) await store([{ ...row, columns: {} }]);
  }
}

/** Marks a source as prepared unless unprepared records are left. Bumps the data version to invalidate cached results. */
async function markPrepared(db: Queryable, entity: EntityDefinition, source: RecordSource): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    update record_versions v set extraction = ${entity.extraction}, version = v.version + 1
    where v.user_id = ${source.userId} and v.connection_id = ${source.connectionId} and v.entity = ${source.entity}
      and not exists (select from ${tableOf(source)} r where ${isRecordOf(source)} and r.extraction < ${entity.extraction})
      and not exists (select from record_undo u where ${isStalePreImage(source, entity)})
      and not ${hasLegacy(source)}`);
  return (rowCount ?? 0) > 0;
}

/** Lists the sources of an entity that are not prepared. */
async function unpreparedSources(db: Queryable, entity: EntityDefinition): Promise<RecordSource[]> {
  const { rows } = await db.execute<{ user_id: string; connection_id: string }>(sql`
    select user_id, connection_id from record_versions
    where entity = ${entity.id} and extraction < ${entity.extraction}`);
  return rows.map((row) => ({ userId: row.user_id, connectionId: row.connection_id, entity: entity.id }));
}

/** Time slice per source, ms. Sources are prepared round-robin, so that small ones do not wait for large ones. */
const SOURCE_TIME_SLICE_MS = 5000;

interface PreparedHandler {
  /** Called in the transaction that marks a source as prepared. */
  onPrepared: (tx: Queryable, source: RecordSource) => Promise<void>;
}

/** Prepares a source for one time slice. @returns whether it is fully prepared */
async function prepareFor(
  db: Database,
  { entity, source, onPrepared }: { entity: EntityDefinition; source: RecordSource } & PreparedHandler,
): Promise<boolean> {
  const deadline = performance.now() + SOURCE_TIME_SLICE_MS;
  // Starting after the last id avoids scanning records that are already done.
  let after: string | undefined = '';
  do {
    if (await convertLegacy(db, entity, source)) continue;
    if (after !== undefined) after = await extractStep(db, source, { entity, after });
    if (after !== undefined || (await extractPreImages(db, source, { entity }))) continue;
    const isDone = await db.transaction(async (tx) => {
      const isMarked = await markPrepared(tx, entity, source);
      if (isMarked) await onPrepared(tx, source);
      return isMarked;
    });
    if (isDone) await deleteLegacyParts(db, source);
    return isDone;
  } while (performance.now() < deadline);
  return false;
}

/** Pause between rounds, ms: another process may hold the last records of a source. */
const PAUSE_MS = 200;

export interface BackfillOptions extends Partial<PreparedHandler> {
  isStopped?: () => boolean;
  /** Called after each time slice of a source. */
  onProgress?: (source: RecordSource) => Promise<void>;
  /** Called when preparing a source fails. It is skipped until the next backfill. */
  onFailure?: (source: RecordSource, error: unknown) => void;
}

/**
 * Prepares all sources: moves records from the tables of older versions and extracts columns again. Each step is a
 * transaction, so a killed process loses nothing. A failing source does not block the others.
 */
export async function backfill(
  db: Database,
  entities: readonly EntityDefinition[],
  {
    isStopped = () => false,
    onProgress = async () => undefined,
    onFailure = () => undefined,
    onPrepared = async () => undefined,
  }: BackfillOptions = {},
): Promise<void> {
  const failed = new Set<string>();
  for (let hasMore = true; hasMore; await sleep(hasMore ? PAUSE_MS : 0)) {
    hasMore = false;
    for (const entity of entities)
      for (const source of await unpreparedSources(db, entity)) {
        if (isStopped()) return;
        const name = `${source.userId}/${source.connectionId}/${source.entity}`;
        if (failed.has(name)) continue;
        try {
          hasMore = !(await prepareFor(db, { entity, source, onPrepared })) || hasMore;
          await onProgress(source);
        } catch (error) {
          failed.add(name);
          onFailure(source, error);
        }
      }
  }
}
