import {
  expiringTokens,
  formOf,
  type GithubService,
  type GoogleService,
  isSignInScope,
  rotateRefreshToken,
} from '@datadeck/sandbox/parts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isTokenAnswer, oddTokens } from './google-token-faults.ts';
import { dueFaults } from './requests.ts';

/** Adds the faults of sign-in and tokens to Google's routes. */
export function addGoogleSignInFaults(scope: FastifyInstance, google: GoogleService): void {
  scope.addHook('preHandler', async (request, reply) => {
    const faults = dueFaults(request);
    if (faults.take('revoke-fails')) return reply.code(503).send({ error: 'backend_error' });
    denyConsent(request);
    const code = (formOf(request).get('code') ?? '').replace(/^4\/0/, '');
    const grant = google.codes.get(code);
    if (!grant) return changeRefresh(request, reply, google);
    if (faults.take('code-reused')) google.usedCodes.add(code);
    if (faults.take('partial-scope')) grant.scopes = withoutLast(grant.scopes);
    if (grant.offline && faults.take('no-refresh-token')) grant.offline = false;
  });
  scope.addHook('preSerialization', async (request, _reply, payload) => {
    if (!isTokenAnswer(payload)) return payload;
    const token = formOf(request).get('refresh_token') ?? '';
    const claims = google.tokens.read(token, 'refresh');
    if (claims && dueFaults(request).take('refresh-token-rotates'))
      payload.refresh_token = rotateRefreshToken(google, token, claims);
    return oddTokens(google, payload, dueFaults(request));
  });
  addWrongState(scope);
}

/** Adds the faults of sign-in and tokens to GitHub's web pages. */
export function addGithubSignInFaults(scope: FastifyInstance, github: GithubService): void {
  scope.addHook('preHandler', async (request, reply) => {
    const faults = dueFaults(request);
    denyConsent(request);
    const code = formOf(request).get('code') ?? '';
    const grant = github.codes.get(code);
    if (!grant) return changeRefresh(request, reply, github);
    if (faults.take('code-reused')) github.codes.take(code);
    if (faults.take('partial-scope')) grant.authorization.scopes = grant.authorization.scopes.slice(0, -1);
  });
  scope.addHook('preSerialization', async (request, _reply, payload) => {
    if (!isTokenAnswer(payload)) return payload;
    const claims = github.tokens.read(payload.access_token, 'access');
    const short = claims && dueFaults(request).take('short-token-lifetime');
    return short ? expiringTokens(github, claims, short.seconds ?? 1) : payload;
  });
  addWrongState(scope);
}

/** Denies the consent of the submitted page if a fault is due. */
function denyConsent(request: FastifyRequest): void {
  const form = formOf(request);
  if (form.get('decision') === 'allow' && dueFaults(request).take('consent-denied'))
    form.set('decision', 'deny');
}

/** Invalidates the refresh token of the request, or loses the answer with its successor, if a fault is due. */
function changeRefresh(
  request: FastifyRequest,
  reply: FastifyReply,
  { tokens }: Pick<GoogleService, 'tokens'>,
): FastifyReply | undefined {
  const faults = dueFaults(request);
  const form = formOf(request);
  const token = form.get('refresh_token');
  if (token === null) return undefined;
  if (faults.take('invalid-grant')) form.set('refresh_token', 'refused');
  else if (faults.take('rotated-refresh-token-lost')) {
    tokens.end(token);
    reply.hijack();
    reply.raw.destroy();
    return reply;
  }
  return undefined;
}

/** Changes the state in redirects to the product if a fault is due. */
function addWrongState(scope: FastifyInstance): void {
  scope.addHook('onSend', async (request, reply) => {
    const location = reply.getHeader('location');
    if (typeof location !== 'string' || !URL.canParse(location)) return;
    const address = new URL(location);
    const isBack = address.searchParams.has('code') || address.searchParams.has('error');
    if (!isBack || !dueFaults(request).take('wrong-state')) return;
    address.searchParams.set('state', 'another-state');
    reply.header('location', address.href);
  });
}

function withoutLast(scopes: readonly string[]): string[] {
  const last = scopes.findLast((scope) => !isSignInScope(scope));
  return scopes.filter((scope) => scope !== last);
}
