import { z } from 'zod';
import {
  type Completion,
  type Json,
  orderedParallel,
  type Page,
  ProviderError,
  parseSaved,
  type ReadRequest,
  type ScopeReading,
  sinceTime,
} from '../../sdk/index.ts';
import { fetchCount, type ListCount } from './count.ts';
import { FIRST_LINKED, linkedSchema, readLinked } from './linked.ts';
import {
  type FetchedPage,
  fetchPage,
  LATEST_UPDATES,
  type ListPlace,
  type ListSource,
  mayHaveNext,
  newestUpdateOf,
  PAGE_SIZE,
} from './pages.ts';
import type { RepositoryList } from './repository-list.ts';
import { cursorAt, newestNumberOf } from './watermark.ts';
import { fetchWindow, readWindow, windowPages, windowSchema } from './window.ts';

const numberedSchema = z.object({
  /** The next page to read, descending; 0 after page 1. */
  nextPage: z.number().int(),
  /** Whether the limit has already excluded records. */
  truncated: z.boolean(),
  lastPage: z.number().int(),
  startedAt: z.number(),
  newestUpdate: z.number(),
  /** Number of items before the first page was read. */
  total: z.number().int().nullable().default(null),
  newestNumber: z.number().int().default(0),
  /** Records per page, except for the last page. */
  pageSize: z.number().int().positive().default(PAGE_SIZE),
  /** Records of the last page; 0 before it was read. */
  lastHeld: z.number().int().default(0),
  /** ETag of the page with the latest updates, before the first page was read. */
  etag: z.string().nullable().default(null),
});
type Checkpoint = z.infer<typeof numberedSchema>;
const checkpointSchema = z.union([windowSchema, linkedSchema, numberedSchema]);
type Size = Pick<Checkpoint, 'lastPage' | 'pageSize'>;

/** Largest number of restarts because the page size differs from the expected one. */
const MAX_RESIZES = 3;

/** Page numbers that are listed at once; a server may name any last page. */
const MAX_AT_ONCE = 1000;

/** Returns the next page numbers, descending, needed for `limit` records; one more, since the last page may be short. */
function pagesDown({ nextPage, pageSize }: Checkpoint, limit: number): number[] {
  const count = Math.min(nextPage, Math.ceil(limit / pageSize) + 1, MAX_AT_ONCE);
  return Array.from({ length: count }, (_, index) => nextPage - index);
}

/** Yields the whole list, newest first: by page numbers, or by the addresses of a list that continues at cursors. */
export async function* readAll(
  request: Omit<ReadRequest, 'stored'>,
  place: ListPlace,
): AsyncGenerator<Page, Completion> {
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  const source = { ...place, request, signal: request.signal };
  if (resumed && 'address' in resumed) return yield* readLinked(source, request, resumed);
  const isWindow = resumed !== null && 'window' in resumed;
  const since = sinceTime(request);
  if (since !== undefined && (isWindow || !resumed)) {
    const window = await fetchWindow(source, since);
    if (window)
      return yield* readWindow(source, request, { window, resumed: isWindow ? resumed : undefined });
  }
  if (isWindow)
    throw new ProviderError('cursor-expired', `Too many ${place.list.many} were updated during the sync.`);
  const [checkpoint, total] = await Promise.all([
    resumed ?? findStart(source, request),
    resumed || since !== undefined ? null : (place.list.countOwn?.(source) ?? null),
  ]);
  if (total !== null) yield { records: [], checkpoint: checkpoint ?? FIRST_LINKED, total };
  if (!checkpoint) return yield* readLinked(source, request, FIRST_LINKED);
  return yield* readNumbered(request, place, checkpoint);
}

/**
 * Returns where a run starts; undefined if the list continues at cursors. A conditional run finds the number of pages in the
 * page whose ETag the next run needs, others count.
 */
