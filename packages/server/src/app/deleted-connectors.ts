import { findUser } from '../features/accounts/index.ts';
import { dropConnector, listDeleted, listUsersOf } from '../features/connectors/index.ts';
import { deleteProviderData } from '../features/deletion/index.ts';
import { AppError } from '../platform/app-error.ts';
import { disconnectProvider } from './disconnect-provider.ts';
import type { Product } from './product.ts';

/** Disconnects the accounts of a user at a provider and deletes their data, in the background where it is much. */
async function removeFrom(product: Product, userId: string, provider: string): Promise<void> {
  const user = await findUser(product.context.db, userId);
  if (!user) return;
  await disconnectProvider(product, user, { provider }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'not-connected') throw error;
  });
  await deleteProviderData(product, userId, { provider });
}

/**
 * Removes what users have of deleted connectors, then the connectors themselves. Housekeeping continues what is left: large data is
 * deleted in the background.
 */
export async function finishDeletedConnectors(product: Product): Promise<void> {
  const { background, connectors, registry } = product;
  for (const key of await listDeleted(background.db)) {
    const isKnown = registry.all().some((connector) => connector.key === key);
    const users = isKnown ? await listUsersOf(background.db, key) : [];
    for (const userId of users)
      await removeFrom(product, userId, key).catch((error: unknown) =>
        background.log.error({ err: error, userId, key }, 'could not remove the data of a deleted connector'),
      );
    if (await dropConnector(background.db, key)) await connectors.changed(background);
  }
}
