import { hash } from 'node:crypto';
import { type ConnectorRecord, storable } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import { CopyRows } from '../../platform/db/copy.ts';
import type { BulkTransaction, Queryable } from '../../platform/db/pool.ts';
import { refreshFacets } from './facets.ts';
import { keepPreImages, RECORD_COLUMNS } from './pre-images.ts';
import { MarkedDocument } from './shared-parts.ts';
import type { WriteTarget } from './source.ts';
import { textArray } from './text-array.ts';

export interface WriteCounts {
  added: number;
  updated: number;
  unchanged: number;
}

/**
 * The escapes of JSON text: whole pairs of surrogates; then NUL and halves of pairs, which PostgreSQL's JSON functions refuse;
 * then all others, an escaped backslash among them, so that what follows one is not taken for an escape.
 */
const ESCAPE =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(\\u0000|\\u[dD][89a-fA-F][\da-fA-F]{2})|\\./g;
/** What JSON holds that may have to be mended. */
const SUSPECTS = ['\\u0000', '\\ud', '\\uD'];

function isSuspect(json: string | Buffer): boolean {
  // One search in most documents, which have no such escape at all.
  return json.includes('\\u') && SUSPECTS.some((suspect) => json.includes(suspect));
}

/** JSON text that PostgreSQL takes: what its JSON functions could not read back is replaced. */
function storableJson(text: string): string {
  if (!isSuspect(text)) return text;
  return text.replace(ESCAPE, (met, refused?: string) => (refused === undefined ? met : '\\ufffd'));
}

/** The document to be stored: as the provider wrote it when that is known and can be. */
function documentOf({ data }: ConnectorRecord): Buffer {
  if (!Buffer.isBuffer(data)) return Buffer.from(storableJson(JSON.stringify(data)));
  if (data.length === 0) throw new Error('the memory of a record was given back before it was stored');
  if (!isSuspect(data)) return data;
  const text = data.toString();
  const mended = storableJson(text);
  return mended === text ? data : Buffer.from(mended);
}

/** A record as it is stored. */
interface Row {
  id: string;
  occurredAt: Date;
  hash: string;
  facets: string;
  data: MarkedDocument;
}

/** Rows by id; of several with one id the last counts. */
function rowsOf(records: readonly ConnectorRecord[]): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const record of records) {
    const { occurredAt, facets } = record;
    const id = storable(record.id);
    const document = documentOf(record);
    // Places in a document that was written anew mean nothing.
    const shared = document === record.data ? record.shared : undefined;
    rows.set(id, {
      id,
      occurredAt,
      hash: hash('sha1', document, 'base64'),
      facets: storableJson(JSON.stringify(facets)),
      data: new MarkedDocument(document, shared),
    });
  }
  return rows;
}

/** What is stored of an id. */
interface Met {
  id: string;
  /** Null: nothing is stored. */
  hash: string | null;
  isInScope: boolean;
  /** Met for the first time by this run, which has not written it either before it began anew. */
  isFresh: boolean;
  /** Its facets are of another version of the extraction. */
  isStale: boolean;
}

type StoredState = {
  id: string;
  hash: string | null;
  in_scope: boolean;
  fresh: boolean;
  stale: boolean;
};

/** Notes that the run met these ids, as far as the records do not tell it. @returns what is stored of each */
async function meet(tx: Queryable, target: WriteTarget, ids: string[]): Promise<Met[]> {
  const { userId, connectionId, entity, syncId, scope, isRestart, facetsVersion = 1 } = target;
  const toNote = isRestart ? sql`true` : sql`r.created_sync <> ${syncId}`;
  const met = await tx.execute<StoredState>(sql`
    with stored as materialized (
      select i.id, r.hash, coalesce(r.scopes @> array[${scope}::text], false) as in_scope, ${toNote} as to_note,
        r.facets_version is distinct from ${facetsVersion} as stale,
        r.hash is null or (r.created_sync <> ${syncId} and r.changed_sync <> ${syncId}) as is_earlier
      from unnest(${textArray(ids)}) i(id)
      left join records r on r.user_id = ${userId} and r.connection_id = ${connectionId} and r.entity = ${entity} and r.external_id = i.id
    ), seen as (
      insert into sync_seen (user_id, sync_id, external_id)
      select ${userId}, ${syncId}, id from stored where to_note on conflict do nothing returning external_id
    )
    select id, hash, in_scope, case when to_note then id in (select external_id from seen) and is_earlier else hash is null end as fresh, stale
    from stored`);
  return met.rows.map((row) => ({
    id: row.id,
    hash: row.hash,
    isInScope: row.in_scope,
    isFresh: row.fresh,
    isStale: row.stale,
  }));
}

