import { z } from 'zod';
import {
  type Completion,
  MAX_RECORDS_PER_PAGE,
  type Page,
  ProviderError,
  parseSaved,
  type ReadRequest,
  receiveRecords,
  sendRecords,
  sinceTime,
  WantedRecords,
} from '../../sdk/index.ts';
import { EMPTY_REPOSITORY } from '../api/classify.ts';
import { fetchCount } from '../lists/count.ts';
import type { EntityReader } from '../lists/entity-reader.ts';
import { NEWEST, newestFirstSchema, readNewestFirst } from '../lists/newest-first.ts';
import { fetchLatest, type ListSource, PAGE_SIZE } from '../lists/pages.ts';
import type { RepositoryList } from '../lists/repository-list.ts';
import { commitRecord } from '../records/commit-record.ts';
import { unreadable } from '../records/github-record.ts';
import { repositoryOf } from '../repository/repository-names.ts';

/** The list of commits of the default branch. */
const commitList: RepositoryList = {
  kind: 'commits',
  path: '/commits',
  query: {},
  many: 'commits',
  hasOthers: false,
  followsCursors: true,
  orderColumns: [],
  orderOf: () => 0,
};

const HEAD = z.string().regex(/^[0-9a-f]{40,64}$/);
/** The newest commit of the branch when a run started, and the ETag of the page that named it. */
const cursorSchema = z.object({ head: HEAD.nullable(), etag: z.string().nullable() });
type Cursor = z.infer<typeof cursorSchema>;
const fullSchema = z.object({ ...newestFirstSchema.shape, ...cursorSchema.shape });
const changesSchema = z.object({
  ...cursorSchema.shape,
  nextPage: z.number().int(),
  /** Number of commits that the pages before had. */
  read: z.number().int().default(0),
});

const comparisonSchema = z.object({
  status: z.string(),
  ahead_by: z.int().nonnegative(),
  commits: z.array(z.unknown()).max(MAX_RECORDS_PER_PAGE),
});
type Comparison = z.infer<typeof comparisonSchema>;

const NEVER = new AbortController().signal;

function sourceOf(request: Pick<ReadRequest, 'client' | 'settings' | 'reportsMoves'>, signal: AbortSignal) {
  return { request, list: commitList, repository: repositoryOf(request.settings), signal };
}

/** Returns an ISO text for GitHub's parameter `since`, which compares the date of the commit. */
function sinceQuery(request: Pick<ReadRequest, 'since'>): Record<string, string> {
  const since = sinceTime(request);
  return since === undefined ? {} : { since: new Date(since).toISOString() };
}

/** Runs a read of commits; GitHub refuses the list of a repository without any. */
async function unlessEmpty<T>(read: () => Promise<T>, empty: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ProviderError && error.message.endsWith(EMPTY_REPOSITORY)) return empty;
    throw error;
  }
}

/** Fetches the newest commit of the default branch; undefined if the page still has the ETag. */
async function fetchHead(source: ListSource, etag?: string | null): Promise<Cursor | undefined> {
  const empty = { head: null, etag: null };
  return unlessEmpty(async () => {
    const page = await fetchLatest(source, etag ?? undefined);
    if (!page) return undefined;
    const [newest] = page.records;
    if (!newest) return empty;
    const sha = HEAD.safeParse(newest.columns.sha);
    if (!sha.success) throw unreadable('a commit', sha.error);
    return { head: sha.data, etag: page.etag ?? null };
  }, empty);
}

/** Yields the commits of a head, whose pages stay the same while others are pushed. */
async function* readAll(request: ReadRequest): AsyncGenerator<Page, Completion> {
  const saved = parseSaved(fullSchema, request.checkpoint);
  const source = sourceOf(request, request.signal);
  const cursor = saved ?? (await fetchHead(source)) ?? { head: null, etag: null };
  const { head, etag } = cursor;
  if (head === null) return { cursor: { head, etag }, truncated: false };
  const list = { ...source, query: { sha: head, ...sinceQuery(request) }, isFixed: true };
  const pages = readNewestFirst(request, list, saved ?? NEWEST);
  let next = await pages.next();
  for (; !next.done; next = await pages.next()) {
    const page = next.value;
    yield { ...page, checkpoint: { ...page.checkpoint, head, etag } };
  }
  return { cursor: { head, etag }, truncated: next.value.truncated };
}

function rewritten(cause?: unknown): ProviderError {
  return new ProviderError('cursor-expired', 'The history of the default branch was rewritten on GitHub.', {
    cause,
  });
}

