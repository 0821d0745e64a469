import { type EntityDefinition, facetsVersionOf, type JsonObject } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import type { Database, Queryable } from '../../platform/db/pool.ts';
import { documentOf } from './shared-parts.ts';
import type { RecordSource } from './source.ts';
import { textArray } from './text-array.ts';

/** Records that one statement reads at most, and bytes of their documents: they are parsed on the main thread. */
const RECORDS = 50;
const BYTES = 500_000;

/** Facets of a record in JSON, for the document with this hash. */
interface FreshFacets {
  id: string;
  hash: string;
  facets: string;
}

/** Stores facets of the present version for records whose documents have not changed. */
export async function refreshFacets(
  db: Queryable,
  { userId, connectionId, entity, facetsVersion = 1 }: RecordSource & { facetsVersion?: number },
  rows: readonly FreshFacets[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    update records r set facets = i.facets::jsonb, facets_version = ${facetsVersion}
    from unnest(${textArray(rows.map(({ id }) => id))}, ${textArray(rows.map(({ hash }) => hash))},
      ${textArray(rows.map(({ facets }) => facets))}) as i(id, hash, facets)
    where r.user_id = ${userId} and r.connection_id = ${connectionId} and r.entity = ${entity} and r.external_id = i.id
      and r.hash = i.hash`);
}

type StaleRecord = { id: string; hash: string; facets: JsonObject; document: string };

/** The next records of a source with facets of another version, as many as may be parsed at once. */
async function staleRecords(
  db: Queryable,
  { userId, connectionId, entity }: RecordSource,
  version: number,
): Promise<StaleRecord[]> {
  const { rows } = await db.execute<StaleRecord>(sql`
    with stale as materialized (
      select * from records
      where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity} and facets_version <> ${version}
      order by external_id limit ${RECORDS}
    ), sized as (
      select *, sum(octet_length(data)) over (order by external_id) as bytes, row_number() over (order by external_id) as place from stale
    )
    select external_id as id, hash, facets, ${documentOf('r')} as document from sized r where bytes <= ${BYTES} or place = 1`);
  return rows;
}

function extract(entity: EntityDefinition, { id, hash, facets, document }: StaleRecord): FreshFacets {
  try {
    const fresh = entity.facetsOf?.(JSON.parse(document) as JsonObject, facets) ?? facets;
    return { id, hash, facets: JSON.stringify(fresh) };
  } catch {
    // A document that cannot be read by now keeps what was found before.
    return { id, hash, facets: JSON.stringify(facets) };
  }
}

async function refreshSource(db: Database, entity: EntityDefinition, source: RecordSource): Promise<void> {
  const facetsVersion = facetsVersionOf(entity);
  const { userId, connectionId } = source;
  for (;;) {
    const stale = await staleRecords(db, source, facetsVersion);
    if (stale.length === 0) break;
    const fresh = stale.map((record) => extract(entity, record));
    await refreshFacets(db, { ...source, facetsVersion }, fresh);
  }
  // The version of the data grows as well: results that were computed from old facets are stale.
  await db.execute(sql`
    update record_versions set facets_version = ${facetsVersion}, version = version + 1
    where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity.id}`);
}

/**
 * Extracts facets of an older version once more from the stored documents, source by source, a few records at a time.
 * It takes up where a killed process left it.
 */
export async function refreshAllFacets(
  db: Database,
  entities: readonly EntityDefinition[],
  isStopped: () => boolean = () => false,
): Promise<void> {
  for (const entity of entities) {
    if (!entity.facetsOf) continue;
    const { rows } = await db.execute<{ user_id: string; connection_id: string }>(sql`
      select user_id, connection_id from record_versions
      where entity = ${entity.id} and facets_version <> ${facetsVersionOf(entity)}`);
    for (const { user_id: userId, connection_id: connectionId } of rows) {
      if (isStopped()) return;
      await refreshSource(db, entity, { userId, connectionId, entity: entity.id });
    }
  }
}
