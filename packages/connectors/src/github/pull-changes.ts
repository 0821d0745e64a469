import { z } from 'zod';
import {
  type Completion,
  type Page,
  ProviderError,
  parseSaved,
  type ReadRequest,
  WantedRecords,
} from '../sdk/index.ts';
import { fetchCount } from './pull-count.ts';
import {
  type FetchedPage,
  fetchLatest,
  fetchPage,
  LATEST_UPDATES,
  mayHaveNext,
  newestUpdateOf,
  PAGE_SIZE,
} from './pull-pages.ts';
import type { Repository } from './repository-names.ts';
import { type Cursor, cursorAt, newestNumberOf } from './watermark.ts';

/** Overlap with the last run: pages shift while they are read, and many pull requests share an `updated_at`. */
const OVERLAP_MS = 10 * 60_000;

/** Updates move pull requests to earlier pages, so resuming at a page may repeat some but skips none. */
const checkpointSchema = z.object({
  nextPage: z.number().int(),
  startedAt: z.number(),
  newestUpdate: z.number(),
  yielded: z.number(),
  /** Number of pull requests opened since the cursor. */
  opened: z.number().default(0),
  newestNumber: z.number().default(0),
  /** ETag of the first page. */
  etag: z.string().nullable().default(null),
  /** Whether stored pull requests may be newer than the cursor. */
  mayHaveNewerStored: z.boolean().default(false),
});

type Checkpoint = z.infer<typeof checkpointSchema>;

/** Largest number of reads of the first page, when the count shows that pull requests were opened during the run. */
const MAX_ROUNDS = 3;

/** Deletions are found by the count, so a list that cannot be counted is read in full. */
function uncounted(): ProviderError {
  return new ProviderError('cursor-expired', 'The list of pull requests continues at cursors.');
}

interface Source {
  request: ReadRequest;
  repository: Repository;
  since: Cursor;
}

/** Where to continue, and what the run has read so far. */
interface Progress {
  from: Checkpoint;
  /** Ids read so far, extended by each read. */
  seen: Set<string>;
  /** The first page, if it was already fetched. */
  first?: FetchedPage | undefined;
}

/** Yields pages from a position on, most recently updated first. */
async function* readPages(
  { request, repository, since }: Source,
  { from, seen, first }: Progress,
): AsyncGenerator<Page, Checkpoint> {
  const choice = new WantedRecords(request);
  const horizon = Date.parse(since.updatedUntil) - OVERLAP_MS;
  let position = from;
  while (position.nextPage > 0) {
    const isFirst = position.nextPage === 1;
    const query = { ...LATEST_UPDATES, page: String(position.nextPage) };
    const fetched = isFirst ? first : undefined;
    const page = fetched ?? (await fetchPage({ request, repository, signal: request.signal }, query));
    if (page.nextAddress !== undefined) throw uncounted();
    const records = page.records.filter(({ updatedAt }) => updatedAt >= horizon);
    const isLast = records.length < page.records.length || !mayHaveNext(page);
    const opened = records.filter(
      ({ id, columns }) => Number(columns.number) > since.newestNumber && !seen.has(id),
    );
    for (const { id } of records) seen.add(id);
    const wanted = await choice.choose(records, ({ updatedAt }) => updatedAt);
    position = {
      ...position,
      nextPage: isLast ? 0 : position.nextPage + 1,
      startedAt: position.startedAt || page.answeredAt,
      newestUpdate: Math.max(position.newestUpdate, newestUpdateOf(page)),
      yielded: position.yielded + wanted.length,
      opened: position.opened + opened.length,
      newestNumber: Math.max(position.newestNumber, newestNumberOf(records)),
      etag: isFirst ? (page.etag ?? null) : position.etag,
    };
    if (position.yielded > request.limit)
      throw new ProviderError(
        'cursor-expired',
        'More pull requests changed on GitHub than this sync may store.',
      );
    yield { records: wanted, checkpoint: position };
  }
  return position;
}

/**
 * Returns the total that the first page of a conditional run shows, or that fits to what it shows: an update explains why
 * the page has changed, and there are as many pages as expected. Undefined if the pull requests have to be counted.
 */
