import type { Authorization, AuthorizationRequest } from '@datadeck/connectors';
import { isForm, ProviderError } from '@datadeck/connectors';
import { mayChange, type SignInResult, STALE_TAGS } from '@datadeck/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AuthAttempt,
  beginAttempt,
  findOrCreateUser,
  issueSignInToken,
  takeAttempt,
  type User,
} from '../../features/accounts/index.ts';
import { saveGrant } from '../../features/connections/index.ts';
import { publishInvalidation } from '../../features/notifications/index.ts';
import { limitByNetwork } from '../http/caller.ts';
import { browserCookie, navigationUser, setBrowserCookie } from '../http/session.ts';
import type { Product } from '../product.ts';

const SIGN_IN_PROVIDER = 'google';
const PROVIDERS_PATH = '/dashboard/integrations/providers';
const LIMIT = {
  rateLimit: { max: 60, timeWindow: 60_000, keyGenerator: limitByNetwork },
};

function redirectUri(product: Product, provider: string): string {
  return `${product.publicUrl()}/auth/${provider}/callback`;
}

function requestOf(product: Product, attempt: AuthAttempt): AuthorizationRequest {
  return {
    purpose: attempt.userId === null ? 'sign-in' : 'connect',
    redirectUri: redirectUri(product, attempt.provider),
    state: attempt.state,
    nonce: attempt.nonce,
    verifier: attempt.verifier,
  };
}

/** Back to the login screen with the outcome in `res`. */
function endSignIn(reply: FastifyReply, result: SignInResult): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .redirect(`/?res=${encodeURIComponent(JSON.stringify(result))}`, 303);
}

/** Back to the Providers screen; an empty value says that it failed. */
function endConnect(reply: FastifyReply, provider: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .redirect(`${PROVIDERS_PATH}?provider=${encodeURIComponent(provider)}`, 303);
}

/** Refuses a plan that connects nothing. The browser goes back to the Providers screen, which says that it failed. */
function refusePlan(reply: FastifyReply): FastifyReply {
  const back = `${PROVIDERS_PATH}?provider=`;
  return reply
    .code(403)
    .header('cache-control', 'no-store')
    .header('refresh', `0; url=${back}`)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><title>Datadeck</title><a href="${back}">Your plan connects no provider. Go back</a>`,
    );
}

function sentenceOf(error: unknown): string {
  return error instanceof ProviderError ? error.message : 'The sign-in failed.';
}

/** Who asks: nobody signs in, a user connects. `intent=sign-in` is for a login screen whose session is gone while its cookie is not. */
async function askerOf(product: Product, request: FastifyRequest): Promise<User | undefined> {
  const { intent } = request.query as { intent?: string };
  return intent === 'sign-in' ? undefined : navigationUser(product, request);
}

async function leave(
  product: Product,
  request: FastifyRequest,
  reply: FastifyReply,
  to: { provider: string; authorization: Authorization },
): Promise<FastifyReply> {
  const user = await askerOf(product, request);
  if (!user && to.provider !== SIGN_IN_PROVIDER)
    return endSignIn(reply, { token: null, error: 'Sign in before connecting a provider.' });
  if (user && !mayChange(user.plan)) return refusePlan(reply);
  try {
    const { attempt, browser } = await beginAttempt(product.context, to.provider, user?.id ?? null);
    const url = await to.authorization.start(requestOf(product, attempt));
    setBrowserCookie(product, reply, browser);
    return reply.header('cache-control', 'no-store').redirect(url.href, 303);
  } catch (error) {
    request.log.warn({ err: error, provider: to.provider }, 'the provider could not be reached for sign-in');
    return user ? endConnect(reply, '') : endSignIn(reply, { token: null, error: sentenceOf(error) });
  }
}

async function comeBack(
  product: Product,
  request: FastifyRequest,
  reply: FastifyReply,
  from: { provider: string; authorization: Authorization },
): Promise<FastifyReply> {
  const { context } = product;
  const { state } = request.query as { state?: string };
  const attempt = await takeAttempt(context, from.provider, String(state ?? ''), browserCookie(request));
  // Of an attempt that is not known, the session tells what it was for.
  const isConnect =
    from.provider !== SIGN_IN_PROVIDER ||
    (!attempt && (await navigationUser(product, request)) !== undefined);
  if (!attempt)
    return isConnect
      ? endConnect(reply, '')
      : endSignIn(reply, {
          token: null,
          error: 'The sign-in took too long, or was begun in another browser. Try again.',
        });
  try {
    const callback = new URL(request.url, product.publicUrl());
    const grant = await from.authorization.finish(callback, requestOf(product, attempt));
    if (attempt.userId !== null) {
      await saveGrant(context, attempt.userId, from.provider, grant);
      await publishInvalidation(context, attempt.userId, STALE_TAGS.connection);
      return endConnect(reply, from.provider);
    }
    const user = await findOrCreateUser(context, grant.identity, from.provider);
    const token = await issueSignInToken(context.db, user.id, browserCookie(request));
    return endSignIn(reply, { token, error: null });
  } catch (error) {
    request.log.warn({ err: error, provider: from.provider }, 'the authorisation failed');
    return attempt.userId === null
      ? endSignIn(reply, { token: null, error: sentenceOf(error) })
      : endConnect(reply, '');
  }
}

/** The navigations: sign in with Google, connect a provider, and the ways back. */
export function registerAuthRoutes(app: FastifyInstance, product: Product): void {
  for (const { key: provider, authorization } of product.registry.all()) {
    if (isForm(authorization)) continue;
    const there = { provider, authorization };
    const options = { config: LIMIT, schema: { hide: true } };
    app.get(`/auth/${provider}`, options, (request, reply) => leave(product, request, reply, there));
    app.get(`/auth/${provider}/callback`, options, (request, reply) =>
      comeBack(product, request, reply, there),
    );
  }
}
