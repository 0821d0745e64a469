import {
  type NewCredential,
  PASSKEY_LIMITS,
  type Passkey,
  type PasskeyCreationOptions,
  type PasskeyProof,
  type PasskeyRequestOptions,
} from '@datadeck/contract';
import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { fingerprint, isId } from '../../platform/ids.ts';
import { type AttemptOwner, type AuthAttempt, consumeAttempt, createAttempt } from './auth-attempts.ts';
import { requireRecentSession } from './method-changes.ts';
import { ALGORITHMS, type Expected, verifyNewCredential, verifyProof } from './passkey-verification.ts';
import {
  findPasskey,
  insertPasskey,
  requirePasskeyRoom,
  type StoredPasskey,
  storedPasskeys,
} from './passkeys.ts';
import { type RelyingParty, requirePasskeys } from './relying-party.ts';
import { closeSessions, markSeen, openSession } from './sessions.ts';
import { passkeys } from './tables.ts';
import { lockAccount, type User } from './users.ts';

/** Provider of attempts with a passkey. No key of an identity provider has this form. */
const PASSKEY_PROVIDER = 'datadeck:passkey';
const TIMEOUT_MS = PASSKEY_LIMITS.challengeSeconds * 1000;

/** Options for the browser, and the value of the cookie that binds them to it. */
interface Started<Options> {
  options: Options;
  browser: string;
}

/** Creates a challenge that works once, for two minutes, in one browser. The state of an attempt serves as the challenge. */
async function createChallenge(context: Context, owner: AttemptOwner) {
  const seconds = PASSKEY_LIMITS.challengeSeconds;
  const { attempt, browser } = await createAttempt(context, PASSKEY_PROVIDER, { ...owner, seconds });
  return { challenge: Buffer.from(attempt.state).toString('base64url'), browser };
}

