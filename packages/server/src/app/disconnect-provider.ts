import { STALE_TAGS } from '@datadeck/contract';
import type { User } from '../features/accounts/index.ts';
import { disconnect, listConnections } from '../features/connections/index.ts';
import { publishInvalidation } from '../features/notifications/index.ts';
import { deleteSchedules } from '../features/schedules/index.ts';
import { endRunningSyncs } from '../features/sync/index.ts';
import type { Product } from './product.ts';

/**
 * Deletes the schedules and ends the running syncs of a provider's connections, then deletes their tokens. Records
 * stay.
 * @throws AppError sign-in-provider when the user signs in with it; not-connected
 */
export async function disconnectProvider(
  product: Product,
  { id: userId, signInProvider }: User,
  provider: string,
): Promise<void> {
  const { context, registry } = product;
  const isSignInProvider = signInProvider === provider;
  for (const { id } of isSignInProvider ? [] : await listConnections(context.db, userId, provider)) {
    await deleteSchedules(context.db, userId, id);
    await endRunningSyncs(product, userId, 'Cancelled: the provider was disconnected', id);
  }
  await disconnect(context, registry, { userId, provider, signInProvider });
  await publishInvalidation(context, userId, STALE_TAGS.connection);
}
