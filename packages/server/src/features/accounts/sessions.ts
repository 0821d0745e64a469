import { and, eq, gt, inArray, lt, ne, sql } from 'drizzle-orm';
import { BatchedLookup } from '../../platform/batched-lookup.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { fingerprint, newSecret } from '../../platform/ids.ts';
import { sessions, users } from './tables.ts';
import type { User } from './users.ts';

/** Days without a request after which a session ends. */
export const SESSION_DAYS = 30;
/** Minimum interval between two extensions of a session, so that most requests do not write. */
const MIN_SLIDE_INTERVAL_MS = 3_600_000;

function expiry(now: number): Date {
  return new Date(now + SESSION_DAYS * 86_400_000);
}

/** Creates a session. @returns the token; only its SHA-256 is stored */
export async function openSession(db: Queryable, userId: string): Promise<string> {
  const token = newSecret();
  await db.insert(sessions).values({ tokenHash: fingerprint(token), userId, expiresAt: expiry(Date.now()) });
  return token;
}

/** Records that the user of an account was here. Not in the transaction of a sign-in, whose locks come in another order. */
export async function markSeen(db: Queryable, userId: string): Promise<void> {
  await db.update(users).set({ seenAt: new Date() }).where(eq(users.id, userId));
}

interface FoundSession {
  user: User;
  expiresAt: Date;
}

/**
 * Finds the users of session tokens. Every request needs this first, so concurrent lookups are batched into one
 * statement and never wait for the statements of pages.
 */
export class SessionFinder {
  readonly #db: Database;
  readonly #lookup: BatchedLookup<FoundSession>;

  /** @param db a pool that is used only for short statements */
  constructor(db: Database) {
    this.#db = db;
    this.#lookup = new BatchedLookup((tokenHashes) => this.#load(tokenHashes));
  }

  /** Returns the user of a token and extends the session; undefined when the token is unknown, revoked or expired. */
  async find(token: string): Promise<User | undefined> {
    const tokenHash = fingerprint(token);
    const found = await this.#lookup.find(tokenHash);
    if (!found) return undefined;
    const { user, expiresAt } = found;
    const now = Date.now();
    if (expiry(now).getTime() - expiresAt.getTime() > MIN_SLIDE_INTERVAL_MS) {
      await this.#db
        .update(sessions)
        .set({ expiresAt: expiry(now) })
        .where(eq(sessions.tokenHash, tokenHash));
      await markSeen(this.#db, user.id);
    }
    return user;
  }

  async #load(tokenHashes: string[]): Promise<ReadonlyMap<string, FoundSession>> {
    const rows = await this.#db
      .select({ tokenHash: sessions.tokenHash, user: users, expiresAt: sessions.expiresAt })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(inArray(sessions.tokenHash, tokenHashes), gt(sessions.expiresAt, sql`now()`)));
    return new Map(rows.map(({ tokenHash, ...found }) => [tokenHash, found]));
  }
}

/** Payload that means all sessions of the user. */
const ALL_SESSIONS = '*';

function topicOf(userId: string): string {
  return `sessions/${userId}`;
}

/** Ends the sessions of these tokens. Unknown tokens are ignored. */
export async function closeSessions(context: Context, tokens: readonly string[]): Promise<void> {
  const hashes = tokens.map(fingerprint);
  const closed = await context.db.delete(sessions).where(inArray(sessions.tokenHash, hashes)).returning();
  await publishEnd(context, closed);
}

/** Deletes all sessions of a user but one. @returns the ended ones, for `publishEnd` after the transaction */
export async function deleteOtherSessions(tx: Queryable, userId: string, keptHash: string) {
  return tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.tokenHash, keptHash)))
    .returning();
}

/** Notifies the listeners of ended sessions. */
export async function publishEnd(
  { broadcast }: Context,
  ended: readonly { userId: string; tokenHash: string }[],
): Promise<void> {
  for (const { userId, tokenHash } of ended) await broadcast.publish(topicOf(userId), tokenHash);
}

/** Notifies the listeners of a user's sessions that all of them have ended. Call it after deleting the user. */
export async function announceSessionsEnd(context: Context, userId: string): Promise<void> {
  await context.broadcast.publish(topicOf(userId), ALL_SESSIONS);
}

/** Calls `listener` when a session expires or is closed. @returns the function that unsubscribes */
export function onSessionEnd(
  context: Context,
  { userId, token }: { userId: string; token: string },
  listener: () => void,
): () => void {
  const own = fingerprint(token);
  return context.broadcast.subscribe(topicOf(userId), (ended) => {
    if (ended === own || ended === ALL_SESSIONS) listener();
  });
}

/** Deletes expired sessions and notifies their listeners. */
export async function deleteExpiredSessions(context: Context): Promise<void> {
  const expired = await context.db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`)).returning();
  await publishEnd(context, expired);
}
