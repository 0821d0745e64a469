import { isForm, ProviderError } from '@datadeck/connectors';
import { mayChange, type SignInResult } from '@datadeck/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '../../features/accounts/index.ts';
import { beginAuthorization, type ConsentProvider, finishAuthorization } from '../authorize.ts';
import { limitByNetwork } from '../http/caller.ts';
import { browserCookie, navigationUser, setBrowserCookie } from '../http/session.ts';
import type { Product } from '../product.ts';

const SIGN_IN_PROVIDER = 'google';
const PROVIDERS_PATH = '/dashboard/integrations/providers';
const LIMIT = {
  rateLimit: { max: 60, timeWindow: 60_000, keyGenerator: limitByNetwork },
};

/** Redirects to the login screen with the outcome in `res`. */
function endSignIn(reply: FastifyReply, result: SignInResult): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .redirect(`/?res=${encodeURIComponent(JSON.stringify(result))}`, 303);
}

/** Redirects to the Providers screen; an empty provider means that connecting failed. */
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

/** Returns the user who connects, or undefined for a sign-in: `intent=sign-in` ignores the cookie of an ended session. */
async function askerOf(product: Product, request: FastifyRequest): Promise<User | undefined> {
  const { intent } = request.query as { intent?: string };
  return intent === 'sign-in' ? undefined : navigationUser(product, request);
}

async function leave(
  product: Product,
  request: FastifyRequest,
  reply: FastifyReply,
  to: ConsentProvider,
): Promise<FastifyReply> {
  const user = await askerOf(product, request);
  if (!user && to.provider !== SIGN_IN_PROVIDER)
    return endSignIn(reply, { token: null, error: 'Sign in before connecting a provider.' });
  if (user && !mayChange(user.plan)) return refusePlan(reply);
  try {
    const { url, browser } = await beginAuthorization(product, to, user?.id ?? null);
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
  from: ConsentProvider,
): Promise<FastifyReply> {
  const callback = new URL(request.url, product.publicUrl());
  const outcome = await finishAuthorization(product, from, { callback, browser: browserCookie(request) });
  if (outcome.kind === 'connected') return endConnect(reply, from.provider);
  if (outcome.kind === 'signed-in') return endSignIn(reply, { token: outcome.token, error: null });
  if (outcome.kind === 'failed') {
    request.log.warn({ err: outcome.error, provider: from.provider }, 'the authorisation failed');
    return outcome.purpose === 'connect'
      ? endConnect(reply, '')
      : endSignIn(reply, { token: null, error: sentenceOf(outcome.error) });
  }
  // The attempt is unknown, so the session decides what it was for.
  const isConnect =
    from.provider !== SIGN_IN_PROVIDER || (await navigationUser(product, request)) !== undefined;
  if (isConnect) return endConnect(reply, '');
  const error = 'The sign-in took too long, or was begun in another browser. Try again.';
  return endSignIn(reply, { token: null, error });
}

/** Registers the navigations: sign in with Google, connect a provider, and their callbacks. */
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
