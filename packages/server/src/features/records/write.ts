import type { ConnectorRecord } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import { CopyRows } from '../../platform/db/copy.ts';
import type { BulkTransaction, Queryable } from '../../platform/db/database.ts';
import {
  contentAssignments,
  type ExtractedRow,
  extractStale,
  storeExtracted,
  storeWithPreImages,
} from './extract.ts';
import { savePreImages } from './pre-images.ts';
import { isRecordOf, tableNameOf, tableOf } from './record-table.ts';
import { copiedBytes, copiedColumns, copyRow, jsonOfRows, type Row, rowsOf } from './row.ts';
import type { RecordSource, StoredEntity, WriteTarget } from './source.ts';
import { textArray } from './text-array.ts';

export interface WriteCounts {
  added: number;
  updated: number;
  unchanged: number;
}

/** The stored state of one record id. */
type StoredState = {
  id: string;
  /** Null when no record with this id is stored. */
  hash: string | null;
  in_scope: boolean;
  /** True when the run, including its attempts before a restart, has not listed or written the record before. */
  is_new: boolean;
  /** True when the columns were extracted by another version of the extraction. */
  stale: boolean;
};

/** Stores ids as listed by this run, unless `created_sync` already shows it. @returns the stored state of each id */
async function listPage(
  tx: Queryable,
  target: WriteTarget,
  { ids, extraction }: { ids: string[]; extraction: number },
): Promise<StoredState[]> {
  const { userId, syncId, scope, isRestart } = target;
  const mustList = isRestart ? sql`true` : sql`r.created_sync <> ${syncId}`;
  const { rows } = await tx.execute<StoredState>(sql`
    with stored as materialized (
      select i.id, r.hash, coalesce(r.scopes @> array[${scope}::text], false) as in_scope, ${mustList} as must_list,
        r.extraction is distinct from ${extraction} as stale,
        r.hash is null or (r.created_sync <> ${syncId} and r.changed_sync <> ${syncId}) as is_earlier
      from unnest(${textArray(ids)}) i(id)
      left join ${tableOf(target)} r on ${isRecordOf(target)} and r.id = i.id
    ), listed as (
      insert into sync_seen (user_id, sync_id, external_id)
      select ${userId}, ${syncId}, id from stored where must_list on conflict do nothing returning external_id
    )
    select id, hash, in_scope, case when must_list then id in (select external_id from listed) and is_earlier else hash is null end as is_new, stale
    from stored`);
  return rows;
}

/** Updates records and saves their pre-images in the same statement, which sees the table as it was before the update. */
async function update(
  tx: Queryable,
  target: WriteTarget,
  { entity, rows }: { entity: StoredEntity; rows: readonly Row[] },
): Promise<void> {
  if (rows.length === 0) return;
  const { syncId, scope } = target;
  const table = tableOf(target);
  const ids = rows.map((row) => row.id);
  await tx.execute(sql`
    with undo as (${savePreImages(target, textArray(ids))})
    update ${table} r set ${contentAssignments(entity)},
      scopes = case when r.scopes @> array[${scope}::text] then r.scopes else r.scopes || array[${scope}::text] end,
      changed_sync = case when r.hash = i.hash then r.changed_sync else ${syncId}::uuid end
    from json_populate_recordset(null::${table}, ${jsonOfRows(rows)}::json) i
    where ${isRecordOf(target)} and r.id = i.id`);
}

/**
 * Inserts new records by COPY and stores their ids for undo. Safe without locks: an entity has at most one run at a
 * time.
 */
async function add(
  tx: BulkTransaction,
  target: WriteTarget,
  { entity, rows }: { entity: StoredEntity; rows: readonly Row[] },
): Promise<void> {
  if (rows.length === 0) return;
  const { userId, connectionId, syncId, scope } = target;
  // Records that this run removed and now adds again existed before it, so they are not listed as added.
  await tx.execute(sql`
    insert into record_added (user_id, connection_id, sync_id, entity, external_ids)
    select ${userId}, ${connectionId}, ${syncId}, ${target.entity}, array_agg(id)
    from unnest(${textArray(rows.map((row) => row.id))}) id
    where not exists (select from record_undo u where u.user_id = ${userId} and u.sync_id = ${syncId} and u.id = id.id)
    having count(*) > 0`);
  const copy = new CopyRows(copiedBytes(rows));
  const origin = { ...target, scopes: [scope], createdSync: syncId, changedSync: syncId };
  for (const row of rows) copyRow(copy, row, entity, origin);
  const columns = copiedColumns(entity).map((name) => `"${name}"`);
  await tx.copyIn(
    `copy "${tableNameOf(target.entity)}" (${columns.join(', ')}) from stdin (format binary)`,
    copy,
  );
}

