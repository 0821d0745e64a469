import type { FastifyInstance } from 'fastify';
import {
  addPasskey,
  listPasskeys,
  type RelyingParty,
  relyingPartyOf,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
  startPasskey,
  startPasskeySignIn,
} from '../../features/accounts/index.ts';
import { publishInvalidation } from '../../features/notifications/index.ts';
import { limitByNetwork } from '../http/caller.ts';
import { OK, route } from '../http/route.ts';
import {
  browserCookie,
  sessionCookie,
  setBrowserCookie,
  setSessionCookie,
  tokenOf,
} from '../http/session.ts';
import type { Product } from '../product.ts';

/** Rate limit per user: each request stores a challenge. */
const ADD_LIMIT = { max: 20, timeWindow: 600_000 };
/** Rate limit of sign-ins per network: 60 a minute. */
const SIGN_IN_LIMIT = { max: 60, timeWindow: 60_000, keyGenerator: limitByNetwork };

function registerSignIn(app: FastifyInstance, product: Product, relyingParty: () => RelyingParty): void {
  const { context } = product;
  const options = { config: { rateLimit: SIGN_IN_LIMIT } };
  route(
    app,
    product,
    'startPasskeySignIn',
    async ({ reply }) => {
      const started = await startPasskeySignIn(context, relyingParty());
      setBrowserCookie(product, reply, started.browser);
      return started.options;
    },
    options,
  );
  route(
    app,
    product,
    'signInWithPasskey',
    async ({ request, reply, body }) => {
      const cookies = { browser: browserCookie(request), replaced: sessionCookie(request) };
      const token = await signInWithPasskey(context, relyingParty(), { ...cookies, proof: body.credential });
      setSessionCookie(product, reply, token);
      return { token };
    },
    options,
  );
}

/** Registers the list of an account's passkeys, their addition and removal, and the sign-in with one. */
export function registerPasskeyRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  const relyingParty = () => relyingPartyOf(product.publicUrl());
  registerSignIn(app, product, relyingParty);
  route(app, product, 'passkeys', async ({ user }) => {
    const { origin, problem } = relyingParty();
    const passkeys = await listPasskeys(context.db, user.id);
    return { passkeys, origin, ...(problem !== undefined && { problem }) };
  });
  route(
    app,
    product,
    'startPasskey',
    async ({ user, request, reply }) => {
      const owner = { user, token: tokenOf(request) ?? '' };
      const started = await startPasskey(context, relyingParty(), owner);
      setBrowserCookie(product, reply, started.browser);
      return started.options;
    },
    { config: { rateLimit: ADD_LIMIT } },
  );
  route(app, product, 'addPasskey', async ({ user, request, body }) => {
    const owner = { userId: user.id, token: tokenOf(request) ?? '', browser: browserCookie(request) };
    const added = await addPasskey(context, relyingParty(), { ...owner, ...body });
    await publishInvalidation(context, user.id, ['User']);
    return added;
  });
  route(app, product, 'renamePasskey', async ({ user, params, body }) => {
    await renamePasskey(context.db, user.id, { id: params.id, name: body.name });
    await publishInvalidation(context, user.id, ['User']);
    return OK;
  });
  route(app, product, 'removePasskey', async ({ user, params, request }) => {
    await removePasskey(context, { userId: user.id, token: tokenOf(request) ?? '' }, params.id);
    await publishInvalidation(context, user.id, ['User']);
    return OK;
  });
}
