import { type CacheTag, STALE_TAGS } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { forgetResults } from '../../platform/evaluation/index.ts';
import {
  announceSessionsEnd,
  deleteUser,
  findIdleDemoUsers,
  lockAccountForDeletion,
} from '../accounts/index.ts';
import { deleteAlerts } from '../alerts/index.ts';
import { deleteBoards } from '../boards/index.ts';
import {
  type ConnectorRegistry,
  deleteConnections,
  deleteDisconnected,
  listConnections,
  replaceConnectionId,
  requireAccount,
  revokeAll,
  type Schedulers,
} from '../connections/index.ts';
import { deleteCurves } from '../curves/index.ts';
import { deleteNotifications, deleteWebhook, publishInvalidation } from '../notifications/index.ts';
import { deleteSavedQueries } from '../queries/index.ts';
import { deleteListedIds } from '../records/index.ts';
import { deleteSchedules } from '../schedules/index.ts';
import { announceShares, deleteInvitations, deleteShares } from '../shares/index.ts';
import { deleteSqlRoles } from '../sql-access/index.ts';
import {
  announceEndedSyncs,
  type CancelReason,
  deleteSyncs,
  endRunningSyncs,
  endRuns,
  reportChangedAccounts,
} from '../sync/index.ts';
import { deleteTokens } from '../tokens/index.ts';
import { deleteViews } from '../views/index.ts';
import { enqueueDeletion } from './queue.ts';
import type { DeletionWorker } from './worker.ts';

const CANCEL_REASON: CancelReason = 'Cancelled: the data was deleted';

/** The parts of the product that a deletion needs. */
interface Parts {
  context: Context;
  registry: ConnectorRegistry;
  schedulers: Schedulers;
  deletions: DeletionWorker;
}

/** The result of a deletion's transaction, to be announced and processed after the commit. */
interface DetachedData {
  /** Ids of deletions to process in the background. */
  deletions: string[];
  /** Ids of syncs that were running. */
  ended: string[];
}

/**
 * Makes all data of a connection invisible in constant time: assigns a new id to the connection and enqueues the deletion of
 * the data under its old one.
 */
async function detachData(tx: Queryable, userId: string, connectionId: string): Promise<DetachedData> {
  // A disconnected account is gone with its data.
  await deleteDisconnected(tx, { userId, id: connectionId });
  await replaceConnectionId(tx, { userId, id: connectionId });
  const running = await endRuns(tx, userId, sql`connection_id = ${connectionId}`, CANCEL_REASON);
  for (const { id } of running) await deleteListedIds(tx, userId, id);
  await deleteSyncs(tx, userId, connectionId);
  await deleteSchedules(tx, userId, connectionId);
  return {
    deletions: [await enqueueDeletion(tx, { accountId: userId, connectionId })],
    ended: running.map(({ id }) => id),
  };
}

/** Detaches the data of all accounts, shown or not, at one provider or at all. */
async function detachAll(tx: Queryable, userId: string, provider?: string): Promise<DetachedData> {
  const all: DetachedData = { deletions: [], ended: [] };
  for (const { id } of await listConnections(tx, userId, provider)) {
    const { deletions, ended } = await detachData(tx, userId, id);
    all.deletions.push(...deletions);
    all.ended.push(...ended);
  }
  return all;
}

/** Notifies the user's pages and the workers, then starts deleting the detached data. */
async function announceAndDelete(
  { context, deletions }: Parts,
  userId: string,
  { detached, stale }: { detached: DetachedData; stale: readonly CacheTag[] },
): Promise<void> {
  await Promise.all([
    announceEndedSyncs(context, detached.ended),
    publishInvalidation(context, userId, stale),
    forgetResults(context, userId),
  ]);
  await deletions.runNow(detached.deletions);
}

/**
 * Deletes the records, syncs, alerts, curves and schedules (which would fetch the records again) of every account ever connected at a
 * provider; of one account, its records, syncs and schedules. Connections stay, disconnected accounts go.
 * @throws AppError not-found; validation-failed for an unknown account
 */
