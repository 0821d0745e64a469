import type { Plan, UserEntity } from '@datadeck/contract';
import { desc, eq } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { type ConnectorRegistry, listCurrentConnections } from '../connections/index.ts';
import { countUnprepared, extractionsOf } from '../records/index.ts';
import { syncs } from './tables.ts';
import { settingsOf } from './to-response.ts';
import { readUsage, toUsage } from './usage.ts';
import { readValueNames } from './value-names.ts';

/** Counts, per entity, the records that the backfill has not converted yet after an upgrade. */
async function countUnconverted(
  { db }: Context,
  registry: ConnectorRegistry,
  { userId, connections }: { userId: string; connections: readonly { id: string; provider: string }[] },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const extractions = await extractionsOf(db, userId);
  for (const { provider, id: connectionId } of connections)
    for (const entity of registry.connector(provider).entities) {
      const source = { userId, connectionId, entity: entity.id };
      const found = extractions.find((one) => one.connectionId === connectionId && one.entity === entity.id);
      if (found && found.extraction < entity.extraction)
        counts.set(entity.id, await countUnprepared(db, source, entity));
    }
  return counts;
}

/** Reads the names of setting values, by entity of the connections. */
async function readAllValueNames(
  { db }: Context,
  registry: ConnectorRegistry,
  { userId, connections }: { userId: string; connections: readonly { id: string; provider: string }[] },
): Promise<Map<string, NonNullable<UserEntity['valueNames']>>> {
  const all = new Map<string, NonNullable<UserEntity['valueNames']>>();
  for (const { provider, id: connectionId } of connections)
    for (const entity of registry.connector(provider).entities) {
      const names = await readValueNames(db, registry, { userId, connectionId, entity });
      if (names) all.set(entity.id, names);
    }
  return all;
}

/**
 * Describes the entities of all connectors: settings with the names of their values, this month's usage, the plan's cap, the
 * settings of the last sync, and the number of records that are still being converted.
 */
export async function describeEntities(
  context: Context,
  registry: ConnectorRegistry,
  user: { userId: string; plan: Plan },
): Promise<UserEntity[]> {
  const now = new Date();
  const used = await readUsage(context.db, user.userId, now);
  const connections = await listCurrentConnections(context.db, user.userId);
  const latest = await context.db
    .selectDistinctOn([syncs.connectionId, syncs.entity])
    .from(syncs)
    .where(eq(syncs.userId, user.userId))
    .orderBy(syncs.connectionId, syncs.entity, desc(syncs.number));
  const allNames = await readAllValueNames(context, registry, { userId: user.userId, connections });
  const unconverted = await countUnconverted(context, registry, { userId: user.userId, connections });
  return registry.all().flatMap((connector) =>
    connector.entities.map((entity) => {
      const { cap, monthlyRuns } = entity.limits[user.plan];
      const connection = connections.find((one) => one.provider === connector.key);
      const last = latest.find((sync) => sync.connectionId === connection?.id && sync.entity === entity.id);
      const valueNames = allNames.get(entity.id);
      return {
        id: entity.id,
        title: entity.title,
        description: entity.description,
        providerId: connector.key,
        dependsOn: entity.dependsOn.map((one) => ({ ...one, provider: connector.key })),
        multi: entity.multi,
        isMail: entity.isMail === true,
        settings: [...entity.settings],
        usage: toUsage(used.get(entity.id) ?? 0, monthlyRuns, now),
        cap,
        lastSettings: last ? settingsOf(last) : null,
        ...(valueNames && { valueNames }),
        unconverted: unconverted.get(entity.id) ?? 0,
      };
    }),
  );
}
