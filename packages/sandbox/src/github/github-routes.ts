import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { openApiScope } from '../requests/api-scope.ts';
import { registerApplications } from './application-routes.ts';
import { registerComments } from './comment-routes.ts';
import { registerCommits } from './commit-routes.ts';
import { GithubError, githubErrorBody, githubNotFound } from './github-error.ts';
import { countInFlight } from './github-guard.ts';
import type { GithubService } from './github-service.ts';
import { GraphqlRefusal } from './graphql-error.ts';
import { registerGraphql } from './graphql-routes.ts';
import { registerIssues } from './issue-routes.ts';
import { registerPulls } from './pull-routes.ts';
import { registerReleases } from './release-routes.ts';
import { registerRepositoryLists } from './repository-list-routes.ts';
import { registerRuns } from './run-routes.ts';
import { registerUser } from './user-routes.ts';

/** Registers the simulated api.github.com. */
export async function registerGithubApi(scope: FastifyInstance, github: GithubService): Promise<void> {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'x-github-media-type': 'github.v3; format=json',
      'x-github-api-version-selected': '2022-11-28',
      'x-github-request-id': randomBytes(10).toString('hex').toUpperCase(),
      'x-content-type-options': 'nosniff',
    });
  });
  openApiScope(scope, github.context, {
    api: 'github',
    identify: (request) => {
      const caller = github.callerOf(request);
      return typeof caller === 'object' ? caller.account.login : undefined;
    },
    acquire: (request, reply) => countInFlight(github, request, reply),
    errorBody: githubErrorBody,
    answerError(error, reply) {
      if (error instanceof GraphqlRefusal) return reply.code(200).headers(error.headers).send(error.body);
      if (!(error instanceof GithubError)) return undefined;
      const body = {
        ...githubErrorBody(error.statusCode, error.message, error.documentation),
        ...error.fields,
      };
      return reply.code(error.statusCode).headers(error.headers).send(body);
    },
  });
  registerUser(scope, github);
  registerRepositoryLists(scope, github);
  registerPulls(scope, github);
  registerIssues(scope, github);
  registerComments(scope, github);
  registerCommits(scope, github);
  registerRuns(scope, github);
  registerReleases(scope, github);
  registerApplications(scope, github);
  registerGraphql(scope, github);
  scope.setNotFoundHandler(async () => {
    throw githubNotFound();
  });
}
