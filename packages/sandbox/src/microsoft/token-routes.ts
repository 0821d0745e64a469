import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { credentialsOf, isClient } from '../oauth/client-credentials.ts';
import { fitsChallenge } from '../oauth/pkce.ts';
import { formOf } from '../requests/call.ts';
import type { MicrosoftAccount } from './microsoft-account.ts';
import { type MicrosoftRefusal, refusalBody } from './microsoft-error.ts';
import type { MicrosoftService } from './microsoft-service.ts';
import { issueMicrosoftTokens } from './microsoft-tokens.ts';

/** What tokens are issued for. */
interface TokenGrant {
  account: MicrosoftAccount;
  scopes: string[];
  nonce: string | undefined;
}

/** Registers the token endpoint, and the introspection (RFC 7662) by which a mail server of your own checks tokens. */
export function registerMicrosoftTokens(scope: FastifyInstance, microsoft: MicrosoftService): void {
  scope.post('/:tenant/oauth2/v2.0/token', async (request, reply) => exchange(microsoft, request, reply));
  scope.post('/introspect', async (request) => introspect(microsoft, request));
}

async function exchange(
  microsoft: MicrosoftService,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  const form = formOf(request);
  if (!isClient(microsoft.context.settings.clients.microsoft, credentialsOf(request, form)))
    return refuse(reply, { error: 'invalid_client', code: 7000215, text: 'Invalid client secret provided.' });
  const isRenewal = form.get('grant_type') === 'refresh_token';
  const grant = isRenewal ? renewable(microsoft, form) : redeem(microsoft, form);
  if ('error' in grant) return refuse(reply, grant);
  return reply.send(await issueMicrosoftTokens(microsoft, grant.account, grant));
}

function invalidGrant(code: number, text: string): MicrosoftRefusal {
  return { error: 'invalid_grant', code, text };
}

function redeem(microsoft: MicrosoftService, form: URLSearchParams): TokenGrant | MicrosoftRefusal {
  const grant = microsoft.codes.take(form.get('code') ?? '');
  const account = grant && microsoft.bySubject(grant.subject);
  if (!grant || !account) return invalidGrant(70000, 'The provided authorization code is malformed.');
  const { redirectUri, challenge, scopes, nonce } = grant.request;
  if (form.get('redirect_uri') !== redirectUri)
    return invalidGrant(500112, 'The reply address does not match the one of the authorization code.');
  if (challenge && !fitsChallenge(challenge, form.get('code_verifier') ?? ''))
    return invalidGrant(501481, 'The Code_Verifier does not match the code_challenge.');
  return { account, scopes, nonce };
}

function renewable(microsoft: MicrosoftService, form: URLSearchParams): TokenGrant | MicrosoftRefusal {
  const claims = microsoft.tokens.read(form.get('refresh_token') ?? '', 'refresh');
  const account = claims && microsoft.bySubject(claims.subject);
  if (!claims || !account) return invalidGrant(70000, 'The refresh token is expired, revoked or malformed.');
  if (microsoft.hasWithdrawn(claims.subject))
    return invalidGrant(65001, 'The user or administrator has not consented to use the application.');
  return { account, scopes: claims.scope.split(' '), nonce: undefined };
}

function introspect(microsoft: MicrosoftService, request: FastifyRequest): Record<string, unknown> {
  const claims = microsoft.tokens.read(formOf(request).get('token') ?? '', 'access');
  const account = claims && microsoft.bySubject(claims.subject);
  if (!claims || !account) return { active: false };
  return { active: true, username: account.address, scope: claims.scope, client_id: claims.client };
}

function refuse(reply: FastifyReply, refusal: MicrosoftRefusal): FastifyReply {
  return reply.code(refusal.error === 'invalid_client' ? 401 : 400).send(refusalBody(refusal));
}
