import { STALE_TAGS } from '@datadeck/contract';
import type { User } from '../features/accounts/index.ts';
import { accountsToDisconnect, disconnect } from '../features/connections/index.ts';
import { publishInvalidation } from '../features/notifications/index.ts';
import { deleteSchedules } from '../features/schedules/index.ts';
import { endRunningSyncs, reportChangedAccounts } from '../features/sync/index.ts';
import type { Product } from './product.ts';

/**
 * Deletes the schedules and ends the running syncs of all accounts of a provider, or of one, then deletes their tokens. Records
 * stay; those of a single account are hidden while others are connected.
 * @throws AppError sign-in-provider when the user signs in with it; not-connected; validation-failed for an unknown account
 */
export async function disconnectProvider(
  product: Product,
  user: User,
  { provider, account }: { provider: string; account?: string | undefined },
): Promise<void> {
  const { context, registry } = product;
  const { id: userId } = user;
  const accounts = await accountsToDisconnect(context, registry, { user, provider, account });
  for (const { id } of accounts) {
    await deleteSchedules(context.db, userId, id);
    await endRunningSyncs(product, userId, 'Cancelled: the provider was disconnected', id);
  }
  await disconnect(context, registry, { userId, provider, accounts });
  await reportChangedAccounts(context, userId, registry.connector(provider));
  await publishInvalidation(context, userId, [...STALE_TAGS.connection, ...STALE_TAGS.rows]);
}
