import type { FastifyInstance, FastifyReply } from 'fastify';
import { queryOf } from '../requests/call.ts';
import { answerConditionally } from './conditional-answer.ts';
import { githubNotFound } from './github-error.ts';
import { admitVisitor, requireQuota } from './github-guard.ts';
import type { GithubService } from './github-service.ts';
import { linkHeader, wholeNumber } from './pull-listing.ts';
import type { PullRepository } from './pull-repository.ts';
import { isVisible } from './repository-lookup.ts';
import { signedIn } from './user-routes.ts';

type Shape = Record<string, unknown>;

const USER_PAGE = '/repos/repos#list-repositories-for-a-user';
const ORGANISATION_PAGE = '/repos/repos#list-organization-repositories';

/** Registers the lists of repositories: /user/repos, /users/{name}/repos and /orgs/{name}/repos. */
export function registerRepositoryLists(scope: FastifyInstance, github: GithubService): void {
  scope.get('/user/repos', async (_request, reply) => {
    const visitor = signedIn(github, reply.request, reply);
    const { login } = visitor.account;
    const isOwn = ({ owner, members, visibleTo = [] }: PullRepository) =>
      [owner, ...members, ...visibleTo].includes(login);
    const own = github.repositories.all().filter((each) => isOwn(each) && isVisible(each, visitor));
    return answerList(github, reply, own);
  });

  scope.get('/users/:owner/repos', async (request, reply) => {
    requireQuota(github, request, admitVisitor(github, request, reply));
    const owned = ownedBy(github, ownerIn(request.params));
    const isAccount = github.accounts.some(({ login }) => isEqual(login, ownerIn(request.params)));
    if (owned.length === 0 && !isAccount) throw githubNotFound(USER_PAGE);
    const shown = owned.filter(({ visibleTo }) => visibleTo === undefined);
    return answerList(github, reply, shown);
  });

  scope.get('/orgs/:owner/repos', async (request, reply) => {
    const visitor = admitVisitor(github, request, reply);
    requireQuota(github, request, visitor);
    const owned = ownedBy(github, ownerIn(request.params)).filter((each) => isOfOrganisation(github, each));
    if (owned.length === 0) throw githubNotFound(ORGANISATION_PAGE);
    const shown = owned.filter((each) => isVisible(each, visitor));
    return answerList(github, reply, shown);
  });
}

function ownerIn(params: unknown): string {
  return (params as { owner?: string }).owner ?? '';
}

function isEqual(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function ownedBy(github: GithubService, owner: string): PullRepository[] {
  return github.repositories.all().filter((repository) => isEqual(repository.owner, owner));
}

function isOfOrganisation(github: GithubService, repository: PullRepository): boolean {
  const { owner } = repository.repositoryShape(github.links) as { owner: { type: string } };
  return owner.type === 'Organization';
}

const textOf = (shape: Shape, field: string) => String(shape[field] ?? '');

/** Orders a list like GitHub: by full name, else by a time, the latest first. */
function ordered(shapes: Shape[], query: URLSearchParams): Shape[] {
  const sort = query.get('sort') ?? 'full_name';
  const isByTime = ['created', 'updated', 'pushed'].includes(sort);
  const field = isByTime ? `${sort}_at` : 'full_name';
  const isDescending = (query.get('direction') ?? (isByTime ? 'desc' : 'asc')) === 'desc';
  const compare = (one: Shape, other: Shape) => {
    const [a, b] = [textOf(one, field), textOf(other, field)];
    return a === b ? Number(one.id) - Number(other.id) : a < b ? -1 : 1;
  };
  return shapes.sort((one, other) => (isDescending ? -compare(one, other) : compare(one, other)));
}

function answerList(
  github: GithubService,
  reply: FastifyReply,
  repositories: readonly PullRepository[],
): FastifyReply {
  const query = queryOf(reply.request);
  const [, pathname = ''] = /(\/(?:user|users\/[^/]+|orgs\/[^/]+)\/repos)/.exec(reply.request.url) ?? [];
  const perPage = Math.min(100, wholeNumber(query.get('per_page'), 30));
  const page = wholeNumber(query.get('page'), 1);
  const shapes = ordered(
    repositories.map((repository) => repository.repositoryShape(github.links)),
    query,
  );
  const link = linkHeader(`${github.links.api}${pathname}`, query, {
    page,
    last: Math.ceil(shapes.length / perPage),
  });
  const value = shapes.slice((page - 1) * perPage, page * perPage);
  return answerConditionally(github, reply, { value, link });
}
