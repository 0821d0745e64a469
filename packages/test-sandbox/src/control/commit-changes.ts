import { hash } from 'node:crypto';
import { type CommitFacts, type PullRepository, person, type Shape } from '@datadeck/sandbox/parts';

const DAY = 86_400_000;
let made = 0;

/** Details of added commits. */
export interface CommitOrder {
  message?: string;
  /** Login of the author; default `ada-nowak`. */
  author?: string;
  /** Time of the author and of the committer, ms since 1970; default now. */
  date?: number;
  /** Fields in GitHub's format that override those of each commit. */
  fields?: Shape;
}

/** A merge of an old branch. */
export interface MergeOrder {
  /** Commits of the branch; default 3. */
  commits?: number;
  /** Days by which they are older than the head; default 10. */
  days?: number;
  /** Time of the merge commit, ms since 1970; default now. */
  date?: number;
}

/** A rewritten history. */
export interface RewriteOrder {
  /** Commits that leave the branch; default 1. */
  dropped?: number;
  /** Commits that replace them; default 1. */
  added?: number;
  /** Time of the last one, ms since 1970; default now. */
  date?: number;
}

const dated = (date: number | undefined) => (date === undefined ? {} : { date });

/** Returns commits that follow each other and the parent, one a second up to `date`. */
function chain(parent: string | undefined, count: number, order: CommitOrder): CommitFacts[] {
  const { author = 'ada-nowak', date = Math.floor(Date.now() / 1000) * 1000, fields } = order;
  let before = parent;
  return Array.from({ length: count }, (_, index) => {
    made += 1;
    const who = person(author, date - (count - 1 - index) * 1000);
    const commit: CommitFacts = {
      sha: hash('sha1', `made by the control ${made}`),
      parents: before === undefined ? [] : [before],
      message: order.message ?? `Commit number ${made}`,
      author: who,
      committer: who,
      isVerified: false,
      ...(fields ? { fields } : {}),
    };
    before = commit.sha;
    return commit;
  });
}

function move(repository: PullRepository, commits: CommitFacts[], head: string): string[] {
  repository.activity.history.move(commits, head);
  repository.pushedAt = Date.now();
  return commits.map(({ sha }) => sha);
}

/** Adds commits to the default branch. Returns their hashes, the oldest first. */
export function pushCommits(repository: PullRepository, count = 1, order: CommitOrder = {}): string[] {
  const commits = chain(repository.activity.history.head?.sha, count, order);
  return move(repository, commits, commits.at(-1)?.sha ?? '');
}

/**
 * Merges a branch whose commits are `days` older than the head, so that they are among older ones in the list. Returns the
 * hashes, the merge commit last.
 */
export function mergeOldBranch(
  repository: PullRepository,
  { commits: count = 3, days = 10, date: mergedAt }: MergeOrder = {},
): string[] {
  const { history } = repository.activity;
  const { head } = history;
  if (!head) return pushCommits(repository, count);
  const date = head.committer.date - days * DAY;
  const start = history.log(head).find(({ committer }) => committer.date <= date) ?? head;
  const branch = chain(start.sha, count, { date, message: 'Old work' });
  const [merge] = chain(head.sha, 1, { message: 'Merge branch old-work', ...dated(mergedAt) });
  if (!merge) return [];
  const merged = { ...merge, parents: [head.sha, branch.at(-1)?.sha ?? start.sha] };
  return move(repository, [...branch, merged], merged.sha);
}

/** Replaces the newest commits of the default branch by others, along first parents. Returns the hashes of the new ones. */
export function forcePush(
  repository: PullRepository,
  { dropped = 1, added = 1, date }: RewriteOrder = {},
): string[] {
  const { history } = repository.activity;
  let base = history.head;
  for (let left = dropped; left > 0 && base; left--) base = history.find(base.parents[0] ?? '');
  const commits = chain(base?.sha, added, { message: 'Rewritten', ...dated(date) });
  return move(repository, commits, commits.at(-1)?.sha ?? base?.sha ?? '');
}
