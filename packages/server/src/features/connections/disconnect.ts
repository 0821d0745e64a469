import { ProviderError } from '@datadeck/connectors';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { ConnectorRegistry } from './registry.ts';
import { type Connection, isInUse, listConnections, markDisconnected, openCredentials } from './store.ts';

/**
 * Forgets a connection's tokens, then withdraws the grant at the provider: last, for its failure must not keep us from
 * forgetting, and only when no other user has connected the same account, whose access would end with it.
 */
async function forget(
  context: Context,
  registry: ConnectorRegistry,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
): Promise<void> {
  const connection = await markDisconnected(context, userId, id);
  const credentials = connection && openCredentials(context, connection);
  if (!credentials || (await isInUse(context.db, connection))) return;
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
 * Disconnects a provider: deletes the tokens of every account connected there, revokes at the provider, keeps the data.
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
  const all = await listConnections(context.db, request.userId, request.provider);
  const held = all.filter(({ status }) => status !== 'disconnected');
  if (held.length === 0) throw new AppError('not-connected', `${connector.title} is not connected.`);
  for (const connection of held) await forget(context, registry, connection);
}

/** Forgets every connection's tokens and withdraws its grant, before the account is deleted. */
export async function forgetAll(
  context: Context,
  registry: ConnectorRegistry,
  userId: string,
): Promise<void> {
  const all = await listConnections(context.db, userId);
  await Promise.all(all.map((connection) => forget(context, registry, connection)));
}
