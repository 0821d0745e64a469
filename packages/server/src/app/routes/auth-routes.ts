import { ProviderError } from '@datadeck/connectors';
import { BOUNDS, mayChange, type SignInMethodOutcome, type SignInResult } from '@datadeck/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLinkState, LINK_PATH, type User } from '../../features/accounts/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { type ConsentProvider, finishAuthorization, startAuthorization } from '../authorize.ts';
import { limitByNetwork } from '../http/caller.ts';
import { sendNotFound } from '../http/error-mapper.ts';
import {
  browserCookie,
  navigationUser,
  sessionCookie,
  setBrowserCookie,
  setConnectFailure,
} from '../http/session.ts';
import type { Product } from '../product.ts';

/** Begins a sign-in or a connection; its callback is below. */
const PROVIDER_PATH = '/auth/:provider';
const PROVIDERS_PATH = '/dashboard/integrations/providers';
const ACCOUNT_PATH = '/dashboard/account';
/** Per network, and per provider: one that people cannot reach must not keep them from the others. */
const LIMIT = {
  rateLimit: {
    max: 60,
    timeWindow: 60_000,
    keyGenerator: (request: FastifyRequest) =>
      `${limitByNetwork(request)} ${(request.params as { provider?: string }).provider ?? ''}`,
  },
};

/** Redirects to the login screen with the outcome in `res`. */
function redirectToLogin(reply: FastifyReply, result: SignInResult): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .redirect(`/?res=${encodeURIComponent(JSON.stringify(result))}`, 303);
}

/**
 * Redirects to the Providers screen; an empty provider means that connecting failed.
 * @param added the account, when one was to be added
 */
function redirectToProviders(
  reply: FastifyReply,
  provider: string,
  added?: { account: string; isKnown: boolean },
): FastifyReply {
  const query = new URLSearchParams({
    provider,
    ...(added && { account: added.account, ...(added.isKnown && { known: '1' }) }),
  });
  return reply.header('cache-control', 'no-store').redirect(`${PROVIDERS_PATH}?${query}`, 303);
}

/** Redirects to the Account screen with the outcome of adding a sign-in method. */
function redirectToAccount(reply: FastifyReply, link: SignInMethodOutcome): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(`${ACCOUNT_PATH}?link=${link}`, 303);
}

/**
 * Rejects a plan that cannot connect providers, and sends the browser back to the Providers screen, which shows the
 * failure.
 */
function rejectPlan(reply: FastifyReply): FastifyReply {
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

/** Redirects to the Providers screen after a failed connection, with the reason if the connector names one. */
function redirectNotConnected(product: Product, reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof ProviderError) setConnectFailure(product, reply, PROVIDERS_PATH, error.message);
  return redirectToProviders(reply, '');
}

function messageOf(error: unknown): string {
  return error instanceof ProviderError ? error.message : 'The sign-in failed.';
}

/** Returns the account that a consent page should offer, from the query of a navigation. */
function hintOf(account: unknown): string | undefined {
  return typeof account === 'string' && account !== '' ? account.slice(0, BOUNDS.accountName) : undefined;
}

/** What a provider's page is used for. Google's serves both. */
interface RoutedProvider extends ConsentProvider {
  signsIn: boolean;
  connects: boolean;
  /** Why neither works on this server, as a sentence. */
  unavailable: string | undefined;
}

/** Lists the providers with a consent page: connectors, and identity providers that are no connector. */
function routedProviders({ registry, connectors: installed, signInProviders }: Product): RoutedProvider[] {
  const shipped = new Set(installed.shippedKeys());
  const ofSignIn = new Set(signInProviders.map(({ key }) => key));
  const connectors = registry.all().flatMap(({ key, authorization }): RoutedProvider[] => {
    // A document never signs in, and takes no identity provider's place.
    if (!authorization || (ofSignIn.has(key) && !shipped.has(key))) return [];
    const signsIn = ofSignIn.has(key);
    return [
      { provider: key, authorization, signsIn, connects: true, unavailable: registry.unavailable(key) },
    ];
  });
  const known = new Set(connectors.map(({ provider }) => provider));
  const others = signInProviders
    .filter(({ key }) => !known.has(key))
    .map(({ key: provider, authorization }) => ({ provider, authorization, signsIn: true, connects: false }));
  return [...connectors, ...others.map((other) => ({ ...other, unavailable: undefined }))];
}

/** Returns the user who connects a provider; undefined for a sign-in. `intent=sign-in` ignores a leftover cookie. */
async function connectingUser(
  product: Product,
  request: FastifyRequest,
  to: RoutedProvider,
): Promise<User | undefined> {
  const { intent } = request.query as { intent?: string };
  return intent === 'sign-in' || !to.connects ? undefined : navigationUser(product, request);
}

