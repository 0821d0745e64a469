import type { FastifyInstance, FastifyRequest } from 'fastify';
import { credentialsOf, isClient } from '../oauth/client-credentials.ts';
import { GithubError, githubNotFound } from './github-error.ts';
import type { GithubService } from './github-service.ts';

const PAGE = 'https://docs.github.com/rest/apps/oauth-applications';

/** Registers the endpoints for an OAuth app's own credentials, which delete a grant or a token. */
export function registerApplications(scope: FastifyInstance, github: GithubService): void {
  for (const what of ['grant', 'token']) {
    scope.delete(`/applications/:clientId/${what}`, async (request, reply) => {
      const token = tokenOf(github, request);
      if (what === 'grant') github.tokens.revoke(token);
      else github.tokens.end(token);
      return reply.code(204).send();
    });
  }
}

/** Returns the token of the body. @throws for a wrong client or an invalid token */
function tokenOf(github: GithubService, request: FastifyRequest): string {
  const { clientId = '' } = request.params as { clientId?: string };
  const client = github.context.settings.clients.github;
  if (clientId !== client.id || !isClient(client, credentialsOf(request, new URLSearchParams())))
    throw githubNotFound('/apps/oauth-applications');
  const token = readToken(request.body);
  if (token === undefined)
    throw new GithubError(422, 'Invalid request.\n\n"access_token" wasn\'t supplied.', {
      documentation: PAGE,
    });
  if (!github.tokens.read(token, 'access')) {
    throw new GithubError(422, 'Validation Failed', {
      documentation: PAGE,
      fields: { errors: [{ resource: 'OauthAccess', code: 'missing', field: 'access_token' }] },
    });
  }
  return token;
}

function readToken(body: unknown): string | undefined {
  const parsed: unknown = typeof body === 'string' ? parseOrNothing(body) : body;
  if (typeof parsed !== 'object' || parsed === null || !('access_token' in parsed)) return undefined;
  return typeof parsed.access_token === 'string' ? parsed.access_token : undefined;
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
