import { z } from 'zod';
import {
  type Completion,
  type Page,
  ProviderError,
  parseSaved,
  type ReadRequest,
  WantedRecords,
} from '../../sdk/index.ts';
import { fetchCount } from './count.ts';
import {
  type FetchedPage,
  fetchLatest,
  fetchPage,
  LATEST_UPDATES,
  type ListPlace,
  type ListSource,
  mayHaveNext,
  newestUpdateOf,
  PAGE_SIZE,
} from './pages.ts';
import type { RepositoryList } from './repository-list.ts';
import { type Cursor, cursorAt, newestNumberOf } from './watermark.ts';

/** Overlap with the last run: pages shift while they are read, and many items share an `updated_at`. */
const OVERLAP_MS = 10 * 60_000;

/** Updates move items to earlier pages, so resuming at a page may repeat some but skips none. */
const checkpointSchema = z.object({
  /** The next page to read; 0 after the last one. */
  nextPage: z.number().int(),
  /** URL of the next page of a list that continues at cursors; null for one with page numbers. */
  nextAddress: z.string().nullable().default(null),
  startedAt: z.number(),
  newestUpdate: z.number(),
  yielded: z.number(),
  /** Number of items created since the cursor. */
  opened: z.number().default(0),
  newestNumber: z.number().default(0),
  /** ETag of the first page. */
  etag: z.string().nullable().default(null),
  /** Whether stored records may be newer than the cursor. */
  mayHaveNewerStored: z.boolean().default(false),
  /** Whether the list has page numbers, so that its items can be counted. */
  isCounted: z.boolean().default(true),
});

type Checkpoint = z.infer<typeof checkpointSchema>;

/** Largest number of reads of the first page, when the count shows that items were created during the run. */
const MAX_ROUNDS = 3;

/** Deletions are found by the count, so a list that cannot be counted is read in full, unless it follows cursors. */
function uncounted(many: string): ProviderError {
  return new ProviderError('cursor-expired', `The list of ${many} continues at cursors.`);
}