/**
 * Fetches a page of the commits that one commit has and another has not, the oldest first.
 * @throws ProviderError `cursor-expired` if the old one is not part of the history any more
 */
async function compare(
  source: ListSource,
  { from, to, page, size }: { from: string; to: string; page: number; size: number },
): Promise<Comparison> {
  const { request, repository, signal } = source;
  try {
    const { body } = await request.client.get({
      path: `${repository.path}/compare/${from}...${to}`,
      query: { per_page: String(size), page: String(page) },
      headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
      units: 1,
      signal,
    });
    const comparison = comparisonSchema.parse(body);
    if (comparison.status === 'ahead' || comparison.status === 'identical') return comparison;
  } catch (error) {
    const isLost = error instanceof ProviderError && ['not-found', 'malformed'].includes(error.failure);
    if (!isLost && !(error instanceof z.ZodError)) throw error;
    throw rewritten(error);
  }
  throw rewritten();
}

/** Yields the commits that the default branch has and the cursor's commit has not. */
async function* readChanges(request: ReadRequest, since: Cursor): AsyncGenerator<Page, Completion> {
  const source = sourceOf(request, request.signal);
  const saved = parseSaved(changesSchema, request.checkpoint);
  const latest = saved ?? (await fetchHead(source, request.isConditional ? since.etag : null));
  if (!latest || latest.head === since.head) {
    const etag = latest?.etag ?? since.etag;
    return { cursor: { head: since.head, etag }, truncated: false };
  }
  const { head, etag } = latest;
  if (since.head === null || head === null) throw rewritten();
  const choice = new WantedRecords(request);
  let [page, read] = [saved?.nextPage ?? 1, saved?.read ?? 0];
  let previousIds = new Set<string>();
  while (page > 0) {
    const found = await compare(source, { from: since.head, to: head, page, size: PAGE_SIZE });
    if (found.ahead_by > request.limit)
      throw new ProviderError('cursor-expired', 'More commits were pushed than this sync may store.');
    // The same documents as those of the list, which come as texts.
    const commits = receiveRecords(
      sendRecords(found.commits.map((raw) => commitRecord(raw, source.repository.name))),
    );
    const records = await choice.choose(commits, ({ updatedAt }) => updatedAt);
    read += commits.length;
    const isLast = read >= found.ahead_by;
    // Commits that no page lists would never be read again.
    if (!isLast && commits.every(({ id }) => previousIds.has(id)))
      throw new ProviderError('cursor-expired', 'GitHub did not list all new commits.');
    previousIds = new Set(commits.map(({ id }) => id));
    page = isLast ? 0 : page + 1;
    yield { records, checkpoint: { head, etag, nextPage: page, read } };
  }
  return { cursor: { head, etag }, truncated: false };
}

/** How commits are read: by the pages of a head, which do not move, and then by comparing heads. */
export const commitReader: EntityReader = {
  async *read(request) {
    const cursor = parseSaved(cursorSchema, request.cursor);
    if (cursor) return yield* readChanges(request, cursor);
    return yield* readAll(request);
  },
  async estimate(request) {
    const source = sourceOf(request, NEVER);
    const cursor = parseSaved(cursorSchema, request.cursor);
    const list = { ...commitList, query: sinceQuery(request) };
    const nothing = { total: 0, pageSize: PAGE_SIZE, answeredAt: 0, newestNumber: 0 };
    const count = await unlessEmpty(() => fetchCount({ ...source, list }), nothing);
    const total = count?.total ?? null;
    if (cursor?.head) {
      const latest = await fetchHead(source);
      if (latest?.head === cursor.head) return { total, records: 0, requests: 1, units: 1 };
      if (latest?.head) {
        // The second page names the number of commits without the changed files, which only the first has.
        const range = { from: cursor.head, to: latest.head, page: 2, size: 1 };
        const found = await compare(source, range).catch((error: unknown) => {
          if (error instanceof ProviderError && error.failure === 'cursor-expired') return undefined;
          throw error;
        });
        const requests = found && 1 + Math.ceil(found.ahead_by / PAGE_SIZE);
        if (found && requests) return { total, records: found.ahead_by, requests, units: requests };
      }
    }
    const records = Math.min(total ?? request.limit, request.limit);
    const requests = 1 + Math.ceil(records / PAGE_SIZE);
    return { total, records, requests, units: requests };
  },
  async *listIds(request) {
    const all = {
      ...request,
      checkpoint: null,
      cursor: null,
      limit: Number.POSITIVE_INFINITY,
      signal: NEVER,
      stored: async function* () {
        yield [];
      },
    };
    for await (const { records } of readAll(all)) yield records.map(({ id }) => id);
  },
};
