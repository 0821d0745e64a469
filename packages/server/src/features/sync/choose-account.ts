import type { Connector } from '@datadeck/connectors';
import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import {
  type Connection,
  listShownConnections,
  requireAccount,
  requireUsable,
} from '../connections/index.ts';
import { syncs } from './tables.ts';

/**
 * Returns the account that a sync of an entity means when none is named: the one of the latest sync among the shown accounts,
 * else the one that was connected first; a connected one before a disconnected one.
 * @param latest ids of connections with syncs of the entity, the latest first
 */
export function defaultAccount<T extends Pick<Connection, 'id' | 'status'>>(
  shown: readonly T[],
  latest: readonly string[],
): T | undefined {
  const used = latest.flatMap((id) => shown.filter((one) => one.id === id));
  return used.find(isInUse) ?? shown.find(isInUse) ?? used[0] ?? shown[0];
}

function isInUse({ status }: Pick<Connection, 'status'>): boolean {
  return status !== 'disconnected';
}

/** Lists the connections with syncs of an entity, the one of the latest sync first. */
async function latestConnections(
  db: Queryable,
  { userId, entity, ids }: { userId: string; entity: string; ids: string[] },
): Promise<string[]> {
  if (ids.length < 2) return ids;
  const rows = await db
    .selectDistinctOn([syncs.connectionId], { id: syncs.connectionId, number: syncs.number })
    .from(syncs)
    .where(and(eq(syncs.userId, userId), inArray(syncs.connectionId, ids), eq(syncs.entity, entity)))
    .orderBy(syncs.connectionId, desc(syncs.number));
  return rows.sort((one, other) => other.number - one.number).map(({ id }) => id);
}

/**
 * Finds the account that a request means: the named one, else the default one of the entity.
 * @returns undefined before the provider was first connected
 * @throws AppError validation-failed for an unknown account
 */
export async function chooseAccount(
  db: Queryable,
  connector: Pick<Connector, 'key' | 'title'>,
  request: { userId: string; entity: string; account?: string | null | undefined },
): Promise<Connection | undefined> {
  const { userId, entity, account } = request;
  if (account) return requireAccount(db, userId, connector, account);
  const shown = await listShownConnections(db, userId, { provider: connector.key });
  const ids = shown.map(({ id }) => id);
  return defaultAccount(shown, await latestConnections(db, { userId, entity, ids }));
}

/**
 * Finds the account that a request means, if it can be used for calls.
 * @throws AppError validation-failed, demo-forbids, reconnect-needed, not-connected
 */
export async function chooseUsableAccount(
  db: Queryable,
  connector: Pick<Connector, 'key' | 'title'>,
  request: { userId: string; entity: string; account?: string | null | undefined },
): Promise<Connection> {
  return requireUsable(await chooseAccount(db, connector, request), connector);
}
