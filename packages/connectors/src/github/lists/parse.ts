// The page thread loads this file, so import from the SDK's files; its index loads much more.
import { ProviderError } from '../../sdk/provider-error.ts';
import { commentRecord } from '../records/comment-record.ts';
import { commitRecord } from '../records/commit-record.ts';
import type { ListedRecord } from '../records/github-record.ts';
import { issueRecord } from '../records/issue-record.ts';
import { pullRecord } from '../records/pull-record.ts';
import { releaseRecord } from '../records/release-record.ts';
import { repositoryRecord } from '../records/repository-record.ts';
import { runRecord } from '../records/run-record.ts';

/** Most items of a page; 100 are asked for, but a server that imitates GitHub may send all at once. */
const MAX_ITEMS = 5000;

/** How the items of a kind of list become records. */
interface ItemKind {
  /** What its items are called in messages. */
  many: string;
  /** Field of the answer that holds the items; absent if the answer is the list. */
  field?: string;
  /** @throws ProviderError `malformed` */
  recordOf(item: unknown, repository: string): ListedRecord;
}

const KINDS = {
  pulls: { many: 'pull requests', recordOf: pullRecord },
  issues: { many: 'issues', recordOf: issueRecord },
  'issue-comments': {
    many: 'comments',
    recordOf: (item, repository) => commentRecord(item, repository, 'issue'),
  },
  'review-comments': {
    many: 'review comments',
    recordOf: (item, repository) => commentRecord(item, repository, 'review'),
  },
  runs: { many: 'workflow runs', field: 'workflow_runs', recordOf: runRecord },
  commits: { many: 'commits', recordOf: commitRecord },
  releases: { many: 'releases', recordOf: releaseRecord },
  repositories: { many: 'repositories', recordOf: repositoryRecord },
} as const satisfies Record<string, ItemKind>;

/** A kind of list, e.g. `pulls`. */
export type ListKind = keyof typeof KINDS;

/**
 * Parses the JSON of a list.
 * @param repository full name, for items that do not name theirs
 * @throws ProviderError `malformed`; SyntaxError for text that is not JSON
 */
export function parseList(json: Uint8Array, kind: ListKind, repository: string): ListedRecord[] {
  const { many, field, recordOf }: ItemKind = KINDS[kind];
  const answer: unknown = JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString());
  const list = field === undefined ? answer : (answer as Record<string, unknown> | null)?.[field];
  if (!Array.isArray(list))
    throw new ProviderError('malformed', `GitHub sent a response that is not a list of ${many}.`);
  if (list.length > MAX_ITEMS)
    throw new ProviderError('malformed', `GitHub sent a page of too many ${many}.`);
  return list.map((raw) => recordOf(raw, repository));
}