async function findStart(
  source: ListSource,
  { isConditional }: Pick<ReadRequest, 'isConditional'>,
): Promise<Checkpoint | undefined> {
  const latest = isConditional ? await fetchPage(source, LATEST_UPDATES) : undefined;
  if (latest?.nextAddress !== undefined) return undefined;
  const etag = { etag: latest?.etag ?? null };
  if (latest && !mayHaveNext(latest)) {
    const { records, answeredAt } = latest;
    return { ...firstCheckpoint({ total: records.length, pageSize: PAGE_SIZE, answeredAt }), ...etag };
  }
  if (latest?.lastPage !== undefined && latest.records.length === PAGE_SIZE) {
    const { lastPage, answeredAt } = latest;
    const start = firstCheckpoint({ total: lastPage * PAGE_SIZE, pageSize: PAGE_SIZE, answeredAt });
    return { ...start, total: null, ...etag };
  }
  const count = await fetchCount(source);
  return count && { ...firstCheckpoint(count), ...etag };
}

/**
 * Ascending pages are stable, so reads them from the last one down, several at once. A deletion during the run shifts
 * records between pages, so that one may be repeated or missed; the next run then finds fewer records than counted and
 * becomes a full run.
 */
async function* readNumbered(
  request: Omit<ReadRequest, 'stored'>,
  place: ListPlace,
  from: Checkpoint,
): AsyncGenerator<Page, Completion> {
  const ascending = (page: number, signal: AbortSignal) =>
    fetchPage({ ...place, request, signal }, { sort: 'created', direction: 'asc', page: String(page) });
  let checkpoint = from;
  let remaining = request.limit;
  let previousIds = new Set<string>();
  let resizes = 0;
  const since = sinceTime(request) ?? Number.NEGATIVE_INFINITY;
  // With a date or items that are no records, only a later page shows whether the limit has left out any that are wanted.
  const isSelective = request.since !== undefined || place.list.hasOthers;
  const mayContinue = () => remaining > 0 || (isSelective && !checkpoint.truncated);
  // Repeats if some pages are shorter than others, or have records that are not wanted.
  while (checkpoint.nextPage >= 1 && mayContinue()) {
    const ahead = () => request.client.prefetchCount;
    for await (const answer of orderedParallel(pagesDown(checkpoint, remaining), ahead, ascending)) {
      if (answer.nextAddress !== undefined)
        throw new ProviderError('malformed', 'GitHub continues a numbered page of its list at a cursor.');
      const size = findNewPageSize(checkpoint, answer);
      if (size) {
        checkpoint = restartWithSize(checkpoint, size, ++resizes);
        break;
      }
      const newRecords = answer.records
        .filter(({ id, updatedAt, isOther }) => !isOther && updatedAt >= since && !previousIds.has(id))
        .reverse();
      const records = newRecords.slice(0, remaining);
      previousIds = new Set(answer.records.map((record) => record.id));
      remaining -= records.length;
      checkpoint = checkpointAfter(place.list, checkpoint, {
        answer,
        isTruncated: records.length < newRecords.length,
      });
      const total = isSelective ? null : totalOf(checkpoint);
      yield { records, checkpoint, ...(total === null ? {} : { total }) };
      if (!mayContinue()) break;
    }
  }
  return {
    cursor: cursorOf(checkpoint),
    truncated: checkpoint.truncated || (!isSelective && checkpoint.nextPage >= 1),
  };
}

function cursorOf(checkpoint: Checkpoint): Json {
  const { startedAt, newestUpdate, newestNumber, etag } = checkpoint;
  return cursorAt(startedAt, newestUpdate, { total: totalOf(checkpoint), newestNumber, etag });
}

/** Returns the cursor of a full run that is ended after the page of a checkpoint. */
export function cursorAfter(saved: Json): Json {
  const checkpoint = parseSaved(checkpointSchema, saved);
  if (!checkpoint) return null;
  if ('lastPage' in checkpoint) return cursorOf(checkpoint);
  const { startedAt } = checkpoint;
  const newestNumber = 'address' in checkpoint ? checkpoint.newestNumber : 0;
  const newestUpdate = 'address' in checkpoint ? checkpoint.newestUpdate : startedAt;
  const etag = 'address' in checkpoint ? null : checkpoint.etag;
  return cursorAt(startedAt, newestUpdate, { total: null, newestNumber, etag });
}

