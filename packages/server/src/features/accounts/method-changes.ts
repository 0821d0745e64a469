import { mayChange } from '@datadeck/contract';
import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { fingerprint } from '../../platform/ids.ts';
import { deleteOtherSessions } from './sessions.ts';
import { sessions, signInTokens, users } from './tables.ts';

/** Minutes after a sign-in within which a passkey can be added. */
const RECENT_MINUTES = 10;

/** The session that changes the sign-in methods of its user. */
export interface MethodOwner {
  userId: string;
  /** SHA-256 of the session's token. */
  sessionHash: string;
}

/**
 * Locks an account's row (FOR NO KEY UPDATE) until the transaction ends, so that its methods are counted and changed one
 * after another.
 * @throws AppError unauthenticated when the account was deleted; plan-forbids
 */
export async function lockMethods(tx: Queryable, userId: string): Promise<void> {
  const [user] = await tx
    .select({ plan: users.plan })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  if (!user) throw new AppError('unauthenticated', 'This account does not exist any more.');
  if (!mayChange(user.plan)) throw new AppError('plan-forbids', 'Your plan cannot change sign-in methods.');
}

async function findSession(tx: Queryable, { userId, sessionHash }: MethodOwner, condition?: SQL) {
  const isOpen = and(
    eq(sessions.tokenHash, sessionHash),
    eq(sessions.userId, userId),
    gt(sessions.expiresAt, sql`now()`),
    condition,
  );
  const [session] = await tx
    .select({ userId: sessions.userId })
    .from(sessions)
    .where(isOpen)
    .for('key share');
  return session;
}

/** @throws AppError unauthenticated when the session has ended */
export async function requireSession(tx: Queryable, owner: MethodOwner): Promise<void> {
  if (!(await findSession(tx, owner)))
    throw new AppError('unauthenticated', 'The session that adds the method has ended.');
}

/** @throws AppError sign-in-too-old when the session did not begin in the last ten minutes */
export async function requireRecentSession(tx: Queryable, owner: MethodOwner): Promise<void> {
  const isRecent = gt(sessions.createdAt, sql`now() - make_interval(mins => ${RECENT_MINUTES})`);
  if (!(await findSession(tx, owner, isRecent)))
    throw new AppError(
      'sign-in-too-old',
      `A passkey can be added within ${RECENT_MINUTES} minutes of a sign-in. Sign in again, then add it.`,
    );
}

/**
 * Ends all sessions but the current one, and unused sign-in tokens, because a removed method may have opened them.
 * @returns the ended sessions, for `publishEnd` after the transaction
 */
export async function endOtherSignIns(tx: Queryable, { userId, token }: { userId: string; token: string }) {
  await tx.delete(signInTokens).where(eq(signInTokens.userId, userId));
  return deleteOtherSessions(tx, userId, fingerprint(token));
}

/** Creates the error for the removal of the only sign-in method. */
export function onlyMethod(): AppError {
  return new AppError(
    'last-sign-in-method',
    'This is the only sign-in method of your account. Add another one before you remove it.',
  );
}