interface Source extends ListSource {
  request: ReadRequest;
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
async function* readPages(source: Source, { from, seen, first }: Progress): AsyncGenerator<Page, Checkpoint> {
  const { request, list, since } = source;
  const choice = new WantedRecords(request);
  const horizon = Date.parse(since.updatedUntil) - OVERLAP_MS;
  let position = from;
  while (position.nextPage > 0) {
    const isFirst = position.nextPage === 1;
    const at = position.nextAddress ?? { ...LATEST_UPDATES, page: String(position.nextPage) };
    const page = (isFirst ? first : undefined) ?? (await fetchPage(source, at));
    if (page.nextAddress !== undefined && !list.followsCursors) throw uncounted(list.many);
    if (page.hasNext && page.records.every(({ id }) => seen.has(id)) && !isFirst)
      throw new ProviderError('malformed', `GitHub sent the same page of ${list.many} twice.`);
    const records = page.records.filter(({ updatedAt }) => updatedAt >= horizon);
    const isLast = records.length < page.records.length || !mayHaveNext(page);
    const opened = records.filter(
      (record) => list.orderOf(record) > since.newestNumber && !seen.has(record.id),
    );
    for (const { id } of records) seen.add(id);
    const wanted = await choice.choose(
      records.filter(({ isOther }) => !isOther),
      ({ updatedAt }) => updatedAt,
    );
    position = {
      ...position,
      nextPage: isLast ? 0 : position.nextPage + 1,
      nextAddress: (isLast ? undefined : page.nextAddress) ?? null,
      isCounted: position.isCounted && page.nextAddress === undefined,
      startedAt: position.startedAt || page.answeredAt,
      newestUpdate: Math.max(position.newestUpdate, newestUpdateOf(page)),
      yielded: position.yielded + wanted.length,
      opened: position.opened + opened.length,
      newestNumber: Math.max(position.newestNumber, newestNumberOf(list, records)),
      etag: isFirst ? (page.etag ?? null) : position.etag,
    };
    if (position.yielded > request.limit)
      throw new ProviderError(
        'cursor-expired',
        `More ${list.many} changed on GitHub than this sync may store.`,
      );
    yield { records: wanted, checkpoint: position };
  }
  return position;
}

/**
 * Returns the total that the first page of a conditional run shows, or that fits to what it shows: an update explains why
 * the page has changed, and there are as many pages as expected. Undefined if the items have to be counted.
 */
function totalShown(first: FetchedPage, since: Cursor, opened: number): number | undefined {
  if (first.nextAddress !== undefined) return undefined;
  if (!mayHaveNext(first)) return first.records.length;
  if (since.total === undefined) return undefined;
  const expected = since.total + opened;
  const isExplained = since.etag === undefined || newestUpdateOf(first) > Date.parse(since.updatedUntil);
  const hasExpectedPages = first.lastPage === Math.ceil(expected / PAGE_SIZE);
  return isExplained && hasExpectedPages && first.records.length === PAGE_SIZE ? expected : undefined;
}

/** Counts the items; undefined for a list that continues at cursors and is followed. */
async function countItems(source: Source): Promise<number | undefined> {
  const { list } = source;
  const count = await fetchCount(source);
  if (!count && !list.followsCursors) throw uncounted(list.many);
  return count?.total;
}

function deleted({ many }: RepositoryList): ProviderError {
  const sentence = `${many} were deleted on GitHub since the last sync.`;
  return new ProviderError('cursor-expired', sentence.charAt(0).toUpperCase() + sentence.slice(1));
}

/**
 * Checks that the run has seen all stored records that were created after the cursor. The total cannot show that one of them
 * was deleted, because the cursor's total lacks it.
 * @throws ProviderError `cursor-expired`
 */
async function requireNewerSeen({ request, since, list }: Source, seen: ReadonlySet<string>): Promise<void> {
  for await (const records of request.stored(list.orderColumns))
    for (const record of records)
      if (list.orderOf(record) > since.newestNumber && !seen.has(record.id)) throw deleted(list);
}

/** Yields the changes from a position on until the total is as expected. */
async function* readUntilCounted(
  source: Source,
  from: Checkpoint,
  first: FetchedPage | undefined,
): AsyncGenerator<Page, Completion> {
  const { since } = source;
  const hasOwnTotal = source.request.since === undefined && !source.list.hasOthers;
  const seen = new Set<string>();
  let position = from;
  for (let round = 1; ; round++) {
    position = yield* readPages(source, { from: position, seen, first: round === 1 ? first : undefined });
    const { startedAt, newestUpdate, newestNumber, etag } = position;
    const shown = first && round === 1 ? totalShown(first, since, position.opened) : undefined;
    const total = shown ?? (position.isCounted ? await countItems(source) : undefined);
    if (total === undefined) {
      if (position.mayHaveNewerStored) await requireNewerSeen(source, seen);
      const cursor = cursorAt(startedAt, newestUpdate, { total: null, newestNumber, etag });
      return { cursor, truncated: false };
    }
    const expected = since.total === undefined ? total : since.total + position.opened;
    if (total === expected) {
      if (position.mayHaveNewerStored) await requireNewerSeen(source, seen);
      // A total that only fits to the first page is no count.
      const isCounted = shown === undefined || (first !== undefined && !mayHaveNext(first));
      if (isCounted) yield { records: [], checkpoint: position, ...(hasOwnTotal ? { total } : {}) };
      const cursor = cursorAt(startedAt, newestUpdate, { total, newestNumber, etag });
      return { cursor, truncated: false };
    }
    // Items created since the first page was read are on that page now.
    if (total < expected || round >= MAX_ROUNDS) throw deleted(source.list);
    position = { ...position, nextPage: 1, nextAddress: null };
  }
}

/**
 * Yields the changes since the cursor, most recently updated first. Detects deleted items by their total number,
 * because the list does not contain them. A conditional run asks whether the first page has changed, and counts only if
 * that page does not explain its change.
 * @throws ProviderError `cursor-expired` when some were deleted, more changed than the limit, or the list continues at
 * cursors that it does not follow; a full run follows
 */
export async function* readChanges(
  request: ReadRequest,
  place: ListPlace,
  since: Cursor,
): AsyncGenerator<Page, Completion> {
  const source = { ...place, request, signal: request.signal, since };
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  const mayHaveNewerStored = resumed ? resumed.mayHaveNewerStored : request.mayHaveNewerStored === true;
  // To compare what is stored, a run must have seen all changes itself.
  if (resumed && !mayHaveNewerStored) return yield* readUntilCounted(source, resumed, undefined);
  const start = {
    nextPage: 1,
    nextAddress: null,
    isCounted: true,
    startedAt: 0,
    newestUpdate: Date.parse(since.updatedUntil),
    yielded: 0,
    opened: 0,
    newestNumber: since.newestNumber,
    etag: null,
    mayHaveNewerStored,
  };
  if (!request.isConditional || mayHaveNewerStored) return yield* readUntilCounted(source, start, undefined);
  const first = await fetchLatest(source, since.etag);
  if (!first) return { cursor: request.cursor, truncated: false };
  return yield* readUntilCounted(source, start, first);
}
