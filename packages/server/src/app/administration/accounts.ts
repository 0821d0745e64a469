import type { AdminAccount, AdminAccountDetail, AdminAccounts } from '@datadeck/contract';
import {
  type Actor,
  countSessions,
  findUser,
  listMethodProviders,
  listPasskeyOwners,
  lockAdministeredAccount,
  mayAdminister,
  recordAction,
  requireNoAdministrator,
  searchUsers,
  toProfile,
  type User,
} from '../../features/accounts/index.ts';
import { listConnectedProviders } from '../../features/connections/index.ts';
import { deleteAccount } from '../../features/deletion/index.ts';
import { listRuns, readDiskUse } from '../../features/sync/index.ts';
import { listTokens } from '../../features/tokens/index.ts';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Product } from '../product.ts';
import { signInTitle } from '../sign-in-providers.ts';

/** Converts accounts to what administrators see of them. */
async function describe(product: Product, users: readonly User[]): Promise<AdminAccount[]> {
  const { db } = product.context;
  const ids = users.map(({ id }) => id);
  if (ids.length === 0) return [];
  const methods = await listMethodProviders(db, ids);
  const withPasskey = await listPasskeyOwners(db, ids);
  const connected = await listConnectedProviders(db, ids);
  const connectors = new Map(product.registry.all().map(({ key, title }) => [key, title]));
  return users.map((user) => {
    const { _id, name, email, isUnverified, status } = toProfile(user);
    return {
      _id,
      name,
      email,
      ...(isUnverified && { isUnverified }),
      status,
      isAdministrator: mayAdminister(user),
      signInMethods: [
        ...(methods.get(_id) ?? []).map((key) => signInTitle(product.signInProviders, key)),
        ...(withPasskey.has(_id) ? ['Passkey'] : []),
      ],
      providers: (connected.get(_id) ?? []).map((key) => connectors.get(key) ?? key),
      createdAt: user.createdAt.toISOString(),
      lastSeenAt: user.seenAt.toISOString(),
    };
  });
}

/** Returns a page of accounts. */
export async function listAccounts(
  product: Product,
  query: { search: string; page: number },
): Promise<AdminAccounts> {
  const { found, count } = await searchUsers(product.context.db, query);
  return { results: await describe(product, found), count };
}

/** Finds an account other than a demo one. @throws AppError not-found */
async function requireAccount({ context }: Product, id: string): Promise<User> {
  const user = await findUser(context.db, id);
  if (!user || user.plan === 'demo') throw notFound('This account');
  return user;
}

/** Returns an account with its counts. @throws AppError not-found */
export async function describeAccount(product: Product, id: string): Promise<AdminAccountDetail> {
  const { context, registry } = product;
  const user = await requireAccount(product, id);
  const [account] = await describe(product, [user]);
  return {
    ...(account as AdminAccount),
    sessions: await countSessions(context.db, id),
    tokens: (await listTokens(context.db, id)).length,
    entities: await readDiskUse(context, registry, id),
    runs: await listRuns(context.db, registry, user),
  };
}

/**
 * Deletes an account like its own user does.
 * @param confirmation the address of the account, or its id if it has none
 * @throws AppError not-found; administrator-account; validation-failed for a wrong confirmation
 */
export async function deleteAccountOf(
  product: Product,
  { actor, accountId }: { actor: Actor; accountId: string },
  confirmation: string,
): Promise<void> {
  const user = await requireAccount(product, accountId);
  requireNoAdministrator(user);
  const expected = user.email || user.id;
  if (confirmation.toLowerCase() !== expected.toLowerCase())
    throw new AppError('validation-failed', 'The confirmation is not that of this account.', {
      fields: { confirmation: `Must be ${expected}` },
    });
  await deleteAccount(product, accountId, async (tx) => {
    // Both may have changed since: the account is locked only now.
    requireNoAdministrator(await lockAdministeredAccount(tx, accountId));
    await recordAction(tx, { actor, action: 'account-deleted', accountId });
  });
}