/** Undo log and records in one statement: both see the table as it was. */
async function update(tx: Queryable, target: WriteTarget, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const { userId, connectionId, entity, syncId, scope, facetsVersion = 1 } = target;
  const ids = rows.map((row) => row.id);
  await tx.execute(sql`
    with undo as (${keepPreImages(target, textArray(ids))})
    update records r set
      scopes = case when r.scopes @> array[${scope}::text] then r.scopes else r.scopes || array[${scope}::text] end,
      occurred_at = i.occurred_at::timestamptz, hash = i.hash, facets = i.facets::jsonb, facets_version = ${facetsVersion}, data = i.data, parts = string_to_array(i.parts, ' '),
      changed_sync = case when r.hash = i.hash then r.changed_sync else ${syncId}::uuid end
    from unnest(
      ${textArray(ids)}, ${textArray(rows.map((row) => row.occurredAt.toISOString()))}, ${textArray(rows.map((row) => row.hash))},
      ${textArray(rows.map((row) => row.facets))}, ${textArray(rows.map((row) => String(row.data)))},
      ${textArray(rows.map((row) => row.data.parts?.join(' ') ?? null))}
    ) as i(id, occurred_at, hash, facets, data, parts)
    where r.user_id = ${userId} and r.connection_id = ${connectionId} and r.entity = ${entity} and r.external_id = i.id`);
}

/** New records, and their ids for the undo. Nobody else adds any meanwhile: one run of an entity at a time. */
async function add(tx: BulkTransaction, target: WriteTarget, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const { userId, connectionId, entity, syncId, scope, facetsVersion = 1 } = target;
  // What the run removed and meets again was there before it.
  await tx.execute(sql`
    insert into record_added (user_id, connection_id, sync_id, entity, external_ids)
    select ${userId}, ${connectionId}, ${syncId}, ${entity}, array_agg(id)
    from unnest(${textArray(rows.map((row) => row.id))}) id
    where not exists (select from record_undo u where u.user_id = ${userId} and u.sync_id = ${syncId} and u.external_id = id)
    having count(*) > 0`);
  const copy = new CopyRows(
    rows.reduce((sum, row) => sum + row.data.length + 3 * row.facets.length + 600, 64),
  );
  for (const row of rows) {
    // In the order of RECORD_COLUMNS.
    copy.row(RECORD_COLUMNS.length);
    copy.uuid(userId);
    copy.uuid(connectionId);
    copy.text(entity);
    copy.text(row.id);
    copy.textArray([scope]);
    copy.instant(row.occurredAt);
    copy.text(row.hash);
    copy.jsonb(row.facets);
    copy.integer(facetsVersion);
    row.data.writeTo(copy);
    if (row.data.parts) copy.textArray(row.data.parts);
    else copy.null();
    copy.uuid(syncId);
    copy.uuid(syncId);
  }
  await tx.copyIn(`copy records (${RECORD_COLUMNS.join(', ')}) from stdin (format binary)`, copy);
}

/**
 * Writes a page of records into a scope, in the caller's transaction: ids go to the list of seen ones, pre-images of
 * what changes to the undo log; records are added, or updated where their hash or scope differs. The caller grows the
 * version of the data, as late as it can: until its transaction ends nobody else may.
 * @returns counts of the records not seen before in this run, and whether anything was written
 */
export async function stageRecords(
  tx: BulkTransaction,
  target: WriteTarget,
  records: readonly ConnectorRecord[],
): Promise<{ counts: WriteCounts; isChanged: boolean }> {
  const counts: WriteCounts = { added: 0, updated: 0, unchanged: 0 };
  if (records.length === 0) return { counts, isChanged: false };
  const rows = rowsOf(records);
  const added: Row[] = [];
  const changed: Row[] = [];
  const stale: Row[] = [];
  for (const { id, hash: before, isInScope, isFresh, isStale } of await meet(tx, target, [...rows.keys()])) {
    const row = rows.get(id);
    if (!row) continue;
    const outcome = before === null ? 'added' : before === row.hash ? 'unchanged' : 'updated';
    if (isFresh) counts[outcome]++;
    if (outcome !== 'unchanged' || !isInScope) (before === null ? added : changed).push(row);
    else if (isStale) stale.push(row);
  }
  await update(tx, target, changed);
  await refreshFacets(tx, target, stale);
  await add(tx, target, added);
  return { counts, isChanged: added.length + changed.length + stale.length > 0 };
}

/** Writes a page of records and grows the version of the data: see `stageRecords`. */
export async function writeRecords(
  tx: BulkTransaction,
  target: WriteTarget,
  records: readonly ConnectorRecord[],
): Promise<WriteCounts> {
  const { counts, isChanged } = await stageRecords(tx, target, records);
  if (isChanged) await bumpVersion(tx, target);
  return counts;
}

interface Versioned {
  userId: string;
  connectionId: string;
  entity: string;
}

/** Grows the version of an entity's records: caches keyed by it are stale. */
export async function bumpVersion(tx: Queryable, source: Versioned): Promise<void> {
  await tx.execute(sql`
    insert into record_versions (user_id, connection_id, entity, version)
    values (${source.userId}, ${source.connectionId}, ${source.entity}, 1)
    on conflict (user_id, connection_id, entity) do update set version = record_versions.version + 1`);
}
