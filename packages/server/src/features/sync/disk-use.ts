import type { AdminHealth, DiskUse } from '@datadeck/contract';
import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { limitReads } from '../../platform/limited-reads.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { readEntitySizes, readTableSizes } from '../records/index.ts';

/** Time for which the exported sizes are kept, ms. */
const FRESH_MS = 60_000;

/** Returns the title of an entity; it names the provider, too, if another one among the listed ids has the same title. */
export function entityTitle(registry: ConnectorRegistry, id: string, listed: readonly string[]): string {
  const entities = registry
    .all()
    .flatMap(({ title: provider, entities: all }) => all.map((entity) => ({ ...entity, provider })));
  const titleOf = (one: string) => entities.find((entity) => entity.id === one)?.title ?? one;
  const title = titleOf(id);
  const isShared = listed.some((other) => other !== id && titleOf(other) === title);
  return isShared ? `${title} · ${entities.find((entity) => entity.id === id)?.provider}` : title;
}

/**
 * Returns about how much disk space a user's records take, by entity, largest first. A title that two of them have names
 * the provider, too.
 */
export async function readDiskUse(
  { db }: Pick<Context, 'db'>,
  registry: ConnectorRegistry,
  userId: string,
): Promise<DiskUse['entities']> {
  const entities = registry.all().flatMap((connector) => connector.entities);
  const sizes = await readEntitySizes(db, userId, entities);
  const listed = sizes.map(({ entity }) => entity);
  return sizes.map((size) => ({ ...size, title: entityTitle(registry, size.entity, listed) }));
}

/** Returns the sizes of the tables of all entities, over all users, largest first. */
export async function readEntityTables(
  { db }: Pick<Context, 'db'>,
  registry: ConnectorRegistry,
): Promise<AdminHealth['tables']> {
  const entities = registry.all().flatMap((connector) => connector.entities);
  const tables = await readTableSizes(db, entities);
  const listed = tables.map(({ entity }) => entity);
  return tables
    .map((table) => ({ ...table, title: entityTitle(registry, table.entity, listed) }))
    .sort((one, other) => other.bytes - one.bytes);
}

/** Exports the size of each entity's table, over all users. It is missing while the database does not answer. */
export function exportTableSizes(registry: Registry, db: Queryable, connectors: ConnectorRegistry): void {
  const entities = connectors.all().flatMap((connector) => connector.entities);
  const read = limitReads(() => readTableSizes(db, entities), FRESH_MS);
  new Gauge({
    name: 'datadeck_entity_disk_bytes',
    help: 'Disk space of the records of an entity with their indexes, over all users',
    labelNames: ['entity'],
    registers: [registry],
    async collect() {
      const sizes = await read();
      this.reset();
      for (const { entity, bytes } of sizes) this.set({ entity }, bytes);
    },
  });
}