function totalShown(first: FetchedPage, since: Cursor, opened: number): number | undefined {
  if (!mayHaveNext(first)) return first.records.length;
  if (since.total === undefined) return undefined;
  const expected = since.total + opened;
  const isExplained = since.etag === undefined || newestUpdateOf(first) > Date.parse(since.updatedUntil);
  const hasExpectedPages = first.lastPage === Math.ceil(expected / PAGE_SIZE);
  return isExplained && hasExpectedPages && first.records.length === PAGE_SIZE ? expected : undefined;
}

async function countPulls({ request, repository }: Source): Promise<number> {
  const count = await fetchCount({ request, repository, signal: request.signal });
  if (!count) throw uncounted();
  return count.total;
}

function deleted(): ProviderError {
  return new ProviderError('cursor-expired', 'Pull requests were deleted on GitHub since the last sync.');
}

/**
 * Checks that the run has seen all stored pull requests that were opened after the cursor. The total cannot show that one of them
 * was deleted, because the cursor's total lacks it.
 * @throws ProviderError `cursor-expired`
 */
async function requireNewerSeen({ request, since }: Source, seen: ReadonlySet<string>): Promise<void> {
  for await (const records of request.stored(['number']))
    for (const { id, columns } of records)
      if (Number(columns.number) > since.newestNumber && !seen.has(id)) throw deleted();
}

/** Yields the changes from a position on until the total is as expected. */
async function* readUntilCounted(
  source: Source,
  from: Checkpoint,
  first: FetchedPage | undefined,
): AsyncGenerator<Page, Completion> {
  const { since } = source;
  const seen = new Set<string>();
  let position = from;
  for (let round = 1; ; round++) {
    position = yield* readPages(source, { from: position, seen, first: round === 1 ? first : undefined });
    const shown = first && round === 1 ? totalShown(first, since, position.opened) : undefined;
    const total = shown ?? (await countPulls(source));
    const expected = since.total === undefined ? total : since.total + position.opened;
    if (total === expected) {
      if (position.mayHaveNewerStored) await requireNewerSeen(source, seen);
      // A total that only fits to the first page is no count.
      const isCounted = shown === undefined || (first !== undefined && !mayHaveNext(first));
      if (isCounted)
        yield { records: [], checkpoint: position, ...(source.request.since === undefined ? { total } : {}) };
      const state = { total, newestNumber: position.newestNumber, etag: position.etag };
      return { cursor: cursorAt(position.startedAt, position.newestUpdate, state), truncated: false };
    }
    // Pull requests opened since the first page was read are on that page now.
    if (total < expected || round >= MAX_ROUNDS) throw deleted();
    position = { ...position, nextPage: 1 };
  }
}

/**
 * Yields the changes since the cursor, most recently updated first. Detects deleted pull requests by their total number,
 * because the list does not contain them. A conditional run asks whether the first page has changed, and counts only if
 * that page does not explain its change.
 * @throws ProviderError `cursor-expired` when some were deleted, more changed than the limit, or the list continues at
 * cursors; a full run follows
 */
export async function* readChanges(
  request: ReadRequest,
  repository: Repository,
  since: Cursor,
): AsyncGenerator<Page, Completion> {
  const source = { request, repository, since };
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  const mayHaveNewerStored = resumed ? resumed.mayHaveNewerStored : request.mayHaveNewerStored === true;
  // To compare what is stored, a run must have seen all changes itself.
  if (resumed && !mayHaveNewerStored) return yield* readUntilCounted(source, resumed, undefined);
  const start = {
    nextPage: 1,
    startedAt: 0,
    newestUpdate: Date.parse(since.updatedUntil),
    yielded: 0,
    opened: 0,
    newestNumber: since.newestNumber,
    etag: null,
    mayHaveNewerStored,
  };
  if (!request.isConditional || mayHaveNewerStored) return yield* readUntilCounted(source, start, undefined);
  const first = await fetchLatest({ request, repository, signal: request.signal }, since.etag);
  if (!first) return { cursor: request.cursor, truncated: false };
  return yield* readUntilCounted(source, start, first);
}
