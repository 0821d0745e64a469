import type { FastifyRequest } from 'fastify';
import { callOf } from '../carrier/call.ts';
import { GithubError, githubNotFound } from './github-error.ts';
import type { Visitor } from './github-guard.ts';
import type { GithubService } from './github-service.ts';
import type { PullRepository } from './pull-repository.ts';

/** Finds the repository of a path. @throws GithubError 301 if it was renamed, 404 if it is missing or not visible */
export function findRepository(
  github: GithubService,
  request: FastifyRequest,
  visitor: Visitor,
): PullRepository {
  const {
    owner = '',
    repo = '',
    repositoryId,
  } = request.params as { owner?: string; repo?: string; repositoryId?: string };
  const shelf = github.repositories;
  const found =
    repositoryId === undefined ? shelf.byName(`${owner}/${repo}`) : shelf.byId(Number(repositoryId));
  if (found) drift(github, request, found);
  const current =
    repositoryId === undefined ? shelf.byName(`${owner}/${repo}`) : shelf.byId(Number(repositoryId));
  if (current && isVisible(current, visitor)) return current;
  const former = repositoryId === undefined ? shelf.byFormerName(`${owner}/${repo}`) : undefined;
  if (former && isVisible(former, visitor)) throw moved(github, request, former);
  throw githubNotFound();
}

function isVisible(repository: PullRepository, visitor: Visitor): boolean {
  if (repository.visibleTo === undefined) return true;
  return visitor?.seesPrivate === true && repository.visibleTo.includes(visitor.account.login);
}

function moved(github: GithubService, request: FastifyRequest, repository: PullRepository): GithubError {
  const [, rest = ''] = /\/repos\/[^/?]+\/[^/?]+(.*)$/s.exec(request.url) ?? [];
  const address = `${github.links.api}/repositories/${repository.id}${rest}`;
  const documentation =
    'https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects';
  return new GithubError(301, 'Moved Permanently', {
    documentation,
    headers: { location: address },
    fields: { url: address },
  });
}

/** Renames, deletes or hides the repository just before the response, if a fault is due. */
function drift(github: GithubService, request: FastifyRequest, repository: PullRepository): void {
  const { faults } = callOf(request);
  const renamed = faults.take('repo-renamed');
  if (renamed) github.repositories.rename(repository, renamed.name ?? `${repository.name}-renamed`);
  if (faults.take('repo-deleted')) github.repositories.remove(repository);
  if (faults.take('repo-private')) repository.visibleTo = [];
}
