import { LINK_PROVIDER } from '@datadeck/contract';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { fingerprint, newSecret } from '../../platform/ids.ts';
import { claimFirstAccount } from './first-account.ts';
import { closeSessions, markSeen, openSession } from './sessions.ts';
import { signInTokens, users } from './tables.ts';
import { findUser, type User } from './users.ts';

/** Lifetime of a sign-in token, s. Short, because the token appears in a URL. */
const SIGN_IN_SECONDS = 60;
/** Lifetime of the token in a printed sign-in link, minutes. */
export const LINK_MINUTES = 10;
/** Distinguishes these tokens from session tokens in the browser. */
const TOKEN_PREFIX = 'signin_';

/**
 * Issues a sign-in token that can be exchanged for a session once within 60 s.
 * @param browser the cookie of the browser that started the sign-in; null when none did
 * @returns the token; only its SHA-256 is stored
 */
export async function issueSignInToken(
  db: Queryable,
  userId: string,
  browser: string | null,
): Promise<string> {
  return insertToken(db, { userId, browserHash: browser ? fingerprint(browser) : null }, SIGN_IN_SECONDS);
}

/**
 * Issues a sign-in token for a printed link. It is good once and for `LINK_MINUTES`; no browser started it, so the page
 * asks before it signs anybody in.
 * @returns the token; only its SHA-256 is stored
 */
export async function issueLinkToken(db: Queryable, userId: string): Promise<string> {
  return insertToken(db, { userId, browserHash: null }, LINK_MINUTES * 60);
}

async function insertToken(
  db: Queryable,
  owner: { userId: string; browserHash: string | null },
  seconds: number,
): Promise<string> {
  const token = `${TOKEN_PREFIX}${newSecret()}`;
  const expiresAt = sql`now() + make_interval(secs => ${seconds})`;
  await db.insert(signInTokens).values({ tokenHash: fingerprint(token), ...owner, expiresAt });
  return token;
}

/** Returns the condition for a token that is neither used nor expired. */
function isValid(token: string) {
  return and(eq(signInTokens.tokenHash, fingerprint(token)), gt(signInTokens.expiresAt, sql`now()`));
}

/**
 * Finds the user of a sign-in token without consuming it.
 * @returns the user and whether `browser` started the sign-in; undefined for an unknown, used or expired token
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
 * Exchanges a sign-in token for a session token; returns undefined for an unknown, used or expired one.
 * @param replaced the browser's previous session, which is closed; empty without one
 */
export async function exchangeSignInToken(
  context: Context,
  token: string,
  replaced: string,
): Promise<string | undefined> {
  const opened = await context.db.transaction(async (tx) => {
    const [used] = await tx.delete(signInTokens).where(isValid(token)).returning();
    if (!used) return undefined;
    const { userId } = used;
    if ((await findUser(tx, userId))?.signInProvider === LINK_PROVIDER) await claimFirstAccount(tx, userId);
    return { userId, session: await openSession(tx, userId) };
  });
  if (!opened) return undefined;
  await markSeen(context.db, opened.userId);
  await closeSessions(context, [replaced]);
  return opened.session;
}

/** Deletes expired sign-in tokens. */
export async function deleteExpiredSignInTokens(context: Context): Promise<void> {
  await context.db.delete(signInTokens).where(lt(signInTokens.expiresAt, sql`now()`));
}
