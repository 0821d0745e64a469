import type { FastifyReply, FastifyRequest } from 'fastify';
import type { QuotaAnswer } from '../quota/quota-window.ts';
import { GithubError } from './github-error.ts';
import type { GithubCaller, GithubService } from './github-service.ts';
import { userId } from './user-shape.ts';

const LIMITS_PAGE = 'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api';
const SECONDARY =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID 0A1B:2C3D:4E5F6.';

/** A primary limit: requests to REST, or points of GraphQL. */
type Resource = 'core' | 'graphql';

/** The caller; undefined for a request without a token. */
export type Visitor = GithubCaller | undefined;

/**
 * Admits a request by its User-Agent, token and the secondary limit, of which it uses one point. Sets the quota headers
 * without using the hourly quota. @throws GithubError 401, 403
 */
export function admitVisitor(
  github: GithubService,
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Resource = 'core',
): Visitor {
  if (!request.headers['user-agent']) {
    throw new GithubError(
      403,
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.',
    );
  }
  const caller = github.callerOf(request);
  if (caller === 'bad') throw badCredentials();
  const key = keyOf(caller, request);
  setQuotaHeaders(reply, windowOf(github, caller, resource).peek(key), resource);
  if (caller) setTokenHeaders(github, reply, caller);
  github.context.hooks.admitted?.('github', request);
  if (!github.quota.points.take(key, 1).allowed) throw secondaryLimit(403, { seconds: 60 });
  return caller;
}

/** Sets the headers about the caller's token. Fine-grained tokens have no scopes. */
function setTokenHeaders(
  github: GithubService,
  reply: FastifyReply,
  { kind, scopes, expiresAt }: GithubCaller,
): void {
  if (kind !== 'fine-grained') reply.header('x-oauth-scopes', scopes.join(', '));
  if (kind === 'oauth') reply.header('x-oauth-client-id', github.context.settings.clients.github.id);
  if (expiresAt !== 0) {
    const expiry = new Date(expiresAt * 1000).toISOString();
    reply.header(
      'github-authentication-token-expiration',
      `${expiry.slice(0, 10)} ${expiry.slice(11, 19)} UTC`,
    );
  }
}

/**
 * Uses one request of the caller's hourly quota, counts it and sets the quota headers. A 304 to a request with a token
 * uses none. @throws GithubError 403 when none is left
 */
export function spendRequest(github: GithubService, request: FastifyRequest, reply: FastifyReply): void {
  const caller = github.callerOf(request);
  const visitor = caller === 'bad' ? undefined : caller;
  const answer = windowOf(github, visitor).take(keyOf(visitor, request), 1);
  setQuotaHeaders(reply, answer);
  if (!answer.allowed) throw primaryLimit(visitor);
  if (visitor) github.context.hooks.charged?.('github', visitor.account.login, 1);
}

/** Checks that the hourly quota is not exhausted, without using it. @throws GithubError 403 */
export function requireQuota(github: GithubService, request: FastifyRequest, visitor: Visitor): void {
  const state = windowOf(github, visitor).peek(keyOf(visitor, request));
  if (state.remaining === 0) throw primaryLimit(visitor);
}

/**
 * Uses points of the caller's hourly quota for GraphQL, counts them and sets the quota headers. The answer says whether they
 * were left.
 */
export function spendPoints(
  github: GithubService,
  visitor: GithubCaller,
  reply: FastifyReply,
  points: number,
): QuotaAnswer {
  const { login } = visitor.account;
  const answer = github.quota.graphql.take(login, points);
  setQuotaHeaders(reply, answer, 'graphql');
  if (answer.allowed) github.context.hooks.charged?.('github', login, points);
  return answer;
}

function windowOf(github: GithubService, visitor: Visitor, resource: Resource = 'core') {
  if (resource === 'graphql') return github.quota.graphql;
  return visitor ? github.quota.requests : github.quota.anonymous;
}

/** Returns the key of quotas: the login, or the IP address of an anonymous caller. */
function keyOf(visitor: Visitor, request: FastifyRequest): string {
  return visitor ? visitor.account.login : `address ${request.socket.remoteAddress ?? ''}`;
}

/** Counts the request as in flight for its user until the response. @throws GithubError, the secondary limit, beyond 100 */
export function countInFlight(github: GithubService, request: FastifyRequest, reply: FastifyReply): void {
  const caller = github.callerOf(request);
  const key = keyOf(caller === 'bad' ? undefined : caller, request);
  const admitted = github.quota.gate.acquire(key);
  reply.raw.once('close', () => github.quota.gate.release(key));
  if (!admitted) throw secondaryLimit(403, { seconds: 60 });
}

function setQuotaHeaders(reply: FastifyReply, answer: QuotaAnswer, resource: Resource = 'core'): void {
  reply.headers({
    'x-ratelimit-limit': String(answer.limit),
    'x-ratelimit-remaining': String(answer.remaining),
    'x-ratelimit-reset': String(Math.ceil(answer.resetAt / 1000)),
    'x-ratelimit-used': String(answer.used),
    'x-ratelimit-resource': resource,
  });
}

/** Returns the error for an invalid or expired token. */
export function badCredentials(): GithubError {
  return new GithubError(401, 'Bad credentials');
}

/** Returns the error for a used hourly quota. */
export function primaryLimit(visitor: Visitor, headers: Record<string, string> = {}): GithubError {
  const whose = visitor ? `user ID ${userId(visitor.account.login)}` : 'your address';
  return new GithubError(403, `API rate limit exceeded for ${whose}.`, {
    documentation: LIMITS_PAGE,
    headers,
  });
}

/** Returns the error for too many points or concurrent requests, with or without the time to wait. */
export function secondaryLimit(status: 403 | 429, wait: { seconds?: number }): GithubError {
  const headers = wait.seconds === undefined ? {} : { 'retry-after': String(wait.seconds) };
  return new GithubError(status, SECONDARY, {
    documentation: `${LIMITS_PAGE}#about-secondary-rate-limits`,
    headers,
  });
}
