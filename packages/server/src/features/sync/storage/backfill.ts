import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityDefinition, JsonObject } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import { isRefusedData } from '../../../platform/db/failures.ts';
import type { Database, Queryable } from '../../../platform/db/pool.ts';
import { convertLegacy, deleteLegacyParts, hasLegacy } from './legacy.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import { rowOf } from './row.ts';
import type { RecordSource } from './source.ts';
import { limitStep, STEP_LIMITS } from './step.ts';
import { type ExtractedRow, storeExtracted } from './write.ts';

/*
 * A source is prepared when all its records are in the entity's table with columns of the current extraction version.
 * After an upgrade, a job prepares every source; `record_versions.extraction` shows which are done.
 */

type StaleRow = {
  id: string;
  hash: string;
  occurred_ms: number;
  data: JsonObject;
  [column: string]: unknown;
};

/**
 * Extracts the columns of a stored record again. Columns of an unreadable document become null, which templates and
 * filters treat as unknown.
 */
function extractAgain(entity: EntityDefinition, stale: StaleRow): ExtractedRow {
  const { id, hash: extractedFrom, data } = stale;
  const before = Object.fromEntries(Object.keys(entity.table.columns).map((name) => [name, stale[name]]));
  const record = { id, occurredAt: new Date(stale.occurred_ms), data, columns: {} };
  try {
    return { ...rowOf({ ...record, ...entity.convert(data, before) }, entity), extractedFrom };
  } catch {
    return { ...rowOf(record, entity), extractedFrom };
  }
}

/** Extracts the columns of the next records after an id again. @returns the last id; undefined when none is left */
async function extractStep(
  db: Queryable,
  source: RecordSource,
  { entity, after }: { entity: EntityDefinition; after: string },
): Promise<string | undefined> {
  const step = limitStep(
    sql`select r.*, (extract(epoch from r.occurred_at) * 1000)::float8 as occurred_ms from ${tableOf(source)} r
      where ${isRecordOf(source)} and r.extraction < ${entity.extraction} and r.id > ${after} order by id limit ${STEP_LIMITS.records}`,
    { order: sql.raw('id'), size: sql.raw('octet_length(data::text)') },
  );
  const { rows } = await db.execute<StaleRow>(step);
  await storeAccepted(db, source, { entity, rows: rows.map((row) => extractAgain(entity, row)) });
  return rows.at(-1)?.id;
}

/** Stores extracted records. One that PostgreSQL refuses is stored without its columns. */
async function storeAccepted(
  db: Queryable,
  source: RecordSource,
  { entity, rows }: { entity: EntityDefinition; rows: readonly ExtractedRow[] },
): Promise<void> {
  try {
    await storeExtracted(db, source, { entity, rows });
  } catch (error) {
    if (!isRefusedData(error)) throw error;
    const [row] = rows;
    if (rows.length > 1) for (const one of rows) await storeAccepted(db, source, { entity, rows: [one] });
    else if (row) await storeExtracted(db, source, { entity, rows: [{ ...row, columns: {} }] });
  }
}

/** Marks a source as prepared unless unprepared records are left. Bumps the data version to invalidate cached results. */
async function markPrepared(db: Queryable, entity: EntityDefinition, source: RecordSource): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    update record_versions v set extraction = ${entity.extraction}, version = v.version + 1
    where v.user_id = ${source.userId} and v.connection_id = ${source.connectionId} and v.entity = ${source.entity}
      and not exists (select from ${tableOf(source)} r where ${isRecordOf(source)} and r.extraction < ${entity.extraction})
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

/** Prepares a source for at most `ms` milliseconds. @returns whether it is fully prepared */
async function prepareFor(
  db: Database,
  { entity, source, ms }: { entity: EntityDefinition; source: RecordSource; ms: number },
): Promise<boolean> {
  const deadline = performance.now() + ms;
  // Starting after the last id avoids scanning records that are already done.
  let after: string | undefined = '';
  do {
    if (await convertLegacy(db, entity, source)) continue;
    after = await extractStep(db, source, { entity, after });
    if (after !== undefined) continue;
    const isDone = await markPrepared(db, entity, source);
    if (isDone) await deleteLegacyParts(db, source);
    return isDone;
  } while (performance.now() < deadline);
  return false;
}

/** Time slice per source, ms. Sources are prepared round-robin, so that small ones do not wait for large ones. */
const SOURCE_TIME_SLICE_MS = 5000;
/** Pause between rounds, ms: another process may hold the last records of a source. */
const PAUSE_MS = 200;

export interface BackfillOptions {
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
          hasMore = !(await prepareFor(db, { entity, source, ms: SOURCE_TIME_SLICE_MS })) || hasMore;
          await onProgress(source);
        } catch (error) {
          failed.add(name);
          onFailure(source, error);
        }
      }
  }
}
