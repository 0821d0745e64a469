import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FaultOptions } from '../faults/fault-injector.ts';
import type { QuotaAnswer } from '../quota/quota-window.ts';
import { callOf } from '../requests/call.ts';
import { GithubError } from './github-error.ts';
import type { GithubCaller, GithubService } from './github-service.ts';
import { userId } from './user-shape.ts';

const LIMITS_PAGE = 'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api';
const SECONDARY =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID 0A1B:2C3D:4E5F6.';

/** The caller; undefined for a request without a token. */
export type Visitor = GithubCaller | undefined;

/**
 * Admits a request by its User-Agent, token, injected faults and the secondary limit, of which it uses one point. Sets the
 * quota headers without using the hourly quota. @throws GithubError 401, 403, 429, 451
 */
export function admitVisitor(github: GithubService, request: FastifyRequest, reply: FastifyReply): Visitor {
  const { faults } = callOf(request);
  if (!request.headers['user-agent']) {
    throw new GithubError(
      403,
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.',
    );
  }
  const caller = github.callerOf(request);
  if (caller === 'bad' || faults.take('token-expired')) throw new GithubError(401, 'Bad credentials');
  const key = keyOf(caller, request);
  const skew = faults.take('clock-skew');
  setQuotaHeaders(reply, windowOf(github, caller).peek(key), skew);
  if (caller) setTokenHeaders(github, reply, caller);
  refuseByFault(request, reply, { visitor: caller, skewSeconds: skew ? (skew.seconds ?? 3600) : 0 });
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
 * Checks that a fine-grained token may read the pull requests of a private repository. Every token reads public ones.
 * @throws GithubError 403
 */
export function requirePullPermission(visitor: Visitor, isPrivate: boolean): void {
  if (!isPrivate || visitor === undefined || visitor.readsPulls) return;
  throw new GithubError(403, 'Resource not accessible by personal access token', {
    documentation: 'https://docs.github.com/rest/pulls/pulls#list-pull-requests',
    headers: { 'x-accepted-github-permissions': 'pull_requests=read' },
  });
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
  if (visitor) github.context.counters.addUnits(`github ${visitor.account.login}`, 1);
}

/** Checks that the hourly quota is not exhausted, without using it. @throws GithubError 403 */
export function requireQuota(github: GithubService, request: FastifyRequest, visitor: Visitor): void {
  const state = windowOf(github, visitor).peek(keyOf(visitor, request));
  if (state.remaining === 0) throw primaryLimit(visitor);
}

function windowOf(github: GithubService, visitor: Visitor) {
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

/** Sets the `x-ratelimit` headers. An injected clock skew, by default 3600 s, moves their reset and the `date` header. */
function setQuotaHeaders(reply: FastifyReply, answer: QuotaAnswer, skew?: FaultOptions): void {
  if (skew) reply.header('date', new Date(Date.now() + (skew.seconds ?? 3600) * 1000).toUTCString());
  reply.headers({
    'x-ratelimit-limit': String(answer.limit),
    'x-ratelimit-remaining': String(answer.remaining),
    'x-ratelimit-reset': String(Math.ceil(answer.resetAt / 1000) + (skew ? (skew.seconds ?? 3600) : 0)),
    'x-ratelimit-used': String(answer.used),
    'x-ratelimit-resource': 'core',
  });
}

/** Throws the error of the first injected fault that refuses requests. `skewSeconds` is added to the reset of the quota. */
function refuseByFault(
  request: FastifyRequest,
  reply: FastifyReply,
  { visitor, skewSeconds }: { visitor: Visitor; skewSeconds: number },
): void {
  const { faults } = callOf(request);
  const now = Date.now() / 1000 + skewSeconds;
  if (faults.take('insufficient-scope')) throw new GithubError(403, 'Resource not accessible by integration');
  if (faults.take('sso-required')) {
    const message =
      'Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.';
    throw new GithubError(403, message, {
      headers: { 'x-github-sso': 'required; url=https://github.com/orgs/aurora-labs/sso' },
    });
  }
  if (faults.take('access-blocked')) {
    throw new GithubError(451, 'Repository access blocked', {
      fields: { block: { reason: 'dmca', created_at: '2026-01-01T00:00:00Z' } },
    });
  }
  const limited = faults.take('github-primary-limit');
  if (limited) throw rateLimitError(reply, visitor, now + (limited.seconds ?? 2));
  const paced = faults.take('github-primary-limit-retry-after');
  if (paced) throw rateLimitError(reply.header('retry-after', paced.seconds ?? 1), visitor, now + 3600);
  const past = faults.take('github-reset-in-past');
  if (past) throw rateLimitError(reply, visitor, now - (past.seconds ?? 30));
  const secondary = faults.take('github-secondary-limit');
  if (secondary) throw secondaryLimit(403, { seconds: secondary.seconds ?? 1 });
  const secondary429 = faults.take('github-secondary-limit-429');
  if (secondary429) throw secondaryLimit(429, { seconds: secondary429.seconds ?? 1 });
  if (faults.take('github-secondary-limit-bare')) throw secondaryLimit(403, {});
}

/** Sets the headers of a used quota and returns the error. @param resetAt seconds since 1970 */
function rateLimitError(reply: FastifyReply, visitor: Visitor, resetAt: number): GithubError {
  reply.headers({
    'x-ratelimit-remaining': '0',
    'x-ratelimit-used': '5000',
    'x-ratelimit-reset': String(Math.ceil(resetAt)),
  });
  return primaryLimit(visitor);
}

function primaryLimit(visitor: Visitor): GithubError {
  const whose = visitor ? `user ID ${userId(visitor.account.login)}` : 'your address';
  return new GithubError(403, `API rate limit exceeded for ${whose}.`, { documentation: LIMITS_PAGE });
}

function secondaryLimit(status: number, wait: { seconds?: number }): GithubError {
  const headers = wait.seconds === undefined ? {} : { 'retry-after': String(wait.seconds) };
  return new GithubError(status, SECONDARY, {
    documentation: `${LIMITS_PAGE}#about-secondary-rate-limits`,
    headers,
  });
}