async function startAtProvider(
  product: Product,
  request: FastifyRequest,
  reply: FastifyReply,
  to: RoutedProvider,
): Promise<FastifyReply> {
  const user = await connectingUser(product, request, to);
  if (!user && !to.signsIn) {
    const error = to.unavailable ?? 'Sign in before connecting a provider.';
    return redirectToLogin(reply, { token: null, error });
  }
  if (user && !mayChange(user.plan)) return rejectPlan(reply);
  if (to.unavailable !== undefined)
    return user
      ? redirectToProviders(reply, '')
      : redirectToLogin(reply, { token: null, error: to.unavailable });
  const { access, add, account } = request.query as { access?: string; add?: string; account?: string };
  try {
    const { url, browser } = await startAuthorization(product, to, {
      userId: user?.id ?? null,
      sessionHash: null,
      access,
      // Only a user who is signed in has accounts.
      ...(user && { isAddition: add === '1', loginHint: hintOf(account) }),
    });
    setBrowserCookie(product, reply, browser);
    return reply.header('cache-control', 'no-store').redirect(url.href, 303);
  } catch (error) {
    request.log.warn(
      { err: error, provider: to.provider },
      'could not start the authorisation at the provider',
    );
    return user
      ? redirectNotConnected(product, reply, error)
      : redirectToLogin(reply, { token: null, error: messageOf(error) });
  }
}

async function handleCallback(
  product: Product,
  request: FastifyRequest,
  reply: FastifyReply,
  from: RoutedProvider,
): Promise<FastifyReply> {
  const callback = new URL(request.url, product.publicUrl());
  const cookies = { browser: browserCookie(request), session: sessionCookie(request) };
  const outcome = await finishAuthorization(product, from, { callback, ...cookies });
  if (outcome.kind === 'connected')
    return redirectToProviders(reply, from.provider, outcome.isAddition ? outcome : undefined);
  if (outcome.kind === 'signed-in') return redirectToLogin(reply, { token: outcome.token, error: null });
  if (outcome.kind === 'linked' || outcome.kind === 'taken') return redirectToAccount(reply, outcome.kind);
  if (outcome.kind === 'failed') {
    request.log.warn({ err: outcome.error, provider: from.provider }, 'the authorisation failed');
    if (outcome.purpose === 'link') return redirectToAccount(reply, 'failed');
    return outcome.purpose === 'connect'
      ? redirectNotConnected(product, reply, outcome.error)
      : redirectToLogin(reply, { token: null, error: messageOf(outcome.error) });
  }
  return redirectUnknown(product, request, reply, from);
}

/** Redirects from the callback of an unknown attempt. Its purpose is derived from state, provider and session. */
async function redirectUnknown(
  product: Product,
  request: FastifyRequest,
  reply: FastifyReply,
  from: RoutedProvider,
): Promise<FastifyReply> {
  const { state } = request.query as { state?: unknown };
  if (typeof state === 'string' && isLinkState(state)) return redirectToAccount(reply, 'failed');
  const isConnect =
    !from.signsIn || (from.connects && (await navigationUser(product, request)) !== undefined);
  if (isConnect) return redirectToProviders(reply, '');
  const error = 'The sign-in took too long, or was started in another browser. Try again.';
  return redirectToLogin(reply, { token: null, error });
}

/** Answers a failed navigation, such as a rate-limited one, with the screen that reports it instead of JSON. */
function redirectFailed(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // No screen of ours is reachable under a refused host name, so nothing is redirected there.
  if (error instanceof AppError && error.code === 'host-not-allowed') throw error;
  if (!(error instanceof AppError)) request.log.error({ err: error }, 'a navigation of the sign-in failed');
  const { intent, state } = request.query as { intent?: unknown; state?: unknown };
  if (typeof state === 'string' && isLinkState(state)) return redirectToAccount(reply, 'failed');
  const isConnect = intent !== 'sign-in' && sessionCookie(request) !== '';
  if (isConnect) return redirectToProviders(reply, '');
  const message = error instanceof AppError ? error.message : 'The sign-in failed.';
  return redirectToLogin(reply, { token: null, error: message });
}

/** Options of every navigation. */
const NAVIGATION = { config: LIMIT, schema: { hide: true }, errorHandler: redirectFailed };

/**
 * Leads from a printed sign-in link to the login screen, which asks before it signs in. The token is not used up here, so
 * a program that previews links does no harm.
 */
function registerLinkRoute(app: FastifyInstance): void {
  app.get<{ Params: { token: string } }>(`${LINK_PATH}/:token`, NAVIGATION, (request, reply) =>
    redirectToLogin(reply, { token: request.params.token, error: null }),
  );
}

/** Registers the navigations: sign in, connect a provider, and their callbacks. */
export function registerAuthRoutes(app: FastifyInstance, product: Product): void {
  registerLinkRoute(app);
  type ProviderRequest = FastifyRequest<{ Params: { provider: string } }>;
  // Looked up at each request, because administrators publish providers while the product runs.
  const find = ({ params }: ProviderRequest) =>
    routedProviders(product).find(({ provider }) => provider === params.provider);
  app.get(PROVIDER_PATH, NAVIGATION, (request: ProviderRequest, reply) => {
    const routed = find(request);
    return routed ? startAtProvider(product, request, reply, routed) : sendNotFound(request, reply);
  });
  app.get(`${PROVIDER_PATH}/callback`, NAVIGATION, (request: ProviderRequest, reply) => {
    const routed = find(request);
    return routed ? handleCallback(product, request, reply, routed) : sendNotFound(request, reply);
  });
}
