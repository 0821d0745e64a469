import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../platform/context/index.ts';
import { sealedSchema } from '../../platform/encryption.ts';
import { fingerprint, newSecret } from '../../platform/ids.ts';
import { authAttempts } from './tables.ts';

/** Lifetime of an attempt, minutes. */
const LIFETIME_MINUTES = 15;
const secretsSchema = z.object({ verifier: z.string(), nonce: z.string() });

/** An authorisation at a provider that has been started. */
export interface AuthAttempt {
  provider: string;
  /** Null for a sign-in; otherwise the user who connects the provider. */
  userId: string | null;
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
  userId: string | null,
): Promise<{ attempt: AuthAttempt; browser: string }> {
  const attempt = { provider, userId, state: newSecret(), verifier: newSecret(), nonce: newSecret() };
  const browser = newSecret();
  const stateHash = fingerprint(attempt.state);
  const secrets = context.keyring.seal(
    JSON.stringify({ verifier: attempt.verifier, nonce: attempt.nonce }),
    stateHash,
  );
  const expiresAt = new Date(Date.now() + LIFETIME_MINUTES * 60_000);
  await context.db
    .insert(authAttempts)
    .values({ stateHash, provider, userId, browserHash: fingerprint(browser), secrets, expiresAt });
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
  return { provider, userId: row.userId, state, ...secrets };
}

/** Deletes expired attempts. */
export async function deleteExpiredAttempts(context: Context): Promise<void> {
  await context.db.delete(authAttempts).where(lt(authAttempts.expiresAt, sql`now()`));
}
