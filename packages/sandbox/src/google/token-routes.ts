import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { credentialsOf, isClient } from '../oauth/client-credentials.ts';
import { fitsChallenge } from '../oauth/pkce.ts';
import { formOf, queryOf, tokenFrom } from '../requests/call.ts';
import { fullName } from './google-account.ts';
import { isSignInScope } from './google-scopes.ts';
import type { CodeGrant, GoogleService } from './google-service.ts';
import { issueTokens, refreshTokens } from './google-tokens.ts';

/** Registers the token, revocation and user information endpoints. */
export function registerTokenEndpoints(scope: FastifyInstance, google: GoogleService): void {
  scope.post('/token', async (request, reply) => exchange(google, request, reply));
  scope.post('/revoke', async (request, reply) => revoke(google, request, reply));
  scope.get('/v1/userinfo', async (request, reply) => userInfo(google, request, reply));
  scope.post('/v1/userinfo', async (request, reply) => userInfo(google, request, reply));
}

async function exchange(
  google: GoogleService,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-cache, no-store, max-age=0, must-revalidate');
  const form = formOf(request);
  if (!isClient(google.context.settings.clients.google, credentialsOf(request, form))) {
    return refuse(reply, 'invalid_client', 'The OAuth client was not found.');
  }
  const grantType = form.get('grant_type');
  if (grantType === 'refresh_token') return refresh(google, request, reply);
  if (grantType !== 'authorization_code')
    return refuse(reply, 'unsupported_grant_type', `Invalid grant_type: ${grantType ?? ''}`);
  const redeemed = redeem(google, form);
  if ('error' in redeemed) return refuse(reply, redeemed.error, redeemed.detail);
  return reply.send(await issueTokens(google, redeemed));
}

function redeem(google: GoogleService, form: URLSearchParams): CodeGrant | { error: string; detail: string } {
  const text = form.get('code') ?? '';
  const code = text.replace(/^4\/0/, '');
  const grant = google.codes.take(code);
  if (google.usedCodes.has(code)) return { error: 'invalid_grant', detail: 'Bad Request' };
  if (!grant) return { error: 'invalid_grant', detail: 'Malformed auth code.' };
  google.usedCodes.add(code);
  if (form.get('redirect_uri') !== grant.request.redirectUri)
    return { error: 'redirect_uri_mismatch', detail: 'Bad Request' };
  const { challenge } = grant.request;
  const verifier = form.get('code_verifier');
  if (challenge && verifier === null) return { error: 'invalid_grant', detail: 'Missing code verifier.' };
  if (challenge && !fitsChallenge(challenge, verifier ?? ''))
    return { error: 'invalid_grant', detail: 'Invalid code verifier.' };
  return grant;
}

async function refresh(
  google: GoogleService,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = formOf(request).get('refresh_token') ?? '';
  const claims = google.tokens.read(token, 'refresh');
  if (!claims || !google.accounts.bySubject(claims.subject)) {
    return refuse(reply, 'invalid_grant', 'Token has been expired or revoked.');
  }
  return reply.send(await refreshTokens(google, token, claims));
}

function revoke(google: GoogleService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const token = formOf(request).get('token') ?? queryOf(request).get('token') ?? '';
  const claims = google.tokens.read(token, 'refresh') ?? google.tokens.read(token, 'access');
  if (!claims) return refuse(reply, 'invalid_token', 'Token expired or revoked');
  google.tokens.revoke(token);
  google.forget(claims.subject);
  return reply.send({});
}

function userInfo(google: GoogleService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const token = tokenFrom(request, ['bearer']) ?? queryOf(request).get('access_token') ?? '';
  const claims = google.tokens.read(token, 'access');
  const account = claims && google.accounts.bySubject(claims.subject);
  if (!claims || !account || !claims.scope.split(' ').some(isSignInScope)) {
    reply.header('www-authenticate', 'Bearer realm="https://accounts.google.com/", error="invalid_token"');
    return reply.code(401).send({ error: 'invalid_request', error_description: 'Invalid Credentials' });
  }
  const profile = { name: fullName(account), given_name: account.givenName, family_name: account.familyName };
  const has = (scope: string) => claims.scope.includes(`userinfo.${scope}`);
  return reply.send({
    sub: account.subject,
    ...(has('profile') ? profile : {}),
    ...(has('email') ? { email: account.email, email_verified: true } : {}),
  });
}

function refuse(reply: FastifyReply, error: string, detail: string): FastifyReply {
  return reply.code(error === 'invalid_client' ? 401 : 400).send({ error, error_description: detail });
}
