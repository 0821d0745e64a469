import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Visitor } from './github-guard.ts';
import type { GithubService } from './github-service.ts';
import { answerList } from './list-answer.ts';
import { keptSelection } from './list-query.ts';
import type { EndpointAccess } from './permissions.ts';
import type { PullRepository } from './pull-repository.ts';
import { enterRepository, REPOSITORY_ROOTS } from './repository-entry.ts';

const LIST: EndpointAccess = { anyOf: ['contents'], page: '/releases/releases#list-releases' };

/** Registers the releases of a repository. */
export function registerReleases(scope: FastifyInstance, github: GithubService): void {
  for (const root of REPOSITORY_ROOTS)
    scope.get(`${root}/releases`, async (request, reply) => listReleases(github, request, reply));
}

function listReleases(github: GithubService, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { repository, visitor } = enterRepository(github, request, reply, LIST);
  const { releases } = repository.activity;
  const scene = repository.scene(github.links);
  const showsDrafts = canPush(repository, visitor);
  const rows = keptSelection(releases.rows(), String(showsDrafts), () =>
    releases
      .rows()
      .filter(({ isDraft }) => showsDrafts || !isDraft)
      .sort((one, other) => other.createdAt - one.createdAt || other.id - one.id),
  );
  return answerList(github, reply, {
    rows,
    text: (release) => releases.text(release, scene),
    address: `${github.links.api}/repositories/${repository.id}/releases`,
  });
}

/** Returns whether a caller may push, and so sees drafts. The sandbox's fine-grained tokens only read. */
function canPush({ owner, members, visibleTo }: PullRepository, visitor: Visitor): boolean {
  if (visitor === undefined || visitor.kind === 'fine-grained') return false;
  const { account, scopes } = visitor;
  const hasScope = scopes.includes('repo') || (visibleTo === undefined && scopes.includes('public_repo'));
  return hasScope && (owner === account.login || members.includes(account.login));
}
