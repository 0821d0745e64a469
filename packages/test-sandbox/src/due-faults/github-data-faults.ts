import { type GithubService, type PullRepository, requestedRepository } from '@datadeck/sandbox/parts';
import type { FastifyRequest } from 'fastify';
import { forcePush, pushCommits } from '../control/commit-changes.ts';
import { plainPull } from '../control/plain-pull.ts';
import {
  changeRecord,
  insertComment,
  insertIssue,
  insertReviewComment,
  insertRun,
  publishRelease,
  type TableKind,
  tableOf,
} from '../control/record-changes.ts';
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
export function changeList(github: GithubService, request: FastifyRequest): void {
  const repository = requestedRepository(github, request);
  if (!repository) return;
  const faults = dueFaults(request);
  const list = listOf(github, repository, request.routeOptions.url ?? '');
  const inserts = faults.take('insert-between-pages');
  for (let left = inserts ? (inserts.count ?? 1) : 0; left > 0; left -= 1) list.insert();
  const deletes = faults.take('delete-between-pages');
  if (deletes) list.remove(deletes.count ?? 1);
  const updates = faults.take('update-between-pages');
  if (updates) list.update(updates.count ?? 1);
}

/** How a list changes: new records, the newest removed, the oldest changed. */
interface ChangingList {
  insert(): void;
  remove(count: number): void;
  update(count: number): void;
}

function listOf(github: GithubService, repository: PullRepository, url: string): ChangingList {
  const number = () => repository.rows().at(-1)?.number ?? 1;
  if (url.endsWith('/pulls/comments'))
    return tableList(repository, 'review-comment', () => insertReviewComment(repository, number()));
  if (url.endsWith('/issues/comments'))
    return tableList(repository, 'comment', () => insertComment(repository, number()));
  if (url.endsWith('/issues')) return tableList(repository, 'issue', () => insertIssue(repository));
  if (url.endsWith('/runs')) return tableList(repository, 'run', () => insertRun(repository));
  if (url.endsWith('/releases')) return tableList(repository, 'release', () => publishRelease(repository));
  if (url.endsWith('/commits')) return commitList(repository);
  return pullList(github, repository);
}

const byAge = (one: { createdAt: number }, other: { createdAt: number }) => other.createdAt - one.createdAt;

function tableList(repository: PullRepository, kind: TableKind, insert: () => void): ChangingList {
  const table = tableOf(repository, kind);
  const sorted = () => [...table.rows()].sort(byAge);
  return {
    insert,
    remove: (count) => {
      for (const { id } of sorted().slice(0, count)) table.remove(id);
    },
    update: (count) => {
      for (const { id } of sorted().slice(-count)) changeRecord(repository, kind, id, {});
    },
  };
}

/** Commits are not changed; a history is rewritten. */
function commitList(repository: PullRepository): ChangingList {
  return {
    insert: () => pushCommits(repository),
    remove: (count) => forcePush(repository, { dropped: count, added: 0 }),
    update: (count) => forcePush(repository, { dropped: count, added: count }),
  };
}

function pullList(github: GithubService, repository: PullRepository): ChangingList {
  const sorted = () => [...repository.rows()].sort(byAge);
  return {
    insert: () => {
      const { row, shape } = plainPull(repository, github.links, { title: 'Opened between two pages' });
      repository.insert(row, shape);
    },
    remove: (count) => {
      for (const row of sorted().slice(0, count)) repository.remove(row.number);
    },
    update: (count) => {
      for (const row of sorted().slice(-count))
        repository.change(row.number, { title: 'Changed between two pages' }, Date.now());
    },
  };
}
