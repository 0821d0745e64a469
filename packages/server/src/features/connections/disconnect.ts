import { ProviderError } from '@datadeck/connectors';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context.ts';
import type { ConnectorRegistry } from './registry.ts';
import {
  type Connection,
  findCurrentConnection,
  listConnections,
  markDisconnected,
  openCredentials,
} from './store.ts';

/** Withdraws a grant at the provider; its failure never keeps us from forgetting the tokens. */
async function revoke(context: Context, registry: ConnectorRegistry, connection: Connection): Promise<void> {
  const credentials = openCredentials(context, connection);
  if (!credentials) return;
  try {
    await registry.connector(connection.provider).authorization.revoke(credentials);
  } catch (error) {
    const failure = error instanceof ProviderError ? error.failure : 'unknown';
    context.log.warn(
      { provider: connection.provider, failure },
      'the grant could not be withdrawn at the provider',
    );
  }
}

/**
 * Disconnects a provider: revokes at the provider, deletes the tokens, keeps the data.
 * @throws AppError sign-in-provider when it is the one the user signs in with; not-connected when it is not in use
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
  const connection = await findCurrentConnection(context.db, request.userId, request.provider);
  if (!connection || connection.status === 'disconnected') {
    throw new AppError('not-connected', `${connector.title} is not connected.`);
  }
  await revoke(context, registry, connection);
  await markDisconnected(context.db, request.userId, connection.id);
}

/** Withdraws every grant of a user, before the account is deleted. */
export async function revokeAll(
  context: Context,
  registry: ConnectorRegistry,
  userId: string,
): Promise<void> {
  const all = await listConnections(context.db, userId);
  await Promise.all(all.map((connection) => revoke(context, registry, connection)));
}
