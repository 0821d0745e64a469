import { type CacheTag, STALE_TAGS } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import {
  announceSessionsEnd,
  deleteUser,
  findIdleDemoUsers,
  lockAccountForDeletion,
} from '../features/accounts/index.ts';
import {
  deleteConnections,
  listConnections,
  replaceConnectionId,
  revokeAll,
} from '../features/connections/index.ts';
import { deleteNotifications, deleteWebhook, publishInvalidation } from '../features/notifications/index.ts';
import { deleteSavedQueries } from '../features/queries/index.ts';
import { deleteSchedules } from '../features/schedules/index.ts';
import {
  announceEndedSyncs,
  type CancelReason,
  deleteSeen,
  deleteSyncs,
  endRunningSyncs,
  endRuns,
  enqueueDeletion,
} from '../features/sync/index.ts';
import { deleteViews } from '../features/views/index.ts';
import type { Queryable } from '../platform/db/pool.ts';
import type { Product } from './product.ts';

const REASON: CancelReason = 'Cancelled: the data was deleted';

/** What a deletion's transaction did: to be announced and removed when it is committed. */
interface Detached {
  /** Deletions that go on in the background. */
  deletions: string[];
  /** Syncs that were running. */
  ended: string[];
}

/**
 * Makes everything that is stored under a connection invisible, in a moment however much it is: the connection gets
 * another id, and what belongs to the former one is noted to be deleted.
 */
async function detachData(tx: Queryable, userId: string, connectionId: string): Promise<Detached> {
  await replaceConnectionId(tx, { userId, id: connectionId });
  const running = await endRuns(tx, userId, sql`connection_id = ${connectionId}`, REASON);
  for (const { id } of running) await deleteSeen(tx, userId, id);
  await deleteSyncs(tx, userId, connectionId);
  await deleteSchedules(tx, userId, connectionId);
  return {
    deletions: [await enqueueDeletion(tx, { accountId: userId, connectionId })],
    ended: running.map(({ id }) => id),
  };
}

/** Detaches the data of every account that was ever connected, at one provider or at all. */
async function detachAll(tx: Queryable, userId: string, provider?: string): Promise<Detached> {
  const all: Detached = { deletions: [], ended: [] };
  for (const { id } of await listConnections(tx, userId, provider)) {
    const { deletions, ended } = await detachData(tx, userId, id);
    all.deletions.push(...deletions);
    all.ended.push(...ended);
  }
  return all;
}

/** Tells the user's pages and the workers, and removes what was detached. */
async function finish(
  { context, deletions }: Product,
  userId: string,
  { detached, stale }: { detached: Detached; stale: readonly CacheTag[] },
): Promise<void> {
  await Promise.all([
    announceEndedSyncs(context, detached.ended),
    publishInvalidation(context, userId, stale),
  ]);
  await deletions.hurry(detached.deletions);
}

/**
 * Deletes a provider's records and syncs, and the schedules, which would bring the records back, of every account that was
 * ever connected there; the connection stays.
 */
export async function deleteProviderData(product: Product, userId: string, provider: string): Promise<void> {
  product.registry.connector(provider);
  const detached = await product.context.db.transaction((tx) => detachAll(tx, userId, provider));
  await finish(product, userId, { detached, stale: STALE_TAGS.providerData });
}

/** Deletes records, syncs, schedules, notifications, saved queries, views and categories; connections, webhook, account and this month's usage stay. */
export async function deleteAllData(product: Product, userId: string): Promise<void> {
  const detached = await product.context.db.transaction(async (tx) => {
    const all = await detachAll(tx, userId);
    await deleteNotifications(tx, userId);
    await deleteViews(tx, userId);
    await deleteSavedQueries(tx, userId);
    return all;
  });
  await finish(product, userId, { detached, stale: STALE_TAGS.allData });
}

/** Withdraws all grants at the providers, then deletes the account with everything it has. */
export async function deleteAccount(product: Product, userId: string): Promise<void> {
  const { context, registry, deletions } = product;
  await endRunningSyncs(context, userId, 'Cancelled: the account was deleted');
  await revokeAll(context, registry, userId);
  const deletion = await context.db.transaction(async (tx) => {
    await lockAccountForDeletion(tx, userId);
    await deleteNotifications(tx, userId);
    await deleteWebhook(tx, userId);
    await deleteViews(tx, userId);
    await deleteSavedQueries(tx, userId);
    // Without their rows no worker stores anything more.
    await deleteSyncs(tx, userId);
    await deleteSchedules(tx, userId);
    await deleteConnections(tx, userId);
    await deleteUser(tx, userId);
    return enqueueDeletion(tx, { accountId: userId, connectionId: null });
  });
  await announceSessionsEnd(context, userId);
  await deletions.hurry([deletion]);
}

/** Deletes the workspaces of demo users who were idle for a day. A failure is logged and does not end the loop. */
export async function deleteIdleDemoWorkspaces(product: Product): Promise<void> {
  for (const userId of await findIdleDemoUsers(product.context))
    await deleteAccount(product, userId).catch((error: unknown) =>
      product.context.log.error({ err: error, userId }, 'an idle demo workspace could not be deleted'),
    );
}
