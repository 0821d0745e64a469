import { SYSTEM_COLUMNS } from '@datadeck/connectors';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { isRecordOf, recordTables, tableNameOf, tableOf } from './record-table.ts';
import type { RecordSource, StoredEntity } from './source.ts';
import { recordVersions } from './tables.ts';

/** Newest records whose sizes are averaged. */
const SAMPLE_SIZE = 1000;
/** Size of a row's header and item pointer, bytes (PostgreSQL: "Database Page Layout"). */
const ROW_HEADER_BYTES = 28;

/** Number of stored records of an entity, over all connections of a user, and their estimated size on disk in bytes. */
export interface EntitySize {
  entity: string;
  records: number;
  bytes: number;
}

/** Returns the average size of the newest rows of a source, in bytes. Documents are not read, only their sizes. */
async function averageRowBytes(
  db: Queryable,
  source: RecordSource,
  { table }: StoredEntity,
): Promise<number> {
  const columns = [...SYSTEM_COLUMNS, ...Object.keys(table.columns)];
  const sizes = columns.map((name) => sql`coalesce(pg_column_size(r.${sql.identifier(name)}), 0)`);
  const { rows } = await db.execute<{ bytes: number }>(sql`
    select coalesce(avg(${ROW_HEADER_BYTES}::int + ${sql.join(sizes, sql` + `)}), 0)::float8 as bytes
    from (select * from ${tableOf(source)} r where ${isRecordOf(source)}
      order by occurred_at desc, id desc limit ${SAMPLE_SIZE}) r`);
  return rows[0]?.bytes ?? 0;
}

/** Estimates the size of a user's stored records by entity, largest first. Indexes and the history of syncs are not counted. */
export async function readEntitySizes(
  db: Queryable,
  userId: string,
  entities: readonly StoredEntity[],
): Promise<EntitySize[]> {
  const stored = await db
    .select({
      connectionId: recordVersions.connectionId,
      entity: recordVersions.entity,
      records: recordVersions.records,
    })
    .from(recordVersions)
    .where(and(eq(recordVersions.userId, userId), gt(recordVersions.records, 0)));
  const sizes = new Map<string, EntitySize>();
  for (const { connectionId, entity: id, records } of stored) {
    const entity = entities.find((one) => one.id === id);
    if (entity === undefined) continue;
    const average = await averageRowBytes(db, { userId, connectionId, entity: id }, entity);
    const size = sizes.get(id) ?? { entity: id, records: 0, bytes: 0 };
    size.records += records;
    size.bytes += Math.round(records * average);
    sizes.set(id, size);
  }
  return [...sizes.values()].sort((one, other) => other.bytes - one.bytes);
}

/** Size of an entity's table with its indexes and documents, of all users, in bytes. */
export type TableSize = { entity: string; bytes: number };

/** Returns the sizes of the tables of all entities. */
export async function readTableSizes(
  db: Queryable,
  entities: readonly Pick<StoredEntity, 'id'>[],
): Promise<TableSize[]> {
  const existing = new Set(await recordTables(db));
  const sizes: TableSize[] = [];
  for (const { id } of entities) {
    const name = tableNameOf(id);
    if (!existing.has(name)) continue;
    // A partitioned table has no size of its own; a plain one is no partition tree.
    const { rows } = await db.execute<{ bytes: number }>(sql`
      select coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree(${name}::regclass)),
        pg_total_relation_size(${name}::regclass))::float8 as bytes`);
    sizes.push({ entity: id, bytes: rows[0]?.bytes ?? 0 });
  }
  return sizes;
}