/** Yields the ids of a list, newest first. GitHub has no list of only ids. */
export async function* listIds(
  request: Pick<ReadRequest, 'client' | 'settings' | keyof ScopeReading>,
  place: ListPlace,
): AsyncGenerator<string[]> {
  // The client's own signal ends the requests.
  const { signal } = new AbortController();
  const since = sinceTime(request);
  let isNumbered = since !== undefined;
  if (since !== undefined) {
    for await (const page of windowPages({ ...place, request, signal }, since)) {
      isNumbered = page !== null;
      if (page) yield page.records.filter(({ isOther }) => !isOther).map(({ id }) => id);
    }
  }
  if (isNumbered) return;
  const all = { checkpoint: null, cursor: null, limit: Number.POSITIVE_INFINITY };
  for await (const { records } of readAll({ ...request, ...all, signal }, place))
    yield records.map(({ id }) => id);
}

/**
 * Returns the page size if it differs from the expected one, so that page numbers mean other records. A page may be a few
 * records short with the expected size; then the last page's number is as expected or missing.
 */
function findNewPageSize({ pageSize, lastPage }: Checkpoint, answer: FetchedPage): Size | undefined {
  const recordCount = answer.records.length;
  const hasNewSize = answer.hasNext && recordCount !== pageSize && (answer.lastPage ?? lastPage) !== lastPage;
  return hasNewSize && answer.lastPage ? { lastPage: answer.lastPage, pageSize: recordCount } : undefined;
}

/**
 * Returns the checkpoint to restart with the actual page size.
 * @param times number of restarts in this read
 * @throws ProviderError `cursor-expired` if records were already yielded; then a new full run starts
 */
function restartWithSize(checkpoint: Checkpoint, { lastPage, pageSize }: Size, times: number): Checkpoint {
  if (checkpoint.nextPage < checkpoint.lastPage)
    throw new ProviderError('cursor-expired', 'GitHub changed its page size during the sync.');
  if (times > MAX_RESIZES)
    throw new ProviderError('malformed', 'GitHub sent pages of a different size on every request.');
  return { ...checkpoint, nextPage: lastPage, lastPage, pageSize };
}

function checkpointAfter(
  list: RepositoryList,
  checkpoint: Checkpoint,
  { answer, isTruncated }: { answer: FetchedPage; isTruncated: boolean },
): Checkpoint {
  const isLast = checkpoint.nextPage === checkpoint.lastPage;
  const next = {
    ...checkpoint,
    nextPage: checkpoint.nextPage - 1,
    truncated: checkpoint.truncated || isTruncated,
    newestUpdate: Math.max(checkpoint.newestUpdate, newestUpdateOf(answer)),
    newestNumber: Math.max(checkpoint.newestNumber, newestNumberOf(list, answer.records)),
    lastHeld: isLast ? answer.records.length : checkpoint.lastHeld,
  };
  // A size that results in fewer records than counted comes from one short page.
  const pageSize = answer.records.length;
  const isSize = answer.hasNext && countOf({ ...next, pageSize }) >= (checkpoint.total ?? 0);
  return isSize ? { ...next, pageSize } : next;
}

function countOf({ lastPage, pageSize, lastHeld }: Checkpoint): number {
  return (lastPage - 1) * pageSize + lastHeld;
}

/** Returns the total number; once the last page was read, including those added since the count. */
function totalOf(checkpoint: Checkpoint): number | null {
  return checkpoint.lastHeld === 0 ? checkpoint.total : Math.max(checkpoint.total ?? 0, countOf(checkpoint));
}

function firstCheckpoint({ total, pageSize, answeredAt }: Omit<ListCount, 'newestNumber'>): Checkpoint {
  const lastPage = Math.max(1, Math.ceil(total / pageSize));
  return {
    nextPage: lastPage,
    truncated: false,
    lastPage,
    startedAt: answeredAt,
    newestUpdate: 0,
    total,
    newestNumber: 0,
    pageSize,
    lastHeld: 0,
    etag: null,
  };
}
