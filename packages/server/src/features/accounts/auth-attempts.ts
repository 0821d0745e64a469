import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../platform/context/index.ts';
import { sealedSchema } from '../../platform/encryption.ts';
import { fingerprint, newSecret } from '../../platform/ids.ts';
import { authAttempts } from './tables.ts';

/** Lifetime of an attempt to sign in or to connect, minutes. */
const LIFETIME_MINUTES = 15;
/** Lifetime of an attempt to add a sign-in method, minutes. */
const LINK_LIFETIME_MINUTES = 10;
/** Marks the state of an attempt to add a sign-in method. It only selects the page that reports an unknown attempt. */
const LINK_STATE_PREFIX = 'link-';
/** Marks the state of an attempt to add an account to a provider that is connected already. */
const ADD_STATE_PREFIX = 'add-';
const secretsSchema = z.object({ verifier: z.string(), nonce: z.string() });

/** Who started an authorisation, and for what. */
export interface AttemptOwner {
  /** Null for a sign-in; otherwise the user who connects the provider or adds a sign-in method. */
  userId: string | null;
  /** SHA-256 of the token of the session that adds a sign-in method; null for other attempts. */
  sessionHash: string | null;
  /** True to add an account to a provider that is connected already. */
  isAddition?: boolean;
  /** Lifetime of the attempt, s. Default: that of its kind. */
  seconds?: number;
}

/** An authorisation at a provider that has been started. */
export interface AuthAttempt extends Required<Omit<AttemptOwner, 'seconds'>> {
  provider: string;
  state: string;
  verifier: string;
  nonce: string;
}

/**
 * Starts an authorisation with state, nonce and PKCE verifier, bound to the browser by a cookie.
 * @returns the attempt and the cookie's value
 */
export async function createAttempt(
  context: Context,
  provider: string,
  { userId, sessionHash, isAddition = false, seconds }: AttemptOwner,
): Promise<{ attempt: AuthAttempt; browser: string }> {
  const prefix = isAddition ? ADD_STATE_PREFIX : '';
  const state = `${sessionHash === null ? prefix : LINK_STATE_PREFIX}${newSecret()}`;
  const attempt = {
    provider,
    userId,
    sessionHash,
    isAddition,
    state,
    verifier: newSecret(),
    nonce: newSecret(),
  };
  const browser = newSecret();
  const stateHash = fingerprint(attempt.state);
  const secrets = context.keyring.seal(
    JSON.stringify({ verifier: attempt.verifier, nonce: attempt.nonce }),
    stateHash,
  );
  const minutes = sessionHash === null ? LIFETIME_MINUTES : LINK_LIFETIME_MINUTES;
  const expiresAt = new Date(Date.now() + (seconds ?? minutes * 60) * 1000);
  const browserHash = fingerprint(browser);
  await context.db
    .insert(authAttempts)
    .values({ stateHash, provider, userId, sessionHash, browserHash, secrets, expiresAt });
  return { attempt, browser };
}

/** Consumes an attempt by its state. @returns undefined when it is unknown, used, expired or from another browser */
export async function consumeAttempt(
  context: Context,
  provider: string,
  state: string,
  browser: string,
): Promise<AuthAttempt | undefined> {
  const stateHash = fingerprint(state);
  const [row] = await context.db
    .delete(authAttempts)
    .where(
      and(
        eq(authAttempts.stateHash, stateHash),
        eq(authAttempts.provider, provider),
        eq(authAttempts.browserHash, fingerprint(browser)),
        gt(authAttempts.expiresAt, sql`now()`),
      ),
    )
    .returning();
  if (!row) return undefined;
  const secrets = secretsSchema.parse(
    JSON.parse(context.keyring.open(sealedSchema.parse(row.secrets), stateHash)),
  );
  const isAddition = state.startsWith(ADD_STATE_PREFIX);
  return { provider, userId: row.userId, sessionHash: row.sessionHash, isAddition, state, ...secrets };
}

/** Returns whether a state was made for adding a sign-in method. Anybody can write such a state. */
export function isLinkState(state: string): boolean {
  return state.startsWith(LINK_STATE_PREFIX);
}

/** Deletes expired attempts. */
export async function deleteExpiredAttempts(context: Context): Promise<void> {
  await context.db.delete(authAttempts).where(lt(authAttempts.expiresAt, sql`now()`));
}
