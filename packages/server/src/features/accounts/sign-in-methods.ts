import { LINK_PROVIDER, type SignInMethod } from '@datadeck/contract';
import { and, eq } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import {
  endOtherSignIns,
  lockMethods,
  type MethodOwner,
  onlyMethod,
  requireSession,
} from './method-changes.ts';
import { countPasskeys } from './passkeys.ts';
import { publishEnd } from './sessions.ts';
import { identities, users } from './tables.ts';
import { findIdentity, listIdentities, lockIdentity, type SignedInIdentity } from './users.ts';

/** Maximum number of sign-in methods of an account. */
const MAX_METHODS = 10;

/** Lists the sign-in methods of an account, oldest first. @param titleOf the title of a provider's key */
export async function listSignInMethods(
  db: Queryable,
  userId: string,
  titleOf: (provider: string) => string,
): Promise<SignInMethod[]> {
  const all = await listIdentities(db, userId);
  return all.map(({ id, provider, email, createdAt }) => ({
    _id: id,
    provider,
    title: titleOf(provider),
    email,
    createdAt: createdAt.toISOString(),
  }));
}

/**
 * Adds an identity to the account of a session. Changes neither name nor e-mail address of the account.
 * @returns `taken` when the identity belongs to another account; then nothing changes
 * @throws AppError unauthenticated when the session has ended; plan-forbids; limit-reached
 */
export async function linkIdentity(
  { db }: Pick<Context, 'db'>,
  owner: MethodOwner,
  { identity, provider }: { identity: SignedInIdentity; provider: string },
): Promise<'linked' | 'taken'> {
  const { userId } = owner;
  return db.transaction(async (tx) => {
    await lockIdentity(tx, identity);
    await lockMethods(tx, userId);
    await requireSession(tx, owner);
    const known = await findIdentity(tx, identity);
    if (known) return known.userId === userId ? 'linked' : 'taken';
    const stored = await listIdentities(tx, userId);
    if (stored.length >= MAX_METHODS)
      throw new AppError('limit-reached', `An account has at most ${MAX_METHODS} sign-in methods.`);
    const { issuer, subject, email } = identity;
    await tx.insert(identities).values({ issuer, subject, userId, provider, email });
    // Until now, the account had passkeys alone.
    if (stored.length === 0)
      await tx.update(users).set({ signInProvider: provider }).where(eq(users.id, userId));
    return 'linked';
  });
}

function methodGone(): AppError {
  return new AppError('not-found', 'This sign-in method does not exist any more.');
}

/**
 * Removes a sign-in method and ends all sessions but the current one, as the method may have opened them. The next
 * oldest method sets the account's e-mail address if the oldest one is removed.
 * @throws AppError not-found; last-sign-in-method when the account has no other
 */
export async function removeSignInMethod(
  context: Context,
  owner: { userId: string; token: string },
  id: string,
): Promise<void> {
  const { userId } = owner;
  const ended = await context.db.transaction(async (tx) => {
    const isMethod = and(eq(identities.userId, userId), eq(identities.id, id));
    const [found] = await tx.select().from(identities).where(isMethod);
    if (!found) throw methodGone();
    await lockIdentity(tx, found);
    await lockMethods(tx, userId);
    const [oldest, next] = await listIdentities(tx, userId);
    if (!next && oldest?.id === id && (await countPasskeys(tx, userId)) === 0) throw onlyMethod();
    const removed = await tx.delete(identities).where(isMethod).returning({ id: identities.id });
    if (removed.length === 0) throw methodGone();
    if (oldest?.id === id) {
      const changes = {
        // With passkeys alone, nobody sends name and address, as for a sign-in link.
        signInProvider: next?.provider ?? LINK_PROVIDER,
        ...(next?.email && { email: next.email, emailVerified: true }),
      };
      await tx.update(users).set(changes).where(eq(users.id, userId));
    }
    return endOtherSignIns(tx, owner);
  });
  await publishEnd(context, ended);
}
