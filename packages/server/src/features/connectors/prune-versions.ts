import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { queryableOf } from '../../platform/db/database.ts';
import { dropRecordTable, isEmptyTable } from '../records/index.ts';
import { dropSearch } from '../search/index.ts';

interface OldVersion extends Record<string, unknown> {
  version: number;
  /** Entities that no later version has. */
  lost: string[];
}

/** Lists versions of a connector below `before`, the newest first, so that each one says what is lost with it alone. */
async function listOldVersions(client: pg.ClientBase, key: string, before: number): Promise<OldVersion[]> {
  const { rows } = await queryableOf(client).execute<OldVersion>(sql`
    with named as (
      select v.version, e->>'id' as id from connector_versions v
        cross join lateral json_array_elements(v.document::json->'entities') e where v.connector_key = ${key})
    select version, coalesce(json_agg(id) filter (where not exists (
        select from named later where later.id = named.id and later.version > named.version)), '[]') as lost
      from named where version < ${before} group by version order by version desc`);
  return rows;
}

/**
 * Deletes versions of a connector below `before` in the open transaction. Tables that only they name are dropped if nobody has a record
 * in them; a version that alone names a table with records is kept, so that deleting the connector finds the table.
 * @param client a connection that holds the migration lock
 */
export async function pruneVersions(client: pg.ClientBase, key: string, before: number): Promise<void> {
  for (const { version, lost } of await listOldVersions(client, key, before)) {
    let isNeeded = false;
    for (const entity of lost) isNeeded ||= !(await isEmptyTable(client, entity));
    if (isNeeded) continue;
    for (const entity of lost) await dropSearch(client, await dropRecordTable(client, entity));
    await client.query('delete from connector_versions where connector_key = $1 and version = $2', [
      key,
      version,
    ]);
  }
}
