import { announceSessionsEnd, closeAccount, deleteUser } from '../features/accounts/index.ts';
import { deleteConnections, forgetAll, listConnections } from '../features/connections/index.ts';
import { deleteNotifications, deleteWebhook } from '../features/notifications/index.ts';
import { deleteSavedQueries } from '../features/queries/index.ts';
import { deleteRecords, deleteRecordVersions } from '../features/records/index.ts';
import { deleteSchedules } from '../features/schedules/index.ts';
import { deleteSyncs, deleteUsage, endRunningSyncs, publishInvalidation } from '../features/sync/index.ts';
import { deleteViews } from '../features/views/index.ts';
import type { Product } from './product.ts';

const DATA_TAGS = [
  'Providers',
  'Synchronizations',
  'Entities',
  'Aggregation',
  'Views',
  'View',
  'ViewsCategories',
  'JnataQueries',
  'Schedules',
  'Notifications',
  'Changes',
];

/**
 * Deletes a provider's records and syncs, and the schedules, which would bring the records back, of every account that was
 * ever connected there; the connection stays.
 */
export async function deleteProviderData(product: Product, userId: string, provider: string): Promise<void> {
  const { context, registry } = product;
  registry.connector(provider);
  for (const { id } of await listConnections(context.db, userId, provider)) {
    await endRunningSyncs(context, userId, 'Cancelled: the data was deleted', id);
    await context.db.transaction(async (tx) => {
      await deleteSyncs(tx, userId, id);
      await deleteSchedules(tx, userId, id);
      await deleteRecords(tx, userId, id);
    });
  }
  await publishInvalidation(context, userId, DATA_TAGS);
}

/** Deletes records, syncs, schedules, notifications, saved queries, views and categories; connections, webhook, account and this month's usage stay. */
export async function deleteAllData(product: Product, userId: string): Promise<void> {
  const { context } = product;
  await endRunningSyncs(context, userId, 'Cancelled: the data was deleted');
  await context.db.transaction(async (tx) => {
    await deleteSyncs(tx, userId);
    await deleteSchedules(tx, userId);
    await deleteNotifications(tx, userId);
    await deleteViews(tx, userId);
    await deleteSavedQueries(tx, userId);
    await deleteRecords(tx, userId);
  });
  await publishInvalidation(context, userId, DATA_TAGS);
}

/** Withdraws all grants at the providers, then deletes the account with everything it has. */
export async function deleteAccount(product: Product, userId: string): Promise<void> {
  const { context, registry } = product;
  await endRunningSyncs(context, userId, 'Cancelled: the account was deleted');
  await forgetAll(context, registry, userId);
  await context.db.transaction(async (tx) => {
    await closeAccount(tx, userId);
    await deleteSyncs(tx, userId);
    await deleteSchedules(tx, userId);
    await deleteNotifications(tx, userId);
    await deleteWebhook(tx, userId);
    await deleteViews(tx, userId);
    await deleteSavedQueries(tx, userId);
    await deleteRecords(tx, userId);
    await deleteRecordVersions(tx, userId);
    await deleteUsage(tx, userId);
    await deleteConnections(tx, userId);
    await deleteUser(tx, userId);
  });
  await announceSessionsEnd(context, userId);
}
