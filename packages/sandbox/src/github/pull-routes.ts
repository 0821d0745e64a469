import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { queryOf } from '../requests/call.ts';
import { answerConditionally } from './conditional-answer.ts';
import { githubNotFound } from './github-error.ts';
import type { GithubService } from './github-service.ts';
import { answerList } from './list-answer.ts';
import type { EndpointAccess } from './permissions.ts';
import { readPullListOptions, selectRows } from './pull-listing.ts';
import { enterRepository, REPOSITORY_ROOTS } from './repository-entry.ts';

const ACCESS: EndpointAccess = { anyOf: ['pull_requests'], page: '/pulls/pulls#list-pull-requests' };

/** Registers repositories and their pull requests, by name and by id. */
export function registerPulls(scope: FastifyInstance, github: GithubService): void {
  for (const root of REPOSITORY_ROOTS) {
    scope.get(root, async (request, reply) => getRepository(github, request, reply));
    scope.get(`${root}/pulls`, async (request, reply) => listPulls(github, request, reply));
    scope.get(`${root}/pulls/:number`, async (request, reply) => getPull(github, request, reply));
  }
}

function getRepository(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { repository } = enterRepository(github, request, reply);
  return answerConditionally(github, reply, { value: repository.repositoryShape(github.links) });
}

function listPulls(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { repository } = enterRepository(github, request, reply, ACCESS);
  return answerList(github, reply, {
    rows: selectRows(repository, readPullListOptions(queryOf(request))),
    text: (row) => repository.text(row, github.links),
    address: `${github.links.api}/repositories/${repository.id}/pulls`,
  });
}

function getPull(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { repository } = enterRepository(github, request, reply, ACCESS);
  const { number = '' } = request.params as { number?: string };
  const row = /^\d+$/.test(number) ? repository.row(Number(number)) : undefined;
  if (!row) throw githubNotFound('/pulls/pulls#get-a-pull-request');
  return answerConditionally(github, reply, { value: repository.shape(row, 'single', github.links) });
}
