import { type GithubService, requestedRepository } from '@datadeck/sandbox/parts';
import type { FastifyRequest } from 'fastify';
import { plainPull } from '../control/plain-pull.ts';
import { dueFaults } from './requests.ts';

/** Renames, deletes or hides the repository of the path just before the response, if a fault is due. */
export function changeRepository(github: GithubService, request: FastifyRequest): void {
  const repository = requestedRepository(github, request);
  if (!repository) return;
  const faults = dueFaults(request);
  const renamed = faults.take('repo-renamed');
  if (renamed) github.repositories.rename(repository, renamed.name ?? `${repository.name}-renamed`);
  if (faults.take('repo-deleted')) github.repositories.remove(repository);
  if (faults.take('repo-private')) repository.visibleTo = [];
}

/** Changes the list just before a page is read, if a fault is due. */
export function changePulls(github: GithubService, request: FastifyRequest): void {
  const repository = requestedRepository(github, request);
  if (!repository) return;
  const faults = dueFaults(request);
  const inserts = faults.take('insert-between-pages');
  for (let left = inserts ? (inserts.count ?? 1) : 0; left > 0; left -= 1) {
    const { row, shape } = plainPull(repository, github.links, { title: 'Opened between two pages' });
    repository.insert(row, shape);
  }
  const newest = (count: number) =>
    [...repository.rows()].sort((one, other) => other.createdAt - one.createdAt).slice(0, count);
  const deletes = faults.take('delete-between-pages');
  if (deletes) for (const row of newest(deletes.count ?? 1)) repository.remove(row.number);
  const updates = faults.take('update-between-pages');
  if (!updates) return;
  const oldest = newest(repository.rows().length).slice(-(updates.count ?? 1));
  for (const row of oldest) repository.change(row.number, { title: 'Changed between two pages' }, Date.now());
}
