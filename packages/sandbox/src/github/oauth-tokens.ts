import type { FastifyReply, FastifyRequest } from 'fastify';
import { credentialsOf, isClient } from '../oauth/client-credentials.ts';
import { fitsChallenge } from '../oauth/pkce.ts';
import { formOf, queryOf } from '../requests/call.ts';
import type { GithubService } from './github-service.ts';

type TokenAnswer = Record<string, string | number>;

const EIGHT_HOURS = 28_800;
const SIX_MONTHS = 15_897_600;
const ERRORS: Record<string, string> = {
  bad_verification_code: 'The code passed is incorrect or expired.',
  incorrect_client_credentials: 'The client_id and/or client_secret passed are incorrect.',
  redirect_uri_mismatch: 'The redirect_uri MUST match the registered callback URL for this application.',
  bad_refresh_token: 'The refresh token passed is incorrect or expired.',
  unsupported_grant_type: 'The grant_type is not supported.',
};

/** Handles the token endpoint. Errors are HTTP 200 with `error`, as JSON if requested, or else as a form. */
export function answerTokenRequest(
  github: GithubService,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const answer = exchange(github, request);
  reply.header('cache-control', 'max-age=0, private, must-revalidate');
  if ((request.headers.accept ?? '').includes('json')) return reply.send(answer);
  const pairs = Object.entries(answer).map(([name, value]): [string, string] => [name, String(value)]);
  return reply
    .type('application/x-www-form-urlencoded; charset=utf-8')
    .send(new URLSearchParams(pairs).toString());
}

function exchange(github: GithubService, request: FastifyRequest): TokenAnswer {
  const form = fieldsOf(request);
  if (!isClient(github.context.settings.clients.github, credentialsOf(request, form)))
    return refusal('incorrect_client_credentials');
  const grantType = form.get('grant_type') ?? 'authorization_code';
  if (grantType === 'refresh_token') return refresh(github, form);
  if (grantType !== 'authorization_code') return refusal('unsupported_grant_type');
  const grant = github.codes.take(form.get('code') ?? '');
  if (!grant) return refusal('bad_verification_code');
  const { authorization } = grant;
  const redirectUri = form.get('redirect_uri');
  if (redirectUri !== null && redirectUri !== authorization.redirectUri)
    return refusal('redirect_uri_mismatch');
  if (authorization.challenge && !fitsChallenge(authorization.challenge, form.get('code_verifier') ?? ''))
    return refusal('bad_verification_code');
  return issue(github, { subject: grant.subject, scope: authorization.scopes.join(',') });
}

function refresh(github: GithubService, form: URLSearchParams): TokenAnswer {
  const token = form.get('refresh_token') ?? '';
  const claims = github.tokens.read(token, 'refresh');
  if (!claims) return refusal('bad_refresh_token');
  github.tokens.end(token);
  return issue(github, { subject: claims.subject, scope: claims.scope });
}

interface TokenGrant {
  subject: string;
  scope: string;
}

function issue(github: GithubService, { subject, scope }: TokenGrant): TokenAnswer {
  if (github.issuesExpiringTokens) return expiringTokens(github, { subject, scope }, EIGHT_HOURS);
  const client = github.context.settings.clients.github.id;
  const token = github.tokens.issue('gho_', { subject, scope, client, kind: 'access' });
  return { access_token: token, token_type: 'bearer', scope };
}

/** Issues an access token that expires, and its refresh token, like those of GitHub Apps. @param lifetime seconds */
export function expiringTokens(
  github: GithubService,
  { subject, scope }: TokenGrant,
  lifetime: number,
): TokenAnswer {
  const claims = { subject, scope, client: github.context.settings.clients.github.id };
  const now = Date.now() / 1000;
  return {
    access_token: github.tokens.issue('ghu_', { ...claims, kind: 'access', exp: now + lifetime }),
    expires_in: lifetime,
    refresh_token: github.tokens.issue('ghr_', { ...claims, kind: 'refresh', exp: now + SIX_MONTHS }),
    refresh_token_expires_in: SIX_MONTHS,
    token_type: 'bearer',
    scope,
  };
}

function refusal(error: string): TokenAnswer {
  const uri = `https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/#${error.replaceAll('_', '-')}`;
  return { error, error_description: ERRORS[error] ?? error, error_uri: uri };
}

/** Returns the fields of a request; GitHub accepts them as a form, as JSON or in the query. */
function fieldsOf(request: FastifyRequest): URLSearchParams {
  const { body } = request;
  if (typeof body === 'object' && body !== null && !(body instanceof URLSearchParams)) {
    const pairs = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]);
    return new URLSearchParams(pairs);
  }
  const form = formOf(request);
  return form.size > 0 ? form : queryOf(request);
}