/**
 * Brings stored records of an older extraction to this one if they differ from the page, so that what the upgrade changed
 * is no change of a record. @returns their hashes
 */
async function restateStale(
  tx: Queryable,
  target: WriteTarget,
  page: { entity: StoredEntity; rows: ReadonlyMap<string, Row>; states: readonly StoredState[] },
): Promise<Map<string, string>> {
  const { entity, rows, states } = page;
  const differs = ({ id, hash, stale }: StoredState) => stale && hash !== null && hash !== rows.get(id)?.hash;
  const ids = states.filter(differs).map(({ id }) => id);
  const hashes = new Map<string, string>();
  for (let isDone = ids.length === 0; !isDone; ) {
    const which = sql`r.id = any(${textArray(ids.filter((id) => !hashes.has(id)))})`;
    const extracted = await extractStale(tx, target, { entity, which });
    await storeWithPreImages(tx, target, { entity, rows: extracted });
    for (const { id, hash } of extracted) hashes.set(id, hash);
    isDone = extracted.length === 0;
  }
  return hashes;
}

/** The result of writing a page. */
export interface WrittenPage {
  /** Counts of the records that the run had not listed before. */
  counts: WriteCounts;
  /** Number of inserted rows, including records that an earlier attempt already counted. */
  inserted: number;
  isChanged: boolean;
}

/**
 * Writes a page of records into a scope within the caller's transaction: stores the listed ids, saves pre-images, inserts
 * new records and updates those whose hash or scope differs. The caller bumps the data version, as late as possible,
 * because that locks the version row until commit.
 */
export async function writePage(
  tx: BulkTransaction,
  target: WriteTarget,
  { entity, records }: { entity: StoredEntity; records: readonly ConnectorRecord[] },
): Promise<WrittenPage> {
  const counts: WriteCounts = { added: 0, updated: 0, unchanged: 0 };
  if (records.length === 0) return { counts, inserted: 0, isChanged: false };
  const rows = rowsOf(records, entity);
  const added: Row[] = [];
  const changed: Row[] = [];
  const stale: ExtractedRow[] = [];
  const { extraction } = entity;
  const states = await listPage(tx, target, { ids: [...rows.keys()], extraction });
  const restated = await restateStale(tx, target, { entity, rows, states });
  for (const found of states) {
    const row = rows.get(found.id);
    if (!row) continue;
    const stored = { ...found, hash: restated.get(found.id) ?? found.hash };
    const outcome = stored.hash === null ? 'added' : stored.hash === row.hash ? 'unchanged' : 'updated';
    if (stored.is_new) counts[outcome]++;
    if (outcome === 'added') added.push(row);
    else if (outcome === 'updated' || !stored.in_scope) changed.push(row);
    else if (stored.stale) stale.push({ ...row, extractedFrom: row.hash });
  }
  await update(tx, target, { entity, rows: changed });
  await storeExtracted(tx, target, { entity, rows: stale });
  await add(tx, target, { entity, rows: added });
  const isChanged = added.length + changed.length + stale.length > 0;
  return { counts, inserted: added.length, isChanged };
}

/** Writes a page of records and bumps the data version. See `writePage`. */
export async function writeRecords(
  tx: BulkTransaction,
  target: WriteTarget,
  page: { entity: StoredEntity; records: readonly ConnectorRecord[] },
): Promise<WriteCounts> {
  const { counts, inserted, isChanged } = await writePage(tx, target, page);
  if (isChanged) await bumpVersion(tx, target, { added: inserted, extraction: page.entity.extraction });
  return counts;
}

/**
 * Increments the data version of a source, which invalidates cached results, and updates its record count.
 * @param change.added change of the record count; negative for removals
 * @param change.extraction extraction version of written records; a run that began before an upgrade lowers that of the source
 */
export async function bumpVersion(
  tx: Queryable,
  source: RecordSource,
  { added, extraction }: { added: number; extraction?: number },
): Promise<void> {
  await tx.execute(sql`
    insert into record_versions (user_id, connection_id, entity, version, records, extraction)
    values (${source.userId}, ${source.connectionId}, ${source.entity}, 1, ${added}, ${extraction ?? 0})
    on conflict (user_id, connection_id, entity) do update
    set version = record_versions.version + 1, records = record_versions.records + excluded.records,
      extraction = least(record_versions.extraction, ${extraction ?? null}::int)`);
}
