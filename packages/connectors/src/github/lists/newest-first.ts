import { z } from 'zod';
import { orderedParallel, type Page, ProviderError, type ReadRequest } from '../../sdk/index.ts';
import type { ListedRecord } from '../records/github-record.ts';
import { NO_PROGRESS, progressAfter, progressShape } from './endless.ts';
import { type FetchedPage, fetchPage, type ListPlace, mayHaveNext, PAGE_SIZE } from './pages.ts';

/** A list that GitHub orders newest first, without an order by update: workflow runs, commits, releases, repositories. */
export interface NewestFirst extends ListPlace {
  /** Parameters of this read, e.g. the commit from which commits are listed. */
  query?: Readonly<Record<string, string>>;
  /** Whether new items leave its pages as they are, so that several can be read at once. */
  isFixed?: boolean;
  /** Returns whether a record is wanted; default: each. */
  isWanted?(record: ListedRecord): boolean;
  /** Returns whether the records after this one are not wanted, so that reading ends. */
  isPastEnd?(record: ListedRecord): boolean;
}

/** Page numbers that are listed at once; a server may name any last page. */
const MAX_AT_ONCE = 1000;

const positionSchema = z.object({
  /** The next page to read; 0 after the last one. */
  nextPage: z.number().int(),
  /** URL of the next page of a list that continues at cursors; null for one with page numbers. */
  nextAddress: z.string().nullable(),
  /** Time of the first answer, ms since 1970; 0 before. */
  startedAt: z.number(),
  /** Id of the first item of the list when the read began; '' without any. */
  newest: z.string(),
  /** Number of records that were yielded. */
  yielded: z.number().int(),
  ...progressShape,
  /** Whether the limit has excluded records. */
  truncated: z.boolean(),
});
type Position = z.infer<typeof positionSchema>;

/** Schema of its checkpoints. */
export const newestFirstSchema = positionSchema;
/** The position before the first page. */
export const NEWEST: Position = {
  nextPage: 1,
  nextAddress: null,
  startedAt: 0,
  newest: '',
  yielded: 0,
  ...NO_PROGRESS,
  truncated: false,
};

/** A page of a read of `readNewestFirst`. */
type NewestFirstPage = Omit<Page, 'checkpoint' | 'records'> & {
  records: ListedRecord[];
  checkpoint: Position;
};

type Request = Pick<ReadRequest, 'client' | 'reportsMoves' | 'limit' | 'signal'>;

/** Yields pages in order; several are requested at once if the list is fixed and the first page names the last one. */
async function* fetchPages(request: Request, list: NewestFirst, from: Position): AsyncGenerator<FetchedPage> {
  const fetch = (at: string | number, signal: AbortSignal) =>
    fetchPage(
      { ...list, request, signal },
      typeof at === 'string' ? at : { ...list.query, page: String(at) },
    );
  let at: string | number | undefined = from.nextAddress ?? from.nextPage;
  while (at !== undefined) {
    const page: FetchedPage = await fetch(at, request.signal);
    yield page;
    const number: number | undefined = typeof at === 'number' ? at : undefined;
    const { lastPage } = page;
    if (list.isFixed && number !== undefined && lastPage !== undefined && page.records.length > 0) {
      const wanted = Math.min(Math.ceil(request.limit / PAGE_SIZE) + 1, MAX_AT_ONCE);
      const count = Math.max(0, Math.min(lastPage - number, wanted));
      const rest = Array.from({ length: count }, (_, index) => number + 1 + index);
      yield* orderedParallel(rest, () => request.client.prefetchCount, fetch);
      at = count < lastPage - number ? number + count + 1 : undefined;
      continue;
    }
    const next: number | undefined = number === undefined ? undefined : number + 1;
    at = mayHaveNext(page) ? (page.nextAddress ?? next) : undefined;
  }
}

/**
 * Yields the records of a list, newest first, up to the limit. Items that are created during the run shift others to the next
 * page, so that some may come twice; they are yielded once. Returns the position after the last page.
 * @throws ProviderError `malformed` for a list that repeats a page
 */
export async function* readNewestFirst(
  request: Request,
  list: NewestFirst,
  from: Position,
): AsyncGenerator<NewestFirstPage, Position> {
  const { isWanted = () => true, isPastEnd = () => false } = list;
  let position = from;
  let remaining = request.limit;
  let previousIds = new Set<string>();
  if (position.nextPage === 0) return position;
  for await (const page of fetchPages(request, list, from)) {
    const fresh = page.records.filter(({ id }) => !previousIds.has(id));
    if (fresh.length === 0 && page.hasNext)
      throw new ProviderError('malformed', `GitHub sent the same page of ${list.list.many} twice.`);
    previousIds = new Set(page.records.map(({ id }) => id));
    const end = fresh.findIndex((record) => isPastEnd(record));
    const wanted = (end < 0 ? fresh : fresh.slice(0, end)).filter((record) => isWanted(record));
    const records = wanted.slice(0, remaining);
    remaining -= records.length;
    const isLast = end >= 0 || !mayHaveNext(page);
    const next = isLast ? null : (page.nextAddress ?? null);
    position = {
      ...progressAfter(position, { from: position.nextAddress, to: next }, list.list.many),
      nextPage: isLast ? 0 : position.nextPage + 1,
      nextAddress: next,
      startedAt: position.startedAt || page.answeredAt,
      newest: position.newest || (page.records[0]?.id ?? ''),
      yielded: position.yielded + records.length,
      truncated: records.length < wanted.length,
    };
    const isAll = isLast && !position.truncated && !list.isWanted && !list.isPastEnd;
    yield { records, checkpoint: position, ...(isAll ? { total: position.yielded } : {}) };
    if (position.truncated || isLast) break;
    // Only a page with a wanted record shows whether the limit has left out any.
  }
  return position;
}