export async function deleteProviderData(
  parts: Parts,
  userId: string,
  { provider, account = '' }: { provider: string; account?: string | undefined },
): Promise<void> {
  const { context, registry } = parts;
  const connector = registry.connector(provider);
  const detached = await context.db.transaction(async (tx) => {
    if (account !== '')
      return detachData(tx, userId, (await requireAccount(tx, userId, connector, account)).id);
    await deleteAlerts(tx, userId, { provider });
    await deleteCurves(tx, userId, { provider });
    return detachAll(tx, userId, provider);
  });
  // The views of other accounts' records show fewer rows, which is no change of these.
  await reportChangedAccounts(context, userId, connector);
  await announceAndDelete(parts, userId, { detached, stale: STALE_TAGS.providerData });
}

/**
 * Deletes records, syncs, schedules, notifications, saved queries, views with their alerts and curves, categories, and boards, with the
 * invitations to them. Connections, webhook, account, this month's usage and what others share with the user stay.
 */
export async function deleteAllData(parts: Parts, userId: string): Promise<void> {
  let members: string[] = [];
  const detached = await parts.context.db.transaction(async (tx) => {
    const all = await detachAll(tx, userId);
    await deleteAlerts(tx, userId);
    await deleteCurves(tx, userId);
    await deleteNotifications(tx, userId);
    await deleteViews(tx, userId);
    await deleteBoards(tx, userId);
    members = await deleteInvitations(tx, userId);
    await deleteSavedQueries(tx, userId);
    return all;
  });
  await announceShares(parts.context, members);
  await announceAndDelete(parts, userId, { detached, stale: STALE_TAGS.allData });
}

/**
 * Deletes the account with all its data, then revokes its grants at the providers.
 * @param within runs in the deletion's transaction, after the account is locked; the account stays, with its grants, if it throws
 */
export async function deleteAccount(
  parts: Parts,
  userId: string,
  within: (tx: Queryable) => Promise<void> = async () => undefined,
): Promise<void> {
  const { context, registry, deletions } = parts;
  await endRunningSyncs(parts, userId, 'Cancelled: the account was deleted');
  const { deletion, connected, others } = await context.db.transaction(async (tx) => {
    await lockAccountForDeletion(tx, userId);
    await within(tx);
    await deleteAlerts(tx, userId);
    await deleteCurves(tx, userId);
    await deleteNotifications(tx, userId);
    await deleteWebhook(tx, userId);
    await deleteTokens(tx, userId);
    await deleteSqlRoles(tx, userId);
    await deleteViews(tx, userId);
    await deleteBoards(tx, userId);
    const others = await deleteShares(tx, userId);
    await deleteSavedQueries(tx, userId);
    // Workers cannot store anything after the rows of their syncs are deleted.
    await deleteSyncs(tx, userId);
    await deleteSchedules(tx, userId);
    const connected = await listConnections(tx, userId);
    await deleteConnections(tx, userId);
    await deleteUser(tx, userId);
    const deletion = await enqueueDeletion(tx, { accountId: userId, connectionId: null });
    return { deletion, connected, others };
  });
  // Grants come last: what is refused within the transaction must not have lost them.
  await Promise.all([
    announceSessionsEnd(context, userId),
    announceShares(context, others),
    forgetResults(context, userId),
    revokeAll(context, registry, connected),
    deletions.runNow([deletion]),
  ]);
}

/** Deletes the workspaces of demo users who were idle for a day. Logs failures and continues. */
export async function deleteIdleDemoWorkspaces(parts: Parts): Promise<void> {
  for (const userId of await findIdleDemoUsers(parts.context))
    await deleteAccount(parts, userId).catch((error: unknown) =>
      parts.context.log.error({ err: error, userId }, 'could not delete an idle demo workspace'),
    );
}
