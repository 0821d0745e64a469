import type { EntityDefinition } from '@datadeck/connectors';
import type { EntityAccount, Plan, UserEntity } from '@datadeck/contract';
import { desc, eq } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { type Connection, type ConnectorRegistry, listShownConnections } from '../connections/index.ts';
import { countUnprepared, type SourceState, sourceStates } from '../records/index.ts';
import { defaultAccount } from './choose-account.ts';
import { listSources } from './sources.ts';
import { syncs } from './tables.ts';
import { type SyncRow, settingsOf } from './to-response.ts';
import { readUsage, toUsage } from './usage.ts';
import { readValueNames } from './value-names.ts';

/** What is known of a user's accounts. */
interface KnownAccounts {
  userId: string;
  /** The shown connections of all providers. */
  connections: readonly Connection[];
  /** The latest sync of each entity of each connection. */
  latest: readonly SyncRow[];
  states: readonly SourceState[];
  sources: Awaited<ReturnType<typeof listSources>>;
}

/** Describes an entity in one account. */
async function describeAccount(
  { db }: Context,
  registry: ConnectorRegistry,
  { entity, connection, known }: { entity: EntityDefinition; connection: Connection; known: KnownAccounts },
): Promise<Omit<EntityAccount, 'isDefault'>> {
  const { id: connectionId, account, title, status } = connection;
  const isOf = (one: { connectionId: string; entity: string }) =>
    one.connectionId === connectionId && one.entity === entity.id;
  const last = known.latest.find(isOf);
  const source = known.sources.find(isOf);
  const valueNames = await readValueNames(db, registry, { userId: known.userId, connectionId, entity });
  return {
    account,
    title,
    status,
    lastSettings: last ? settingsOf(last) : null,
    source: source ? { scopes: source.scopes, since: source.since } : null,
    ...(valueNames && { valueNames }),
    records: known.states.find(isOf)?.records ?? 0,
  };
}

/** Counts the records of an entity that the backfill has not converted yet after an upgrade. */
async function countUnconverted(
  { db }: Context,
  entity: EntityDefinition,
  { userId, states }: KnownAccounts,
  ids: readonly string[],
): Promise<number> {
  let count = 0;
  for (const state of states)
    if (
      state.entity === entity.id &&
      ids.includes(state.connectionId) &&
      state.extraction < entity.extraction
    )
      count += await countUnprepared(db, { userId, ...state }, entity);
  return count;
}

/** Describes an entity in all accounts of its provider. The values of the entity itself are those of the default account. */
async function describeEntity(
  context: Context,
  registry: ConnectorRegistry,
  { provider, entity, known }: { provider: string; entity: EntityDefinition; known: KnownAccounts },
): Promise<Pick<UserEntity, 'lastSettings' | 'valueNames' | 'accounts' | 'unconverted'>> {
  const connections = known.connections.filter((one) => one.provider === provider);
  const runs = known.latest.filter((sync) => sync.entity === entity.id);
  const latest = runs.toSorted((one, other) => other.number - one.number).map((run) => run.connectionId);
  const main = defaultAccount(connections, latest);
  const accounts: EntityAccount[] = [];
  for (const connection of connections) {
    const described = await describeAccount(context, registry, { entity, connection, known });
    accounts.push({ ...described, isDefault: connection === main });
  }
  const { lastSettings = null, valueNames } = accounts.find(({ isDefault }) => isDefault) ?? {};
  const ids = connections.map(({ id }) => id);
  const unconverted = await countUnconverted(context, entity, known, ids);
  return { lastSettings, ...(valueNames && { valueNames }), accounts, unconverted };
}

/**
 * Describes the entities of all connectors: settings, this month's usage, the plan's cap, the state of each account with the
 * settings of its last sync and the names of their values, and the number of records that are still being converted.
 */
export async function describeEntities(
  context: Context,
  registry: ConnectorRegistry,
  user: { userId: string; plan: Plan },
): Promise<UserEntity[]> {
  const now = new Date();
  const { userId, plan } = user;
  const used = await readUsage(context.db, userId, now);
  const latest = await context.db
    .selectDistinctOn([syncs.connectionId, syncs.entity])
    .from(syncs)
    .where(eq(syncs.userId, userId))
    .orderBy(syncs.connectionId, syncs.entity, desc(syncs.number));
  const connections = await listShownConnections(context.db, userId);
  const known = {
    userId,
    connections,
    latest,
    states: await sourceStates(context.db, userId),
    sources: await listSources(context.db, userId),
  };
  const described: UserEntity[] = [];
  for (const { key: provider, entities } of registry.all())
    for (const entity of entities) {
      const { cap, monthlyRuns, scopes: limit = 1 } = entity.limits[plan];
      described.push({
        id: entity.id,
        title: entity.title,
        description: entity.description,
        providerId: provider,
        dependsOn: entity.dependsOn.map((one) => ({ ...one, provider })),
        multi: entity.multi,
        isMail: entity.isMail === true,
        settings: [...entity.settings],
        usage: toUsage(used.get(entity.id) ?? 0, monthlyRuns, now),
        cap,
        ...(entity.scopes && { scopes: { one: entity.scopes.one, many: entity.scopes.many, limit } }),
        ...(await describeEntity(context, registry, { provider, entity, known })),
      });
    }
  return described;
}
