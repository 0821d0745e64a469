import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readChallenge } from '../oauth/pkce.ts';
import { isAllowedRedirect, withParameters } from '../oauth/redirect-address.ts';
import { errorPage, pathOf, sendPage } from '../pages/page.ts';
import { openApiScope } from '../requests/api-scope.ts';
import { formOf, queryOf } from '../requests/call.ts';
import type { GithubAuthorization, GithubService } from './github-service.ts';
import { authorizePage } from './oauth-page.ts';
import { answerTokenRequest } from './oauth-tokens.ts';
import { registerPersonalTokens } from './personal-token-routes.ts';

/** Registers the simulated web pages of GitHub: OAuth, its token endpoint, and personal access tokens. */
export async function registerGithubOAuth(scope: FastifyInstance, github: GithubService): Promise<void> {
  openApiScope(scope, github.context, {
    api: 'github-oauth',
    identify: () => undefined,
    errorBody: (_status, message) => ({ error: 'server_error', error_description: message }),
  });
  scope.get('/login/oauth/authorize', async (request, reply) => showPage(github, request, reply));
  scope.post('/login/oauth/authorize', async (request, reply) => decide(github, request, reply));
  registerPersonalTokens(scope, github);
  scope.post('/login/oauth/access_token', async (request, reply) =>
    answerTokenRequest(github, request, reply),
  );
}

function showPage(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const base = github.context.settings.base();
  const query = queryOf(request);
  if (query.get('client_id') !== github.context.settings.clients.github.id) {
    return sendPage(reply, base, {
      ...errorPage('GitHub', 'Not found', 'No OAuth app has this client id.'),
      status: 404,
    });
  }
  const redirectUri = query.get('redirect_uri');
  if (!isAllowedRedirect(redirectUri, base)) {
    const detail = 'The redirect_uri is not associated with this application.';
    return sendPage(reply, base, errorPage('GitHub', 'Be careful!', detail));
  }
  const challenge = readChallenge(query);
  if (challenge === 'invalid')
    return sendPage(reply, base, errorPage('GitHub', 'Invalid request', 'The code challenge is malformed.'));
  const authorization: GithubAuthorization = {
    redirectUri,
    challenge,
    state: query.get('state') ?? undefined,
    scopes: (query.get('scope') ?? '').split(/[\s,]+/).filter((scope) => scope !== ''),
  };
  const form = {
    action: `${pathOf(github.links.web)}/login/oauth/authorize`,
    interaction: github.interactions.put(authorization),
    formTarget: redirectUri,
  };
  const { scopes } = authorization;
  return sendPage(reply, base, authorizePage(form, github.accounts, { scopes, login: query.get('login') }));
}

function decide(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const form = formOf(request);
  const authorization = github.interactions.take(form.get('interaction') ?? '');
  const subject = form.get('account') ?? '';
  if (!authorization || !github.accountOf(subject)) {
    const page = errorPage('GitHub', 'This page has expired', 'Go back to Datadeck and begin again.');
    return sendPage(reply, github.context.settings.base(), page);
  }
  const { state } = authorization;
  const answer =
    form.get('decision') === 'allow'
      ? { code: github.codes.put({ authorization, subject }) }
      : {
          error: 'access_denied',
          error_description: 'The user has denied your application access.',
          error_uri: 'https://docs.github.com/apps/troubleshooting-authorization-request-errors',
        };
  const iss = `${github.links.web}/login/oauth`;
  return reply
    .header('cache-control', 'no-store')
    .redirect(withParameters(authorization.redirectUri, { ...answer, state, iss }), 302);
}
