import type { DiskUse } from '@datadeck/contract';
import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { limitReads } from '../../platform/limited-reads.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { readEntitySizes, readTableSizes } from '../records/index.ts';

/** Time for which the exported sizes are kept, ms. */
const FRESH_MS = 60_000;

/**
 * Returns about how much disk space a user's records take, by entity, largest first. A title that two of them have names
 * the provider, too.
 */
export async function readDiskUse(
  { db }: Pick<Context, 'db'>,
  registry: ConnectorRegistry,
  userId: string,
): Promise<DiskUse['entities']> {
  const connectors = registry.all();
  const entities = connectors.flatMap((connector) => connector.entities);
  const titleOf = (id: string) => entities.find((entity) => entity.id === id)?.title ?? id;
  const providerOf = (id: string) =>
    connectors.find((connector) => connector.entities.some((entity) => entity.id === id))?.title;
  const sizes = await readEntitySizes(db, userId, entities);
  return sizes.map((size) => {
    const title = titleOf(size.entity);
    const isShared = sizes.some(({ entity }) => entity !== size.entity && titleOf(entity) === title);
    return { ...size, title: isShared ? `${title} · ${providerOf(size.entity)}` : title };
  });
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
