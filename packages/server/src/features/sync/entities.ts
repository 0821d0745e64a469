import type { Plan, UserEntity } from '@datadeck/contract';
import { desc, eq } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { type ConnectorRegistry, listCurrentConnections } from '../connections/index.ts';
import { syncs } from './tables.ts';
import { readUsage, toUsage } from './usage.ts';
import { settingsOf } from './wire.ts';

/** Every entity with its settings, the month's usage, the plan's cap and the settings of its last sync. */
export async function listEntities(
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
  return registry.all().flatMap((connector) =>
    connector.entities.map((entity) => {
      const { cap, monthlyRuns } = entity.limits[user.plan];
      const connection = connections.find((one) => one.provider === connector.key);
      const last = latest.find((sync) => sync.connectionId === connection?.id && sync.entity === entity.id);
      return {
        id: entity.id,
        title: entity.title,
        description: entity.description,
        providerId: connector.key,
        dependsOn: entity.dependsOn.map((one) => ({ ...one, provider: connector.key })),
        multi: entity.multi,
        settings: [...entity.settings],
        usage: toUsage(used.get(entity.id) ?? 0, monthlyRuns, now),
        cap,
        lastSettings: last ? settingsOf(last) : null,
      };
    }),
  );
}
