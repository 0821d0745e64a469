import { createHash } from 'node:crypto';
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

interface Columns {
  ids: string[];
  occurredAt: string[];
  hashes: string[];
  facets: string[];
  data: string[];
}

function columnsOf(records: readonly ConnectorRecord[]): Columns {
  const columns: Columns = { ids: [], occurredAt: [], hashes: [], facets: [], data: [] };
  const latest = new Map(records.map((record) => [record.id, record]));
  for (const record of latest.values()) {
    const data = jsonText(record.data);
    columns.ids.push(record.id);
    columns.occurredAt.push(record.occurredAt.toISOString());
    columns.hashes.push(createHash('sha1').update(data).digest('base64'));
    columns.facets.push(jsonText(record.facets));
    columns.data.push(data);
  }
  return columns;
}

/** A text array as one bound parameter. */
export function textArray(values: readonly string[]): SQL {
  return sql`${sql.param(values)}::text[]`;
}

/**
 * Writes a page of records into a scope: pre-images go to the undo log, ids to the list of seen ones, records are
 * upserted where their hash or scope differs. One statement, so all of it sees the state before.
 * @returns counts of the records not seen before in this run
 */
export async function writeRecords(
  tx: Queryable,
  target: WriteTarget,
  records: readonly ConnectorRecord[],
): Promise<WriteCounts> {
  if (records.length === 0) return { added: 0, updated: 0, unchanged: 0 };
  const { ids, occurredAt, hashes, facets, data } = columnsOf(records);
  const { userId, connectionId, entity, syncId, scope } = target;
  const result = await tx.execute<Record<keyof WriteCounts, number>>(sql`
    with input as materialized (
      select id, occurred_at::timestamptz, hash, facets, data
      from unnest(${textArray(ids)}, ${textArray(occurredAt)}, ${textArray(hashes)}, ${textArray(facets)}, ${textArray(data)})
        as t(id, occurred_at, hash, facets, data)
    ), before as materialized (
      select r.external_id, r.hash, r.scopes @> array[${scope}::text] as in_scope
      from records r
      where r.user_id = ${userId} and r.connection_id = ${connectionId} and r.entity = ${entity}
        and r.external_id = any(${textArray(ids)})
    ), changed as (
      select i.id, b.external_id is not null as existed
      from input i left join before b on b.external_id = i.id
      where b.external_id is null or b.hash <> i.hash or not b.in_scope
    ), undo as (
      insert into record_undo (user_id, connection_id, sync_id, entity, external_id, existed, scopes, occurred_at, hash, facets, data, created_sync, changed_sync)
      select ${userId}, ${connectionId}, ${syncId}, ${entity}, c.id, c.existed, r.scopes, r.occurred_at, r.hash, r.facets, r.data, r.created_sync, r.changed_sync
      from changed c left join records r
        on c.existed and r.user_id = ${userId} and r.connection_id = ${connectionId} and r.entity = ${entity} and r.external_id = c.id
      on conflict do nothing
    ), seen as (
      insert into sync_seen (user_id, sync_id, external_id)
      select ${userId}, ${syncId}, id from input on conflict do nothing returning external_id
    ), written as (
      insert into records (user_id, connection_id, entity, external_id, scopes, occurred_at, hash, facets, data, created_sync, changed_sync)
      select ${userId}, ${connectionId}, ${entity}, i.id, array[${scope}::text], i.occurred_at, i.hash, i.facets::jsonb, i.data::json, ${syncId}, ${syncId}
      from input i join changed c on c.id = i.id
      on conflict (user_id, connection_id, entity, external_id) do update set
        scopes = case when records.scopes @> excluded.scopes then records.scopes else records.scopes || excluded.scopes end,
        occurred_at = excluded.occurred_at, hash = excluded.hash, facets = excluded.facets, data = excluded.data,
        changed_sync = case when records.hash = excluded.hash then records.changed_sync else excluded.changed_sync end
    )
    select count(*) filter (where b.external_id is null)::int as added,
      count(*) filter (where b.hash <> i.hash)::int as updated,
      count(*) filter (where b.hash = i.hash)::int as unchanged
    from seen join input i on i.id = seen.external_id left join before b on b.external_id = i.id`);
  const counts = result.rows[0] ?? { added: 0, updated: 0, unchanged: 0 };
  if (counts.added + counts.updated > 0) await bumpVersion(tx, target);
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
