import { ProviderError } from '@datadeck/connectors';
import type { FastifyInstance } from 'fastify';
import { listSignInMethods, removeSignInMethod } from '../../features/accounts/index.ts';
import { publishInvalidation } from '../../features/notifications/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { fingerprint } from '../../platform/ids.ts';
import { startAuthorization } from '../authorize.ts';
import { OK, route } from '../http/route.ts';
import { sessionCookie, setBrowserCookie, tokenOf } from '../http/session.ts';
import type { Product } from '../product.ts';
import { signInTitle } from '../sign-in-providers.ts';

/** Rate limit per user: each request stores an attempt. */
const ADD_LIMIT = { max: 20, timeWindow: 600_000 };

/**
 * Starts the authorisation that adds a sign-in method to the account of a session.
 * @throws AppError not-found; provider-unavailable
 */
async function startLinking(
  product: Product,
  key: string,
  owner: { userId: string; sessionHash: string },
): Promise<{ url: URL; browser: string }> {
  const found = product.signInProviders.find((one) => one.key === key);
  if (!found) throw new AppError('not-found', 'This server has no such sign-in provider.');
  try {
    return await startAuthorization(product, { provider: key, authorization: found.authorization }, owner);
  } catch (error) {
    throw error instanceof ProviderError ? new AppError('provider-unavailable', error.message) : error;
  }
}

/** Registers the list of an account's sign-in methods, and their addition and removal. */
export function registerSignInMethodRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  route(app, product, 'signInMethods', ({ user }) =>
    listSignInMethods(context.db, user.id, (provider) => signInTitle(product.signInProviders, provider)),
  );
  route(
    app,
    product,
    'addSignInMethod',
    async ({ user, params, request, reply }) => {
      const token = tokenOf(request) ?? '';
      // The callback knows the session only by its cookie.
      if (sessionCookie(request) !== token)
        throw new AppError(
          'other-session',
          'This browser does not hold the cookie of your session. Log out, sign in again, and add the method then.',
        );
      const owner = { userId: user.id, sessionHash: fingerprint(token) };
      const { url, browser } = await startLinking(product, params.provider, owner);
      setBrowserCookie(product, reply, browser);
      return { url: url.href };
    },
    { config: { rateLimit: ADD_LIMIT } },
  );
  route(app, product, 'removeSignInMethod', async ({ user, params, request }) => {
    await removeSignInMethod(context, { userId: user.id, token: tokenOf(request) ?? '' }, params.id);
    await publishInvalidation(context, user.id, ['User']);
    return OK;
  });
}
