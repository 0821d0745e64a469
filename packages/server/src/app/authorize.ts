import type { Authorization, AuthorizationRequest } from '@datadeck/connectors';
import {
  type AuthAttempt,
  consumeAttempt,
  createAttempt,
  findOrCreateUser,
  issueSignInToken,
} from '../features/accounts/index.ts';
import { connectByGrant } from '../features/connections/index.ts';
import type { Product } from './product.ts';

/** A provider whose own page asks the user for consent. */
export interface ConsentProvider {
  /** Key of the connector or sign-in provider; part of the callback URL. */
  provider: string;
  authorization: Pick<Authorization, 'start' | 'finish' | 'access'>;
}

function requestOf(product: Product, attempt: AuthAttempt): AuthorizationRequest {
  return {
    purpose: attempt.userId === null ? 'sign-in' : 'connect',
    redirectUri: `${product.publicUrl()}/auth/${attempt.provider}/callback`,
    state: attempt.state,
    nonce: attempt.nonce,
    verifier: attempt.verifier,
  };
}

/**
 * Starts a sign-in, or the connection of a provider for a signed-in user. Ignores an `access` that the connector does
 * not declare.
 * @returns the URL of the consent page, and the cookie that binds the attempt to this browser
 */
export async function startAuthorization(
  product: Product,
  to: ConsentProvider,
  { userId, access }: { userId: string | null; access?: string | undefined },
): Promise<{ url: URL; browser: string }> {
  const { attempt, browser } = await createAttempt(product.context, to.provider, userId);
  const chosen = to.authorization.access?.find(({ value }) => value === access)?.value;
  const request = { ...requestOf(product, attempt), ...(chosen !== undefined && { access: chosen }) };
  return { url: await to.authorization.start(request), browser };
}

/** How an authorisation ended. `unknown`: its attempt was used, has expired, or belongs to another browser. */
export type AuthorizationOutcome =
  | { kind: 'unknown' }
  | { kind: 'signed-in'; token: string }
  | { kind: 'connected' }
  | { kind: 'failed'; purpose: AuthorizationRequest['purpose']; error: unknown };

/** Finishes the attempt of a provider's callback: stores the connection, or issues a sign-in token. */
export async function finishAuthorization(
  product: Product,
  { provider, authorization }: ConsentProvider,
  { callback, browser }: { callback: URL; browser: string },
): Promise<AuthorizationOutcome> {
  const { context } = product;
  const state = callback.searchParams.get('state') ?? '';
  const attempt = await consumeAttempt(context, provider, state, browser);
  if (!attempt) return { kind: 'unknown' };
  const request = requestOf(product, attempt);
  try {
    const grant = await authorization.finish(callback, request);
    if (attempt.userId !== null) {
      await connectByGrant(context, { userId: attempt.userId, provider, grant, method: 'consent' });
      return { kind: 'connected' };
    }
    const user = await findOrCreateUser(context, grant.identity, provider);
    return { kind: 'signed-in', token: await issueSignInToken(context.db, user.id, browser) };
  } catch (error) {
    return { kind: 'failed', purpose: request.purpose, error };
  }
}
