import type { Authorization, AuthorizationRequest } from '@datadeck/connectors';
import {
  type AttemptOwner,
  type AuthAttempt,
  consumeAttempt,
  createAttempt,
  findOrCreateUser,
  issueSignInToken,
  linkIdentity,
} from '../features/accounts/index.ts';
import { AppError } from '../platform/app-error.ts';
import { fingerprint } from '../platform/ids.ts';
import { connectAccount } from './connect-account.ts';
import type { Product } from './product.ts';
import { GOOGLE } from './sign-in-providers.ts';

/** A provider whose own page asks the user for consent. */
export interface ConsentProvider {
  /** Key of the connector or sign-in provider; part of the callback URL. */
  provider: string;
  authorization: Pick<Authorization, 'start' | 'finish' | 'access'>;
}

/** What an authorisation is for. `link` adds a sign-in method to an account. */
type Purpose = AuthorizationRequest['purpose'] | 'link';

function purposeOf({ userId, sessionHash }: AttemptOwner): Purpose {
  if (sessionHash !== null) return 'link';
  return userId === null ? 'sign-in' : 'connect';
}

function requestOf(product: Product, attempt: AuthAttempt): AuthorizationRequest {
  return {
    purpose: purposeOf(attempt) === 'connect' ? 'connect' : 'sign-in',
    redirectUri: `${product.publicUrl()}/auth/${attempt.provider}/callback`,
    state: attempt.state,
    nonce: attempt.nonce,
    verifier: attempt.verifier,
  };
}

/**
 * Starts a sign-in, or for a signed-in user the connection of a provider or the addition of a sign-in method. Ignores an
 * `access` that the connector does not declare.
 * @param loginHint the account that the consent page should offer
 * @returns the URL of the consent page, and the cookie that binds the attempt to this browser
 */
export async function startAuthorization(
  product: Product,
  to: ConsentProvider,
  {
    access,
    loginHint,
    ...owner
  }: AttemptOwner & { access?: string | undefined; loginHint?: string | undefined },
): Promise<{ url: URL; browser: string }> {
  const { attempt, browser } = await createAttempt(product.context, to.provider, owner);
  const chosen = to.authorization.access?.find(({ value }) => value === access)?.value;
  const request = {
    ...requestOf(product, attempt),
    ...(chosen !== undefined && { access: chosen }),
    ...(owner.isAddition && { selectsAccount: true }),
    ...(loginHint !== undefined && { loginHint }),
  };
  return { url: await to.authorization.start(request), browser };
}

/** How an authorisation ended. `unknown`: its attempt was used, has expired, or belongs to another browser. */
export type AuthorizationOutcome =
  | { kind: 'unknown' }
  | { kind: 'signed-in'; token: string }
  | { kind: 'connected'; isAddition: boolean; account: string; isKnown: boolean }
  | { kind: 'linked' }
  | { kind: 'taken' }
  | { kind: 'failed'; purpose: Purpose; error: unknown };

/** @throws AppError other-session when the browser has another session than the one that adds the method */
function requireSameSession(sessionHash: string | null, session: string): void {
  if (sessionHash !== null && sessionHash !== fingerprint(session))
    throw new AppError('other-session', 'This browser has another session.');
}

/** Finishes the attempt of a provider's callback: stores the connection or sign-in method, or issues a sign-in token. */
export async function finishAuthorization(
  product: Product,
  { provider, authorization }: ConsentProvider,
  { callback, browser, session }: { callback: URL; browser: string; session: string },
): Promise<AuthorizationOutcome> {
  const { context } = product;
  const state = callback.searchParams.get('state') ?? '';
  const attempt = await consumeAttempt(context, provider, state, browser);
  if (!attempt) return { kind: 'unknown' };
  const { userId, sessionHash } = attempt;
  try {
    requireSameSession(sessionHash, session);
    const grant = await authorization.finish(callback, requestOf(product, attempt));
    if (userId !== null && sessionHash !== null) {
      const method = { identity: grant.identity, provider };
      return { kind: await linkIdentity(context, { userId, sessionHash }, method) };
    }
    if (userId !== null) {
      const { isAddition } = attempt;
      return {
        kind: 'connected',
        isAddition,
        ...(await connectAccount(product, { userId, provider, grant })),
      };
    }
    const isSandbox = context.config.sandbox && provider === GOOGLE;
    const user = await findOrCreateUser(context, { ...grant.identity, isSandbox }, provider);
    return { kind: 'signed-in', token: await issueSignInToken(context.db, user.id, browser) };
  } catch (error) {
    return { kind: 'failed', purpose: purposeOf(attempt), error };
  }
}