/** Reads the challenge that the browser signed; empty when the text is not readable. */
function challengeOf(clientDataJSON: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    const challenge = typeof data === 'object' && data !== null && 'challenge' in data ? data.challenge : '';
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

/** Consumes the challenge of an answer. @returns undefined when it is unknown, used, expired or from another browser */
async function consumeChallenge(
  context: Context,
  clientDataJSON: string,
  browser: string,
): Promise<{ challenge: string; attempt: AuthAttempt } | undefined> {
  const challenge = challengeOf(clientDataJSON);
  const state = Buffer.from(challenge, 'base64url').toString();
  const attempt = await consumeAttempt(context, PASSKEY_PROVIDER, state, browser);
  return attempt && { challenge, attempt };
}

/**
 * Starts to add a passkey to the account of a session.
 * @throws AppError passkeys-unavailable; sign-in-too-old; limit-reached
 */
export async function startPasskey(
  context: Context,
  relyingParty: RelyingParty,
  { user, token }: { user: User; token: string },
): Promise<Started<PasskeyCreationOptions>> {
  requirePasskeys(relyingParty);
  const owner = { userId: user.id, sessionHash: fingerprint(token) };
  await requireRecentSession(context.db, owner);
  const stored = await storedPasskeys(context.db, user.id);
  requirePasskeyRoom(stored.length);
  const { challenge, browser } = await createChallenge(context, owner);
  const options: PasskeyCreationOptions = {
    challenge,
    rp: { id: relyingParty.id, name: 'Datadeck' },
    user: {
      id: Buffer.from(user.id).toString('base64url'),
      name: user.email || user.name,
      displayName: user.name,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: TIMEOUT_MS,
    attestation: 'none',
    excludeCredentials: stored.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  };
  return { options, browser };
}

/** Creates the error for a new passkey that is not valid. @param why continues 'The passkey was not added: …' */
function notAdded(why: string): AppError {
  return new AppError('passkey-refused', `The passkey was not added: ${why}. Try again.`);
}

/**
 * Adds the passkey that an authenticator made for `startPasskey`.
 * @param browser the cookie of the browser
 * @throws AppError passkeys-unavailable; passkey-refused; unauthenticated; limit-reached
 */
export async function addPasskey(
  context: Context,
  relyingParty: RelyingParty,
  answer: { userId: string; token: string; browser: string; name: string; credential: NewCredential },
): Promise<Passkey> {
  requirePasskeys(relyingParty);
  const { userId, token, browser, name, credential } = answer;
  const owner = { userId, sessionHash: fingerprint(token) };
  const found = await consumeChallenge(context, credential.response.clientDataJSON, browser);
  if (found?.attempt.userId !== userId || found.attempt.sessionHash !== owner.sessionHash)
    throw notAdded('its two minutes are over, or it was begun elsewhere');
  const verified = await verify(context, (expected) => verifyNewCredential(credential, expected), {
    relyingParty,
    challenge: found.challenge,
  });
  if (!verified) throw notAdded('its proof is not valid for this server');
  return insertPasskey(context, owner, { name, ...verified });
}

/** Runs a verification. @returns undefined when the answer is not valid; the log says why */
async function verify<Verified>(
  { log }: Context,
  run: (expected: Expected) => Promise<Verified>,
  expected: Expected,
): Promise<Verified | undefined> {
  try {
    return await run(expected);
  } catch (error) {
    log.info({ reason: String(error).slice(0, 500) }, 'a passkey was refused');
    return undefined;
  }
}

/** Starts a sign-in with a passkey. Says nothing about accounts. @throws AppError passkeys-unavailable */
export async function startPasskeySignIn(
  context: Context,
  relyingParty: RelyingParty,
): Promise<Started<PasskeyRequestOptions>> {
  requirePasskeys(relyingParty);
  const { challenge, browser } = await createChallenge(context, { userId: null, sessionHash: null });
  const options = {
    challenge,
    rpId: relyingParty.id,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
  } as const;
  return { options, browser };
}

/** Creates the error of a sign-in that names no reason: whether the account or the passkey exists stays unknown. */
function notAccepted(): AppError {
  return new AppError(
    'unauthenticated',
    'This passkey was not accepted. It may have been removed from its account. Sign in another way.',
  );
}

/**
 * Refuses a counter that did not grow, which means that two copies of a passkey may exist. The log names the passkey.
 * @throws AppError unauthenticated
 */
function requireGrowth(
  { log }: Context,
  { userId, id, counter: stored }: StoredPasskey,
  counter: number,
): void {
  if (counter > stored || (counter === 0 && stored === 0)) return;
  log.warn({ userId, passkeyId: id, stored, counter }, 'a passkey whose counter did not grow was refused');
  throw new AppError(
    'unauthenticated',
    'This passkey was refused: its count of uses did not grow since its last sign-in, so a copy of it may exist. Sign in another way, and remove it from your account.',
  );
}

/** Stores the use of a passkey and opens a session. A removal, or another use at the same time, wins. */
async function recordUse(
  { db }: Context,
  { userId, id, counter: former }: StoredPasskey,
  use: Pick<StoredPasskey, 'counter' | 'isBackedUp'>,
): Promise<string> {
  return db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    const isSame = and(eq(passkeys.userId, userId), eq(passkeys.id, id), eq(passkeys.counter, former));
    const used = await tx
      .update(passkeys)
      .set({ ...use, lastUsedAt: sql`now()` })
      .where(isSame)
      .returning();
    if (used.length === 0) throw notAccepted();
    return openSession(tx, userId);
  });
}

/**
 * Signs in with a passkey.
 * @param browser the cookie of the browser
 * @param replaced the browser's previous session, which is closed; empty without one
 * @returns the session token
 * @throws AppError passkeys-unavailable; unauthenticated
 */
export async function signInWithPasskey(
  context: Context,
  relyingParty: RelyingParty,
  { browser, replaced, proof }: { browser: string; replaced: string; proof: PasskeyProof },
): Promise<string> {
  requirePasskeys(relyingParty);
  const found = await consumeChallenge(context, proof.response.clientDataJSON, browser);
  if (found?.attempt.userId !== null)
    throw new AppError('unauthenticated', 'This sign-in took too long, or was already used. Try again.');
  const userId = Buffer.from(proof.response.userHandle, 'base64url').toString();
  const passkey = isId(userId) ? await findPasskey(context.db, userId, proof.id) : undefined;
  if (!passkey) throw notAccepted();
  const use = await verify(context, (expected) => verifyProof(proof, passkey, expected), {
    relyingParty,
    challenge: found.challenge,
  });
  if (!use) throw notAccepted();
  requireGrowth(context, passkey, use.counter);
  const token = await recordUse(context, passkey, use);
  await markSeen(context.db, passkey.userId);
  await closeSessions(context, [replaced]);
  return token;
}
