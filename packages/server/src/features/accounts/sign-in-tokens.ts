import { and, eq, gt, lt, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { fingerprint, newSecret } from '../../platform/ids.ts';
import { closeSessions, openSession } from './sessions.ts';
import { signInTokens, users } from './tables.ts';
import type { User } from './users.ts';

/** Seconds in which a sign-in token can be exchanged. It travels in an address, so it must be worthless soon. */
const SIGN_IN_SECONDS = 60;
/** Tells browser tabs that this is no session token. */
const PREFIX = 'signin_';

/**
 * Issues a sign-in token: good once and for 60 s, to be exchanged for a session.
 * @param browser the cookie of the browser that began the sign-in; null when no browser did
 * @returns the token; only its SHA-256 is stored
 */
export async function issueSignInToken(
  db: Queryable,
  userId: string,
  browser: string | null,
): Promise<string> {
  const token = `${PREFIX}${newSecret()}`;
  await db.insert(signInTokens).values({
    tokenHash: fingerprint(token),
    userId,
    browserHash: browser ? fingerprint(browser) : null,
    expiresAt: sql`now() + make_interval(secs => ${SIGN_IN_SECONDS})`,
  });
  return token;
}

/** Matches a token that has neither been used nor expired. */
function isValid(token: string) {
  return and(eq(signInTokens.tokenHash, fingerprint(token)), gt(signInTokens.expiresAt, sql`now()`));
}

/**
 * Reads whose sign-in token it is, without using it up.
 * @returns the user and whether `browser` began the sign-in; undefined for an unknown, used or expired token
 */
export async function previewSignIn(
  context: Context,
  token: string,
  browser: string,
): Promise<{ user: User; beganHere: boolean } | undefined> {
  const [found] = await context.db
    .select({ user: users, browserHash: signInTokens.browserHash })
    .from(signInTokens)
    .innerJoin(users, eq(users.id, signInTokens.userId))
    .where(isValid(token));
  if (!found) return undefined;
  return { user: found.user, beganHere: browser !== '' && found.browserHash === fingerprint(browser) };
}

/**
 * Exchanges a sign-in token for a session token; undefined for an unknown, used or expired one.
 * @param replaced the browser's former session, which must not live on for 30 days; empty without one
 */
export async function exchangeSignInToken(
  context: Context,
  token: string,
  replaced: string,
): Promise<string | undefined> {
  const session = await context.db.transaction(async (tx) => {
    const [used] = await tx.delete(signInTokens).where(isValid(token)).returning();
    return used && openSession(tx, used.userId);
  });
  if (session !== undefined) await closeSessions(context, [replaced]);
  return session;
}

/** Deletes the sign-in tokens that nobody exchanged in time. */
export async function deleteExpiredSignInTokens(context: Context): Promise<void> {
  await context.db.delete(signInTokens).where(lt(signInTokens.expiresAt, sql`now()`));
}
