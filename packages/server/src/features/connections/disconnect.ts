import { lifecycleOf, ProviderError } from '@datadeck/connectors';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { listIdentities, lockAccount, type User } from '../accounts/index.ts';
import type { ConnectorRegistry } from './registry.ts';
import {
  type Connection,
  hasTokensForAccount,
  listConnections,
  markDisconnected,
  openCredentials,
  requireAccount,
} from './store.ts';

/**
 * Revokes the grant of a connection whose tokens are deleted. It comes last because it may fail, and is skipped if another
 * connection of any user has tokens for the same account, which would lose access.
 */
async function revoke(context: Context, registry: ConnectorRegistry, connection: Connection): Promise<void> {
  const credentials = openCredentials(context, connection);
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

/** Deletes the tokens of accounts of a provider, then revokes their grants there. */
async function disconnectAll(
  context: Context,
  registry: ConnectorRegistry,
  { userId, ...which }: { userId: string; provider: string; ids: readonly string[] },
): Promise<void> {
  const ended = await context.db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    return markDisconnected(tx, userId, which);
  });
  for (const connection of ended) await revoke(context, registry, connection);
}

/**
 * Returns the connected accounts of a provider that a request to disconnect means: all of them, or the named one.
 * @throws AppError sign-in-provider when the user signs in with it; not-connected; validation-failed for an unknown account
 */
export async function accountsToDisconnect(
  context: Context,
  registry: ConnectorRegistry,
  { user, provider, account = '' }: { user: User; provider: string; account?: string | undefined },
): Promise<Connection[]> {
  const connector = registry.connector(provider);
  const { title } = connector;
  const refused = (name: string) =>
    new AppError('sign-in-provider', `${name} cannot be disconnected: you sign in with it.`);
  if (account === '' && user.signInProvider === provider) throw refused(title);
  const found =
    account === ''
      ? await listConnections(context.db, user.id, provider)
      : [await requireAccount(context.db, user.id, connector, account)];
  const connected = found.filter(({ status }) => status !== 'disconnected');
  if (connected.length === 0)
    throw new AppError('not-connected', `${account === '' ? title : account} is not connected.`);
  const isSignIn = ({ subject }: Connection) =>
    identities.some((one) => one.provider === provider && one.subject === subject);
  const identities = account === '' ? [] : await listIdentities(context.db, user.id);
  if (connected.some(isSignIn)) throw refused(account);
  return connected;
}

/** Disconnects accounts of a provider: deletes their tokens, revokes the grants, keeps the data. */
export async function disconnect(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; provider: string; accounts: readonly Connection[] },
): Promise<void> {
  const { userId, provider, accounts } = request;
  await disconnectAll(context, registry, { userId, provider, ids: accounts.map(({ id }) => id) });
}

/** Revokes the grants of connections that were deleted with their account. @param deleted the connections as they were before */
export async function revokeAll(
  context: Context,
  registry: ConnectorRegistry,
  deleted: readonly Connection[],
): Promise<void> {
  const byProvider = Map.groupBy(deleted, ({ provider }) => provider);
  await Promise.all(
    [...byProvider.values()].map(async (connections) => {
      for (const connection of connections) await revoke(context, registry, connection);
    }),
  );
}
