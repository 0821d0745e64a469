import { type JsonObject, ProviderError } from '@datadeck/connectors';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import { jsonOfRows, jsonOfStoredRow, type Row, rowOf } from './row.ts';
import type { RecordSource, StoredEntity } from './source.ts';
import { limitStep, STEP_LIMITS } from './step.ts';
import { textArray } from './text-array.ts';

/*
 * Extracts stored records and their pre-images again after an upgrade. Both change together, because the history compares
 * their hashes.
 */

type StaleRow = {
  id: string;
  hash: string;
  _occurred_ms: number;
  data: JsonObject;
  [column: string]: unknown;
};

/** A re-extracted record with the hash of the document that it was extracted from. */
export interface ExtractedRow extends Row {
  extractedFrom: string;
}

/**
 * Extracts the columns of a stored record again. Columns of an unreadable document become null, which templates and
 * filters treat as unknown.
 * @throws ProviderError `unavailable` if it cannot be extracted now
 */
async function extractAgain(entity: StoredEntity, stale: StaleRow): Promise<ExtractedRow> {
  const { id, hash: extractedFrom, data } = stale;
  const before = Object.fromEntries(Object.keys(entity.table.columns).map((name) => [name, stale[name]]));
  const record = { id, occurredAt: new Date(stale._occurred_ms), data, columns: {} };
  try {
    return { ...rowOf({ ...record, ...(await entity.convert(data, before)) }, entity), extractedFrom };
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'unavailable') throw error;
    return { ...rowOf(record, entity), extractedFrom };
  }
}

/** Extracts the next records of an older extraction again, without storing them. @param which condition on `r` */
export async function extractStale(
  db: Queryable,
  source: RecordSource,
  { entity, which }: { entity: StoredEntity; which: SQL },
): Promise<ExtractedRow[]> {
  const step = limitStep(
    sql`select r.*, (extract(epoch from r.occurred_at) * 1000)::float8 as _occurred_ms from ${tableOf(source)} r
      where ${isRecordOf(source)} and r.extraction < ${entity.extraction} and ${which} order by id limit ${STEP_LIMITS.records}`,
    { order: sql.raw('id'), size: sql.raw('octet_length(data::text)') },
  );
  const { rows } = await db.execute<StaleRow>(step);
  return Promise.all(rows.map((row) => extractAgain(entity, row)));
}

/** Builds the SET list of an update from rows `i`: all declared columns, the document and its extraction version. */
export function contentAssignments({ table, extraction }: StoredEntity): SQL {
  const columns = ['occurred_at', 'hash', 'data', ...Object.keys(table.columns)];
  const sets = columns.map((name) => sql`${sql.identifier(name)} = i.${sql.identifier(name)}`);
  return sql`${sql.join(sets, sql`, `)}, extraction = ${extraction}`;
}

/** Stores re-extracted records, except those whose document has changed since. This does not count as a change by a run. */
export async function storeExtracted(
  db: Queryable,
  source: RecordSource,
  { entity, rows }: { entity: StoredEntity; rows: readonly ExtractedRow[] },
): Promise<void> {
  if (rows.length === 0) return;
  const table = tableOf(source);
  await db.execute(sql`
    update ${table} r set ${contentAssignments(entity)}
    from json_populate_recordset(null::${table}, ${jsonOfRows(rows)}::json) i
    join unnest(${textArray(rows.map(({ id }) => id))}, ${textArray(rows.map((row) => row.extractedFrom))}) f(id, hash) on f.id = i.id
    where ${isRecordOf(source)} and r.id = i.id and r.hash = f.hash`);
}

/** Stores re-extracted records and extracts their pre-images again. @param tx a transaction, so that no history differs */
export async function storeWithPreImages(
  tx: Queryable,
  source: RecordSource,
  { entity, rows }: { entity: StoredEntity; rows: readonly ExtractedRow[] },
): Promise<void> {
  if (rows.length === 0) return;
  await storeExtracted(tx, source, { entity, rows });
  const ids = rows.map(({ id }) => id);
  while (await extractPreImages(tx, source, { entity, ids }));
}

type StalePreImage = {
  sync_id: string;
  id: string;
  hash: string;
  created_sync: string;
  changed_sync: string;
  row: StaleRow & { occurred_at: string; scopes: string[] };
};

/** Returns the condition that the pre-image `u` is of the source and of an older extraction. */
export function isStalePreImage(
  { userId, connectionId, entity: name }: RecordSource,
  { extraction }: StoredEntity,
): SQL {
  return sql`u.user_id = ${userId} and u.connection_id = ${connectionId} and u.entity = ${name} and u.extraction < ${extraction}`;
}

/**
 * Extracts the next pre-images of a source again, of all records or of some. It changes what an undo restores, and what the
 * history compares with. @returns false if none was left
 */
export async function extractPreImages(
  db: Queryable,
  source: RecordSource,
  { entity, ids }: { entity: StoredEntity; ids?: readonly string[] },
): Promise<boolean> {
  const { userId, connectionId } = source;
  // With the runs, the primary key finds the records.
  const only =
    ids &&
    sql` and u.id = any(${textArray(ids)}) and u.sync_id = any(array(
      select s.id from syncs s where s.user_id = ${userId} and s.connection_id = ${connectionId} and s.entity = ${source.entity}))`;
  const step = limitStep(
    sql`select u.sync_id, u.id, u.hash, u.created_sync, u.changed_sync, u.row from record_undo u
      where ${isStalePreImage(source, entity)}${only ?? sql``} order by u.sync_id, u.id limit ${STEP_LIMITS.records}`,
    { order: sql.raw('sync_id, id'), size: sql.raw('octet_length(row::text)') },
  );
  const { rows: stale } = await db.execute<StalePreImage>(step);
  if (stale.length === 0) return false;
  const extracted = await Promise.all(
    stale.map(async ({ row, ...log }) => {
      const again = await extractAgain(entity, { ...row, _occurred_ms: Date.parse(row.occurred_at) });
      const origin = { createdSync: log.created_sync, changedSync: log.changed_sync };
      const json = jsonOfStoredRow(again, entity, { ...source, ...origin, scopes: row.scopes });
      return { ...log, hash: again.hash, json };
    }),
  );
  await db.execute(sql`
    update record_undo u set row = n.row::json, hash = n.hash, extraction = ${entity.extraction}
    from unnest(${textArray(extracted.map((one) => one.sync_id))}::uuid[], ${textArray(extracted.map(({ id }) => id))},
      ${textArray(extracted.map(({ hash }) => hash))}, ${textArray(extracted.map(({ json }) => json))}) n(sync_id, id, hash, row)
    where u.user_id = ${userId} and u.sync_id = n.sync_id and u.id = n.id`);
  return true;
}
