import { mayChange, type SignInMethod } from '@datadeck/contract';
import { and, eq, gt, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { fingerprint } from '../../platform/ids.ts';
import { deleteOtherSessions, publishEnd } from './sessions.ts';
import { identities, sessions, signInTokens, users } from './tables.ts';
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
 * Locks an account's row (FOR NO KEY UPDATE) until the transaction ends, so that its methods are counted and changed one
 * after another.
 * @throws AppError unauthenticated when the account was deleted; plan-forbids
 */
async function lockMethods(tx: Queryable, userId: string): Promise<void> {
  const [user] = await tx
    .select({ plan: users.plan })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  if (!user) throw new AppError('unauthenticated', 'This account does not exist any more.');
  if (!mayChange(user.plan)) throw new AppError('plan-forbids', 'Your plan cannot change sign-in methods.');
}

async function requireSession(
  tx: Queryable,
  { userId, sessionHash }: { userId: string; sessionHash: string },
): Promise<void> {
  const isOpen = and(
    eq(sessions.tokenHash, sessionHash),
    eq(sessions.userId, userId),
    gt(sessions.expiresAt, sql`now()`),
  );
  const [session] = await tx
    .select({ userId: sessions.userId })
    .from(sessions)
    .where(isOpen)
    .for('key share');
  if (!session) throw new AppError('unauthenticated', 'The session that adds the method has ended.');
}

/**
 * Adds an identity to the account of a session. Changes neither name nor e-mail address of the account.
 * @returns `taken` when the identity belongs to another account; then nothing changes
 * @throws AppError unauthenticated when the session has ended; plan-forbids; limit-reached
 */
export async function linkIdentity(
  { db }: Pick<Context, 'db'>,
  owner: { userId: string; sessionHash: string },
  { identity, provider }: { identity: SignedInIdentity; provider: string },
): Promise<'linked' | 'taken'> {
  const { userId } = owner;
  return db.transaction(async (tx) => {
    await lockIdentity(tx, identity);
    await lockMethods(tx, userId);
    await requireSession(tx, owner);
    const known = await findIdentity(tx, identity);
    if (known) return known.userId === userId ? 'linked' : 'taken';
    if ((await listIdentities(tx, userId)).length >= MAX_METHODS)
      throw new AppError('limit-reached', `An account has at most ${MAX_METHODS} sign-in methods.`);
    const { issuer, subject, email } = identity;
    await tx.insert(identities).values({ issuer, subject, userId, provider, email });
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
  { userId, token }: { userId: string; token: string },
  id: string,
): Promise<void> {
  const ended = await context.db.transaction(async (tx) => {
    const isMethod = and(eq(identities.userId, userId), eq(identities.id, id));
    const [found] = await tx.select().from(identities).where(isMethod);
    if (!found) throw methodGone();
    await lockIdentity(tx, found);
    await lockMethods(tx, userId);
    const [oldest, next] = await listIdentities(tx, userId);
    if (!next && oldest?.id === id)
      throw new AppError(
        'last-sign-in-method',
        'This is the only sign-in method of your account. Add another one before you remove it.',
      );
    const removed = await tx.delete(identities).where(isMethod).returning({ id: identities.id });
    if (removed.length === 0) throw methodGone();
    if (next && oldest?.id === id) {
      const changes = {
        signInProvider: next.provider,
        ...(next.email && { email: next.email, emailVerified: true }),
      };
      await tx.update(users).set(changes).where(eq(users.id, userId));
    }
    await tx.delete(signInTokens).where(eq(signInTokens.userId, userId));
    return deleteOtherSessions(tx, userId, fingerprint(token));
  });
  await publishEnd(context, ended);
}
