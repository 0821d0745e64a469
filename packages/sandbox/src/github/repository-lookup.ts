import type { FastifyRequest } from 'fastify';
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
  const current = requestedRepository(github, request);
  if (current && isVisible(current, visitor)) return current;
  const name = requestedName(request);
  const former = name === undefined ? undefined : github.repositories.byFormerName(name);
  if (former && isVisible(former, visitor)) throw moved(github, request, former);
  throw githubNotFound();
}

/** Returns the repository whose current name or id is in the path. */
export function requestedRepository(
  github: GithubService,
  request: FastifyRequest,
): PullRepository | undefined {
  const name = requestedName(request);
  if (name !== undefined) return github.repositories.byName(name);
  const { repositoryId } = request.params as { repositoryId?: string };
  return github.repositories.byId(Number(repositoryId));
}

/** Returns OWNER/REPOSITORY; undefined if the path has the id. */
function requestedName(request: FastifyRequest): string | undefined {
  const { owner, repo } = request.params as { owner?: string; repo?: string };
  return owner === undefined || repo === undefined ? undefined : `${owner}/${repo}`;
}

/** Returns whether a caller can see a repository. */
export function isVisible(repository: PullRepository, visitor: Visitor): boolean {
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
