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

const NUL = /\\u0000/g;

/** JSON text that PostgreSQL takes; an escaped NUL cannot be read back by its JSON functions. */
function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u0000') ? text.replace(NUL, '\\ufffd') : text;
}

/** A record as it is stored. */
interface Row {
  id: string;
  occurredAt: string;
  hash: string;
  facets: string;
  data: string;
}

/** Rows by id; of several with one id the last counts. */
function rowsOf(records: readonly ConnectorRecord[]): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const { id, occurredAt, data, facets } of records) {
    const text = jsonText(data);
    rows.set(id, {
      id,
      occurredAt: occurredAt.toISOString(),
      hash: hash('sha1', text, 'base64'),
      facets: jsonText(facets),
      data: text,
    });
  }
  return rows;
}

/** A text array as one bound parameter. */
export function textArray(values: readonly string[]): SQL {
  return sql`${sql.param(values)}::text[]`;
}

interface Stored {
  hash: string;
  inScope: boolean;
}

/** What is stored of these ids, and which of them this run meets for the first time. */
async function meet(
  tx: Queryable,
  target: WriteTarget,
  ids: string[],
): Promise<{ stored: Map<string, Stored>; fresh: Set<string> }> {
  const { userId, connectionId, entity, syncId, scope } = target;
  const seen = await tx.execute<{ id: string }>(sql`
    insert into sync_seen (user_id, sync_id, external_id)
    select ${userId}, ${syncId}, id from unnest(${textArray(ids)}) id on conflict do nothing returning external_id as id`);
  const before = await tx.execute<{ id: string; hash: string; in_scope: boolean }>(sql`
    select external_id as id, hash, scopes @> array[${scope}::text] as in_scope from records
    where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity} and external_id = any(${textArray(ids)})`);
  return {
    stored: new Map(before.rows.map((row) => [row.id, { hash: row.hash, inScope: row.in_scope }])),
    fresh: new Set(seen.rows.map((row) => row.id)),
  };
}

/** Pre-images of records about to change and markers of new ones; the first of a run wins. */
async function logUndo(
  tx: Queryable,
  target: WriteTarget,
  changed: { known: string[]; added: string[] },
): Promise<void> {
  const { userId, connectionId, entity, syncId } = target;
  await tx.execute(sql`
    insert into record_undo (user_id, connection_id, sync_id, entity, external_id, existed, scopes, occurred_at, hash, facets, data, created_sync, changed_sync)
    select user_id, connection_id, ${syncId}::uuid, entity, external_id, true, scopes, occurred_at, hash, facets, data, created_sync, changed_sync
    from records
    where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity} and external_id = any(${textArray(changed.known)})
    union all
    select ${userId}::uuid, ${connectionId}::uuid, ${syncId}::uuid, ${entity}, id, false, null, null, null, null, null, null, null
    from unnest(${textArray(changed.added)}) id
    on conflict do nothing`);
}

async function upsert(tx: Queryable, target: WriteTarget, rows: readonly Row[]): Promise<void> {
  const { userId, connectionId, entity, syncId, scope } = target;
  // One parameter a document: an array of them would be escaped here and parsed there, at three times the cost.
  const documents = sql.join(
    rows.map((row, index) => sql`(${sql.raw(String(index + 1))}, ${row.data}::json)`),
    sql`, `,
  );
  await tx.execute(sql`
    insert into records (user_id, connection_id, entity, external_id, scopes, occurred_at, hash, facets, data, created_sync, changed_sync)
    select ${userId}, ${connectionId}, ${entity}, i.id, array[${scope}::text], i.occurred_at::timestamptz, i.hash, i.facets::jsonb, d.data, ${syncId}, ${syncId}
    from unnest(
        ${textArray(rows.map((row) => row.id))}, ${textArray(rows.map((row) => row.occurredAt))},
        ${textArray(rows.map((row) => row.hash))}, ${textArray(rows.map((row) => row.facets))}
      ) with ordinality as i(id, occurred_at, hash, facets, place)
    join (values ${documents}) as d(place, data) on d.place = i.place
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
  const { stored, fresh } = await meet(tx, target, [...rows.keys()]);
  const changed: { rows: Row[]; known: string[]; added: string[] } = { rows: [], known: [], added: [] };
  for (const row of rows.values()) {
    const before = stored.get(row.id);
    const outcome = before === undefined ? 'added' : before.hash === row.hash ? 'unchanged' : 'updated';
    if (fresh.has(row.id)) counts[outcome]++;
    if (outcome === 'unchanged' && before?.inScope) continue;
    changed.rows.push(row);
    (before === undefined ? changed.added : changed.known).push(row.id);
  }
  if (changed.rows.length === 0) return counts;
  await logUndo(tx, target, changed);
  await upsert(tx, target, changed.rows);
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
