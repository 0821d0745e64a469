import type { FastifyReply, FastifyRequest } from 'fastify';
import { admitVisitor, requireQuota, type Visitor } from './github-guard.ts';
import type { GithubService } from './github-service.ts';
import { type EndpointAccess, requirePermission } from './permissions.ts';
import type { PullRepository } from './pull-repository.ts';
import { findRepository } from './repository-lookup.ts';

/** The two forms of the paths of a repository. */
export const REPOSITORY_ROOTS = ['/repos/:owner/:repo', '/repositories/:repositoryId'] as const;

/**
 * Admits the caller, finds the repository of the path and checks the caller's permissions for a private one.
 * @throws GithubError 301, 401, 403, 404
 */
export function enterRepository(
  github: GithubService,
  request: FastifyRequest,
  reply: FastifyReply,
  access?: EndpointAccess,
): { visitor: Visitor; repository: PullRepository } {
  const visitor = admitVisitor(github, request, reply);
  requireQuota(github, request, visitor);
  const repository = findRepository(github, request, visitor);
  if (access) requirePermission(visitor, repository.visibleTo !== undefined, access);
  return { visitor, repository };
}
