import {
  type ConvertedRecord,
  type EntityDefinition,
  type JsonObject,
  ProviderError,
} from '@datadeck/connectors';
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { isRefusedData } from '../../platform/db/failures.ts';
import { tableOf } from './record-table.ts';
import { jsonOfStoredRow, rowOf } from './row.ts';
import type { RecordSource } from './source.ts';
import { limitStep, STEP_LIMITS } from './step.ts';
import { textArray } from './text-array.ts';
import { bumpVersion } from './write.ts';

/*
 * Reads records in the format of versions before 0.2: one table for all entities, template values in `facets`, and
 * document parts shared by several records in a separate table.
 */

type LegacyRow = {
  external_id: string;
  sync_id?: string;
  scopes: string[];
  /** Milliseconds since 1970. */
  occurred_ms: number;
  facets: Record<string, unknown>;
  document: string;
  created_sync: string;
  changed_sync: string;
};

/** Returns the condition that selects the source's legacy rows. */
function legacyOf({ userId, connectionId, entity }: RecordSource): SQL {
  return sql`user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity}`;
}

/**
 * Returns the condition that the source still has legacy rows. Until they are moved, nothing may be written or undone.
 * @param source a source, or the user of the row of `syncs` that the statement reads
 */
export function hasLegacy(source: RecordSource | { syncOf: string }): SQL {
  const of =
    'syncOf' in source
      ? sql`user_id = ${source.syncOf} and (connection_id, entity) = (syncs.connection_id, syncs.entity)`
      : legacyOf(source);
  return sql`(exists (select from legacy_records where ${of}) or exists (select from legacy_record_undo where ${of}))`;
}

/**
 * Converts a document. An unreadable one is kept as `{ unreadable }`, one that cannot be converted is kept unchanged;
 * both have no columns.
 * @throws ProviderError `unavailable` if it cannot be converted now
 */
async function convertDocument(
  entity: EntityDefinition,
  { document, facets }: LegacyRow,
): Promise<ConvertedRecord> {
  let data: JsonObject = { unreadable: document };
  try {
    data = JSON.parse(document) as JsonObject;
    return await entity.convert(data, facets);
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'unavailable') throw error;
    return { data, columns: {} };
  }
}

/** Converts a legacy row to a row of the entity's table, as JSON. @param isBare whether its columns stay empty */
async function convertRow(
  legacy: LegacyRow,
  { entity, source, isBare }: { entity: EntityDefinition; source: RecordSource; isBare: boolean },
): Promise<string> {
  const record = {
    id: legacy.external_id,
    occurredAt: new Date(legacy.occurred_ms),
    ...(await convertDocument(entity, legacy)),
    ...(isBare && { columns: {} }),
  };
  const runs = { createdSync: legacy.created_sync, changedSync: legacy.changed_sync };
  return jsonOfStoredRow(rowOf(record, entity), entity, { ...source, scopes: legacy.scopes, ...runs });
}

/** Deletes and returns the next rows of a legacy table, skipping rows that another process has locked. */
async function takeStep(tx: Queryable, table: 'legacy_records' | 'legacy_record_undo', source: RecordSource) {
  const name = sql.identifier(table);
  const order = sql.raw(table === 'legacy_records' ? 'external_id' : 'sync_id, external_id');
  const next = sql`
    select ctid as at, (extract(epoch from occurred_at) * 1000)::float8 as occurred_ms, * from ${name}
    where ${legacyOf(source)} order by ${order} limit ${STEP_LIMITS.records} for update skip locked`;
  const { rows } = await tx.execute<LegacyRow>(sql`
    with step as materialized (${limitStep(next, { order, size: sql.raw('octet_length(data)') })}
    ), gone as (
      delete from ${name} where user_id = ${source.userId} and ctid = any(array(select at from step))
    )
    select s.*, case when s.parts is null then s.data
      else whole_document(s.user_id, s.connection_id, s.entity, s.data, s.parts) end as document
    from step s`);
  return rows;
}

/** Stores converted rows. One that PostgreSQL refuses is stored without its columns. @returns the number of new rows */
async function storeRows(
  tx: Queryable & Pick<Database, 'transaction'>,
  rows: readonly LegacyRow[],
  insert: (tx: Queryable, rows: readonly LegacyRow[], isBare: boolean) => Promise<number>,
): Promise<number> {
  try {
    return await tx.transaction((inner) => insert(inner, rows, false));
  } catch (error) {
    if (!isRefusedData(error)) throw error;
  }
  if (rows.length === 1) return insert(tx, rows, true);
  let count = 0;
  for (const row of rows) count += await storeRows(tx, [row], insert);
  return count;
}

/** Moves the next legacy rows of a source in one transaction. @returns false when none are left */
export async function convertLegacy(
  db: Database,
  entity: EntityDefinition,
  source: RecordSource,
): Promise<boolean> {
  const toJson = (rows: readonly LegacyRow[], isBare: boolean) =>
    Promise.all(rows.map((row) => convertRow(row, { entity, source, isBare })));
  const insertRecords = async (tx: Queryable, rows: readonly LegacyRow[], isBare: boolean) => {
    const table = tableOf(source);
    const texts = `[${(await toJson(rows, isBare)).join(',')}]`;
    const { rowCount } = await tx.execute(sql`
      insert into ${table} select p.* from json_populate_recordset(null::${table}, ${texts}::json) p on conflict do nothing`);
    return rowCount ?? 0;
  };
  const insertUndo = async (tx: Queryable, rows: readonly LegacyRow[], isBare: boolean) => {
    const texts = await toJson(rows, isBare);
    const { rowCount } = await tx.execute(sql`
      insert into record_undo (user_id, sync_id, entity, id, connection_id, row, hash, created_sync, changed_sync, extraction)
      select ${source.userId}, sync_id, ${source.entity}, id, ${source.connectionId}, row, row->>'hash',
        (row->>'created_sync')::uuid, (row->>'changed_sync')::uuid, ${entity.extraction}
      from unnest(${textArray(rows.map((row) => row.sync_id ?? ''))}::uuid[], ${textArray(rows.map((row) => row.external_id))},
        ${textArray(texts)}::json[]) u(sync_id, id, row)
      on conflict do nothing`);
    return rowCount ?? 0;
  };
  return db.transaction(async (tx) => {
    const records = await takeStep(tx, 'legacy_records', source);
    if (records.length > 0) {
      await bumpVersion(tx, source, { added: await storeRows(tx, records, insertRecords) });
      return true;
    }
    const undo = await takeStep(tx, 'legacy_record_undo', source);
    if (undo.length > 0) await storeRows(tx, undo, insertUndo);
    return undo.length > 0;
  });
}

/** Deletes the source's shared document parts, which no row refers to any more. */
export async function deleteLegacyParts(db: Queryable, source: RecordSource): Promise<void> {
  await db.execute(sql`delete from legacy_record_parts where ${legacyOf(source)}`);
}
