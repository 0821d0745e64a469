import { lifecycleOf, ProviderError } from '@datadeck/connectors';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { ConnectorRegistry } from './registry.ts';
import {
  type Connection,
  hasTokensForAccount,
  listConnections,
  markDisconnected,
  openCredentials,
} from './store.ts';

/**
 * Deletes a connection's tokens, then revokes the grant at the provider. The revocation comes last because it may fail,
 * and is skipped if another user has connected the same account and would lose access.
 */
async function revoke(
  context: Context,
  registry: ConnectorRegistry,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
): Promise<void> {
  const connection = await markDisconnected(context, userId, id);
  const credentials = connection && openCredentials(context, connection);
  if (!credentials || (await hasTokensForAccount(context.db, connection))) return;
  try {
    await lifecycleOf(registry.connector(connection.provider), credentials).revoke(credentials);
  } catch (error) {
    const failure = error instanceof ProviderError ? error.failure : 'unknown';
    context.log.warn(
      { provider: connection.provider, failure },
      'could not revoke the grant at the provider',
    );
  }
}

/**
 * Disconnects a provider: deletes the tokens of all accounts connected there, revokes the grants, keeps the data.
 * @throws AppError sign-in-provider when the user signs in with it; not-connected
 */
export async function disconnect(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; provider: string; signInProvider: string | null },
): Promise<void> {
  const connector = registry.connector(request.provider);
  if (request.signInProvider === request.provider) {
    throw new AppError('sign-in-provider', `${connector.title} cannot be disconnected: you sign in with it.`);
  }
  const all = await listConnections(context.db, request.userId, request.provider);
  const connected = all.filter(({ status }) => status !== 'disconnected');
  if (connected.length === 0) throw new AppError('not-connected', `${connector.title} is not connected.`);
  for (const connection of connected) await revoke(context, registry, connection);
}

/** Deletes the tokens of all connections and revokes their grants, before the account is deleted. */
export async function revokeAll(
  context: Context,
  registry: ConnectorRegistry,
  userId: string,
): Promise<void> {
  const all = await listConnections(context.db, userId);
  await Promise.all(all.map((connection) => revoke(context, registry, connection)));
}
