import type { StoredNames } from '@datadeck/connectors/declarative';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { connectors, connectorVersions } from './tables.ts';

/** A version of a connector. */
export interface StoredVersion {
  version: number;
  /** As it was checked when it was published; a later version of the product may refuse it. */
  document: ConnectorDocument;
  storedNames: Readonly<Record<string, StoredNames>>;
  publishedAt: Date;
}

/** The published version of a connector. */
export interface PublishedConnector extends StoredVersion {
  key: string;
  /** `withdrawn`: nobody connects it. `deleted`: its data is being removed. */
  state: 'published' | 'withdrawn' | 'deleted';
}

function toVersion({
  version,
  document,
  storedNames,
  publishedAt,
}: typeof connectorVersions.$inferSelect): StoredVersion {
  return {
    version,
    document: JSON.parse(document),
    storedNames: storedNames as StoredVersion['storedNames'],
    publishedAt,
  };
}

/** Finds a version of a connector. */
export async function findVersion(
  db: Queryable,
  key: string,
  version: number,
): Promise<StoredVersion | undefined> {
  const [row] = await db
    .select()
    .from(connectorVersions)
    .where(and(eq(connectorVersions.connectorKey, key), eq(connectorVersions.version, version)));
  return row && toVersion(row);
}

/** Returns a text that differs whenever the published connectors, their states or the keys of their clients do. */
export async function readStamp(db: Queryable): Promise<string> {
  const { rows } = await db.execute<{ stamp: string }>(sql`
    select json_build_array(
      (select json_agg(json_build_array(key, version, withdrawn_at, deleted_at) order by key) from connectors where version is not null),
      (select json_agg(connector_key order by connector_key) from connector_clients))::text as stamp`);
  return rows[0]?.stamp ?? '';
}

/** Lists the keys of connectors that were deleted, as far back as the audit log reaches. */
export async function listDeletedKeys(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ key: string }>(
    sql`select distinct detail as key from audit_entries where action = 'connector-deleted'`,
  );
  return rows.map(({ key }) => key);
}

/** Lists the published connectors by key. */
export async function listPublished(db: Queryable): Promise<PublishedConnector[]> {
  const rows = await db
    .select({ connector: connectors, published: connectorVersions })
    .from(connectors)
    .innerJoin(
      connectorVersions,
      and(
        eq(connectorVersions.connectorKey, connectors.key),
        eq(connectorVersions.version, connectors.version),
      ),
    )
    .where(isNotNull(connectors.version))
    .orderBy(asc(connectors.key));
  return rows.map(({ connector: { key, withdrawnAt, deletedAt }, published }) => ({
    key,
    ...toVersion(published),
    state: deletedAt ? 'deleted' : withdrawnAt ? 'withdrawn' : 'published',
  }));
}

/**
 * Lists the entities of all versions of all connectors, of one, or of all but one, also those that the published versions no longer
 * have: their tables are kept.
 */
export async function listKnownEntities(
  db: Queryable,
  { of, except }: { of?: string; except?: string } = {},
): Promise<Set<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select distinct e->>'id' as id from connector_versions v cross join lateral json_array_elements(v.document::json->'entities') e
    where ${of === undefined ? sql`true` : sql`v.connector_key = ${of}`}
      and ${except === undefined ? sql`true` : sql`v.connector_key <> ${except}`}`);
  return new Set(rows.map(({ id }) => id));
}
