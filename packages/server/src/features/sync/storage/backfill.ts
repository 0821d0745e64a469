import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityDefinition, JsonObject } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import type { Database, Queryable } from '../../../platform/db/pool.ts';
import { convertLegacy, deleteLegacyParts, hasLegacy } from './legacy.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import { rowOf } from './row.ts';
import type { RecordSource } from './source.ts';
import { STEP, stepOf } from './step.ts';
import { type ExtractedRow, storeExtracted } from './write.ts';

/*
 * A source is prepared when its records are in the entity's table, with columns of the present extraction. After an upgrade
 * a job prepares all of them; `record_versions.extraction` says which ones are.
 */

type StaleRow = { id: string; hash: string; happened: number; data: JsonObject; [column: string]: unknown };

/** Extracts columns again. A document that can no longer be read keeps no columns: nothing is concluded from them then. */
function extractAgain(entity: EntityDefinition, stale: StaleRow): ExtractedRow {
  const { id, hash: extractedFrom, data } = stale;
  const before = Object.fromEntries(Object.keys(entity.table.columns).map((name) => [name, stale[name]]));
  const record = { id, occurredAt: new Date(stale.happened), data, columns: {} };
  try {
    return { ...rowOf({ ...record, ...entity.convert(data, before) }, entity), extractedFrom };
  } catch {
    return { ...rowOf(record, entity), extractedFrom };
  }
}

/** Extracts the columns of the next records behind an id again. @returns the last id; undefined when none is left */
async function extractStep(
  db: Queryable,
  source: RecordSource,
  { entity, after }: { entity: EntityDefinition; after: string },
): Promise<string | undefined> {
  const step = stepOf(
    sql`select r.*, (extract(epoch from r.occurred_at) * 1000)::float8 as happened from ${tableOf(source)} r
      where ${isRecordOf(source)} and r.extraction < ${entity.extraction} and r.id > ${after} order by id limit ${STEP.records}`,
    { order: sql.raw('id'), size: sql.raw('octet_length(data::text)') },
  );
  const { rows } = await db.execute<StaleRow>(step);
  await storeExtracted(db, source, { entity, rows: rows.map((row) => extractAgain(entity, row)) });
  return rows.at(-1)?.id;
}

/** Marks a source as prepared, unless records are left. Its version grows: cached results are stale. */
async function markPrepared(db: Queryable, entity: EntityDefinition, source: RecordSource): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    update record_versions v set extraction = ${entity.extraction}, version = v.version + 1
    where v.user_id = ${source.userId} and v.connection_id = ${source.connectionId} and v.entity = ${source.entity}
      and not exists (select from ${tableOf(source)} r where ${isRecordOf(source)} and r.extraction < ${entity.extraction})
      and not ${hasLegacy('v')}`);
  return (rowCount ?? 0) > 0;
}

/** Sources that are not prepared. */
async function unpreparedSources(db: Queryable, entity: EntityDefinition): Promise<RecordSource[]> {
  const { rows } = await db.execute<{ user_id: string; connection_id: string }>(sql`
    select user_id, connection_id from record_versions
    where entity = ${entity.id} and extraction < ${entity.extraction}`);
  return rows.map((row) => ({ userId: row.user_id, connectionId: row.connection_id, entity: entity.id }));
}

/** Prepares a source for some time. @returns whether it is done */
async function prepareFor(
  db: Database,
  { entity, source, ms }: { entity: EntityDefinition; source: RecordSource; ms: number },
): Promise<boolean> {
  const end = performance.now() + ms;
  // Searching behind the last id spares passing over the records that are done.
  let after: string | undefined = '';
  do {
    if (await convertLegacy(db, entity, source)) continue;
    after = await extractStep(db, source, { entity, after });
    if (after !== undefined) continue;
    const isDone = await markPrepared(db, entity, source);
    if (isDone) await deleteLegacyParts(db, source);
    return isDone;
  } while (performance.now() < end);
  return false;
}

/** How long one source is prepared before the next one has its turn, so that small ones do not wait for large ones. */
const TURN_MS = 5000;
/** Another process may hold the last records of a source. */
const PAUSE_MS = 200;

export interface BackfillOptions {
  isStopped?: () => boolean;
  /** Called after each source's turn. */
  onProgress?: (source: RecordSource) => Promise<void>;
  /** Called when a source cannot be prepared: it is left for the next backfill. */
  onFailure?: (source: RecordSource, error: unknown) => void;
}

/**
 * Prepares all sources: moves records that an older version stored, and extracts columns again. Each step is a transaction
 * of its own: a killed process leaves the rest to the next one. A source that fails does not keep the others.
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
  for (let isLeft = true; isLeft; await sleep(isLeft ? PAUSE_MS : 0)) {
    isLeft = false;
    for (const entity of entities)
      for (const source of await unpreparedSources(db, entity)) {
        if (isStopped()) return;
        const name = `${source.userId}/${source.connectionId}/${source.entity}`;
        if (failed.has(name)) continue;
        try {
          isLeft = !(await prepareFor(db, { entity, source, ms: TURN_MS })) || isLeft;
          await onProgress(source);
        } catch (error) {
          failed.add(name);
          onFailure(source, error);
        }
      }
  }
}
