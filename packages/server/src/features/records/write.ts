import { hash } from 'node:crypto';
import type { ConnectorRecord } from '@datadeck/connectors';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import type { WriteTarget } from './source.ts';

export interface WriteCounts {
  added: number;
  updated: number;
  unchanged: number;
}

const NUL = /(?<!\\)((?:\\\\)*)\\u0000/g;

/** JSON text that PostgreSQL takes; an escaped NUL cannot be read back by its JSON functions. */
function storableJson(text: string): string {
  return text.includes('\\u0000') ? text.replace(NUL, '$1\\ufffd') : text;
}

/** The document as it is stored: as the provider wrote it when that is known. */
function documentOf({ data }: ConnectorRecord): Buffer {
  if (!Buffer.isBuffer(data)) return Buffer.from(storableJson(JSON.stringify(data)));
  return data.includes('\\u0000') ? Buffer.from(storableJson(data.toString())) : data;
}

/** A record as it is stored. */
interface Row {
  id: string;
  occurredAt: string;
  hash: string;
  facets: string;
  data: Buffer;
}

/** Rows by id; of several with one id the last counts. */
function rowsOf(records: readonly ConnectorRecord[]): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const record of records) {
    const { id, occurredAt, facets } = record;
    const data = documentOf(record);
    rows.set(id, {
      id,
      occurredAt: occurredAt.toISOString(),
      hash: hash('sha1', data, 'base64'),
      facets: storableJson(JSON.stringify(facets)),
      data,
    });
  }
  return rows;
}

/** A text array as one bound parameter. */
export function textArray(values: readonly string[]): SQL {
  return sql`${sql.param(values)}::text[]`;
}

/** What is stored of an id. */
interface Met {
  id: string;
  /** Null: nothing is stored. */
  hash: string | null;
  isInScope: boolean;
  /** Met for the first time by this run. */
  isFresh: boolean;
}

/** Notes that the run met these ids. @returns what is stored of each */
async function meet(tx: Queryable, target: WriteTarget, ids: string[]): Promise<Met[]> {
  const { userId, connectionId, entity, syncId, scope } = target;
  const met = await tx.execute<{ id: string; hash: string | null; in_scope: boolean; fresh: boolean }>(sql`
    with seen as (
      insert into sync_seen (user_id, sync_id, external_id)
      select ${userId}, ${syncId}, id from unnest(${textArray(ids)}) id on conflict do nothing returning external_id
    )
    select i.id, r.hash, coalesce(r.scopes @> array[${scope}::text], false) as in_scope, s.external_id is not null as fresh
    from unnest(${textArray(ids)}) i(id)
    left join seen s on s.external_id = i.id
    left join records r on r.user_id = ${userId} and r.connection_id = ${connectionId} and r.entity = ${entity} and r.external_id = i.id`);
  return met.rows.map((row) => ({ id: row.id, hash: row.hash, isInScope: row.in_scope, isFresh: row.fresh }));
}

/** What of a page is written, and which of it is new. */
interface Changed {
  rows: Row[];
  known: string[];
  added: string[];
}

/** Pre-images of records about to change and markers of new ones; the first of a run wins. */
function undoLog(target: WriteTarget, changed: Changed): SQL {
  const { userId, connectionId, entity, syncId } = target;
  return sql`
    insert into record_undo (user_id, connection_id, sync_id, entity, external_id, existed, scopes, occurred_at, hash, facets, data, created_sync, changed_sync)
    select user_id, connection_id, ${syncId}::uuid, entity, external_id, true, scopes, occurred_at, hash, facets, data, created_sync, changed_sync
    from records
    where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity} and external_id = any(${textArray(changed.known)})
    union all
    select ${userId}::uuid, ${connectionId}::uuid, ${syncId}::uuid, ${entity}, id, false, null, null, null, null, null, null, null
    from unnest(${textArray(changed.added)}) id
    on conflict do nothing`;
}

/**
 * Undo log and records in one statement: both see the table as it was. The documents go as one binary parameter that the
 * server cuts, and as the last one: the driver copies what stands before a parameter, and an array of texts would be
 * escaped here and parsed there.
 */
async function upsert(tx: Queryable, target: WriteTarget, changed: Changed): Promise<void> {
  const { rows } = changed;
  const { userId, connectionId, entity, syncId, scope } = target;
  let end = 1;
  const starts = rows.map((row) => {
    const start = end;
    end += row.data.length;
    return start;
  });
  await tx.execute(sql`
    with undo as (${undoLog(target, changed)})
    insert into records (user_id, connection_id, entity, external_id, scopes, occurred_at, hash, facets, data, created_sync, changed_sync)
    select ${userId}, ${connectionId}, ${entity}, i.id, array[${scope}::text], i.occurred_at::timestamptz, i.hash, i.facets::jsonb,
      convert_from(substring(d.documents from i.start for i.length), 'UTF8')::json, ${syncId}, ${syncId}
    from unnest(
      ${textArray(rows.map((row) => row.id))}, ${textArray(rows.map((row) => row.occurredAt))},
      ${textArray(rows.map((row) => row.hash))}, ${textArray(rows.map((row) => row.facets))},
      ${sql.param(starts)}::int[], ${sql.param(rows.map((row) => row.data.length))}::int[]
    ) as i(id, occurred_at, hash, facets, start, length), (select ${Buffer.concat(rows.map((row) => row.data))}::bytea as documents) d
    where true
    on conflict (user_id, connection_id, entity, external_id) do update set
      scopes = case when records.scopes @> excluded.scopes then records.scopes else records.scopes || excluded.scopes end,
      occurred_at = excluded.occurred_at, hash = excluded.hash, facets = excluded.facets, data = excluded.data,
      changed_sync = case when records.hash = excluded.hash then records.changed_sync else excluded.changed_sync end`);
}

/**
 * Writes a page of records into a scope, in the caller's transaction: ids go to the list of seen ones, pre-images of
 * what changes to the undo log, and records are upserted where their hash or scope differs.
 * @returns counts of the records not seen before in this run
 */
export async function writeRecords(
  tx: Queryable,
  target: WriteTarget,
  records: readonly ConnectorRecord[],
): Promise<WriteCounts> {
  const counts: WriteCounts = { added: 0, updated: 0, unchanged: 0 };
  if (records.length === 0) return counts;
  const rows = rowsOf(records);
  const changed: Changed = { rows: [], known: [], added: [] };
  for (const { id, hash: before, isInScope, isFresh } of await meet(tx, target, [...rows.keys()])) {
    const row = rows.get(id);
    if (!row) continue;
    const outcome = before === null ? 'added' : before === row.hash ? 'unchanged' : 'updated';
    if (isFresh) counts[outcome]++;
    if (outcome === 'unchanged' && isInScope) continue;
    changed.rows.push(row);
    (before === null ? changed.added : changed.known).push(id);
  }
  if (changed.rows.length === 0) return counts;
  await upsert(tx, target, changed);
  await bumpVersion(tx, target);
  return counts;
}

/** Grows the version of an entity's records: caches keyed by it are stale. */
export async function bumpVersion(
  tx: Queryable,
  source: { userId: string; connectionId: string; entity: string },
): Promise<void> {
  await tx.execute(sql`
    insert into record_versions (user_id, connection_id, entity, version)
    values (${source.userId}, ${source.connectionId}, ${source.entity}, 1)
    on conflict (user_id, connection_id, entity) do update set version = record_versions.version + 1`);
}
