import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { QuotaAnswer } from '../quota/quota-window.ts';
import { answerConditionally } from './conditional-answer.ts';
import { privateUserShape } from './github-account.ts';
import { GithubError, githubNotFound } from './github-error.ts';
import { admitVisitor, requireQuota } from './github-guard.ts';
import type { GithubCaller, GithubService } from './github-service.ts';

/** Registers the endpoints about the caller: /user, /user/emails and /rate_limit. */
export function registerUser(scope: FastifyInstance, github: GithubService): void {
  scope.get('/user', async (request, reply) => {
    const { account } = signedIn(github, request, reply);
    return answerConditionally(github, reply, { value: privateUserShape(github.links, account) });
  });

  scope.get('/user/emails', async (request, reply) => {
    const { account, scopes } = signedIn(github, request, reply);
    if (!scopes.some((each) => each === 'user' || each === 'user:email'))
      throw githubNotFound('/users/emails');
    const value = [{ email: account.email, primary: true, verified: true, visibility: 'private' }];
    return answerConditionally(github, reply, { value });
  });

  scope.get('/rate_limit', async (request, reply) => {
    const visitor = admitVisitor(github, request, reply);
    const key = visitor ? visitor.account.login : `address ${request.socket.remoteAddress ?? ''}`;
    const rate = rateOf((visitor ? github.quota.requests : github.quota.anonymous).peek(key));
    const graphql = rateOf(github.quota.graphql.peek(key));
    const search = { limit: 30, used: 0, remaining: 30, reset: Math.ceil(Date.now() / 1000) + 60 };
    return reply.send({ resources: { core: rate, graphql, search }, rate });
  });
}

function rateOf({ limit, used, remaining, resetAt }: QuotaAnswer): Record<string, number> {
  return { limit, used, remaining, reset: Math.ceil(resetAt / 1000) };
}

/** Admits a caller with a token. @throws GithubError 401 */
export function signedIn(github: GithubService, request: FastifyRequest, reply: FastifyReply): GithubCaller {
  const visitor = admitVisitor(github, request, reply);
  requireQuota(github, request, visitor);
  if (!visitor) throw new GithubError(401, 'Requires authentication');
  return visitor;
}
