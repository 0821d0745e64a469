import type { FastifyInstance } from 'fastify';
import {
  closeSessions,
  exchangeSignInToken,
  isPasskeyStored,
  previewSignIn,
  relyingPartyOf,
  toProfile,
  updateProfile,
} from '../../features/accounts/index.ts';
import { deleteAccount, deleteAllData } from '../../features/deletion/index.ts';
import { publishInvalidation } from '../../features/notifications/index.ts';
import { readDiskUse } from '../../features/sync/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { signInToDemo } from '../demo/workspace.ts';
import { limitByNetwork } from '../http/caller.ts';
import { OK, route } from '../http/route.ts';
import {
  browserCookie,
  clearSessionCookie,
  navigationUser,
  sessionCookie,
  setSessionCookie,
  tokenOf,
  userOf,
} from '../http/session.ts';
import type { Product } from '../product.ts';
import { listSignInProviders } from '../sign-in-providers.ts';
import { registerPasskeyRoutes } from './passkey-routes.ts';
import { registerSignInMethodRoutes } from './sign-in-method-routes.ts';

/** Rate limit of demo logins per address: 30 in ten minutes. */
const DEMO_LIMIT = { max: 30, timeWindow: 600_000 };

/** Rate limit of sign-in token requests per network: 60 a minute. */
const SIGN_IN_LIMIT = { max: 60, timeWindow: 60_000, keyGenerator: limitByNetwork };

function signInExpired(): AppError {
  return new AppError('unauthenticated', 'This sign-in has expired or was already used. Sign in again.');
}

/** Registers the preview and exchange of the sign-in token that the redirect returns in `res`. */
function registerSignInRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  const options = { config: { rateLimit: SIGN_IN_LIMIT }, exposeHeadRoute: false };
  route(
    app,
    product,
    'signInPreview',
    async ({ request }) => {
      const found = await previewSignIn(context, tokenOf(request) ?? '', browserCookie(request));
      if (!found) throw signInExpired();
      return { name: found.user.name, email: found.user.email, beganHere: found.beganHere };
    },
    options,
  );
  route(
    app,
    product,
    'signIn',
    async ({ request, reply }) => {
      const token = await exchangeSignInToken(context, tokenOf(request) ?? '', sessionCookie(request));
      if (token === undefined) throw signInExpired();
      setSessionCookie(product, reply, token);
      return { token };
    },
    options,
  );
}

/** Registers demo login, profile, logout and deletion. */
export function registerAccountRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  registerSignInRoutes(app, product);
  registerSignInMethodRoutes(app, product);
  registerPasskeyRoutes(app, product);
  route(app, product, 'product', async () => ({
    signInProviders: listSignInProviders(product.signInProviders),
    sandbox: context.config.sandbox,
    demo: context.config.DEMO === 'on',
    sharing: context.config.SHARING === 'on',
    passkeys:
      relyingPartyOf(product.publicUrl()).problem === undefined && (await isPasskeyStored(context.db)),
    version: product.version,
  }));
  route(
    app,
    product,
    'demoLogin',
    async ({ request, reply }) => {
      if (context.config.DEMO === 'off')
        throw new AppError('demo-off', 'This server has no demo users: its operator has set DEMO=off.');
      if (await userOf(product, request))
        throw new AppError('already-signed-in', 'You are signed in already. Log out first.');
      const isCookieTaken = (await navigationUser(product, request)) !== undefined;
      const token = await signInToDemo(context.db, product.registry);
      // Any website can navigate a browser here, so the session of a signed-in user is never replaced.
      if (!isCookieTaken) setSessionCookie(product, reply, token);
      return { token };
    },
    {
      config: { rateLimit: { ...DEMO_LIMIT, keyGenerator: limitByNetwork } },
      // A HEAD request must not create a workspace.
      exposeHeadRoute: false,
    },
  );
  route(app, product, 'logout', async ({ request, reply }) => {
    await closeSessions(context, [tokenOf(request) ?? '', sessionCookie(request)]);
    clearSessionCookie(product, reply);
    return OK;
  });
  route(app, product, 'profile', async ({ user }) => toProfile(user));
  route(app, product, 'updateProfile', async ({ user, body }) => {
    await updateProfile(context.db, user, body);
    await publishInvalidation(context, user.id, ['User']);
    return OK;
  });
  route(app, product, 'diskUse', async ({ user }) => ({
    entities: await readDiskUse(context, product.registry, user.id),
    isDiskLow: product.isDiskLow(),
  }));
  route(app, product, 'deleteAccount', async ({ user, reply }) => {
    await deleteAccount(product, user.id);
    clearSessionCookie(product, reply);
    return OK;
  });
  route(app, product, 'deleteAllData', async ({ user }) => {
    await deleteAllData(product, user.id);
    return OK;
  });
}
