import { z } from 'zod';
import {
  type Completion,
  orderedParallel,
  type Page,
  ProviderError,
  parseSaved,
  type ReadRequest,
} from '../sdk/index.ts';
import { type Count, fetchCount } from './pull-count.ts';
import { type FetchedPage, fetchPage, newestUpdateOf, PAGE_SIZE, type Repository } from './pull-pages.ts';
import { cursorAt, newestNumberOf } from './watermark.ts';

const checkpointSchema = z.object({
  /** The page to go on with; 0 after the first one. */
  nextPage: z.number().int(),
  /** Whether the limit cut records off already. */
  truncated: z.boolean(),
  lastPage: z.number().int(),
  startedAt: z.number(),
  newestUpdate: z.number(),
  /** Pull requests there before any page was read. */
  total: z.number().int().nullable().default(null),
  newestNumber: z.number().int().default(0),
  /** Pull requests that a page with a next one holds. */
  pageSize: z.number().int().positive().default(PAGE_SIZE),
  /** Those of the last page; 0 before it was read. */
  lastHeld: z.number().int().default(0),
});
type Place = z.infer<typeof checkpointSchema>;
type Size = Pick<Place, 'lastPage' | 'pageSize'>;

/** How often a list is begun anew because its pages have another size. */
const MAX_RESIZES = 3;

/** The pages from the next one down that `limit` records can need: the last page of a list may be short. */
function pagesDown({ nextPage, pageSize }: Place, limit: number): number[] {
  const count = Math.min(nextPage, Math.ceil(limit / pageSize) + 1);
  return Array.from({ length: count }, (_, index) => nextPage - index);
}

/**
 * The whole repository, newest first: ascending pages are stable, so they are walked from the last one down, several
 * at once, and yielded in order. What is deleted meanwhile moves others down a page: they are met twice, or missed where
 * that page was read already. Then fewer are there than were counted at the start, by which the next run notices and
 * reads all anew.
 */
export async function* readAll(
  request: ReadRequest,
  repository: Repository,
): AsyncGenerator<Page, Completion> {
  const ascending = (page: number, signal: AbortSignal) =>
    fetchPage({ request, repository, signal }, { sort: 'created', direction: 'asc', page: String(page) });
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  let place: Place = resumed ?? placeAt(await fetchCount({ request, repository, signal: request.signal }));
  let left = request.limit;
  let before = new Set<string>();
  let resizes = 0;
  // Once is enough, but where pages hold less than others of their list.
  while (place.nextPage >= 1 && left > 0) {
    const ahead = () => request.client.prefetchCount;
    for await (const answer of orderedParallel(pagesDown(place, left), ahead, ascending)) {
      const size = otherSize(place, answer);
      if (size) {
        place = resized(place, size, ++resizes);
        break;
      }
      const fresh = answer.records.filter((record) => !before.has(record.id)).reverse();
      const records = fresh.slice(0, left);
      before = new Set(answer.records.map((record) => record.id));
      left -= records.length;
      place = placeAfter(place, answer, records.length < fresh.length);
      const total = totalOf(place);
      yield { records, checkpoint: place, ...(total === null ? {} : { total }) };
      if (left <= 0) break;
    }
  }
  const { startedAt, newestUpdate, newestNumber } = place;
  return {
    cursor: cursorAt(startedAt, newestUpdate, { total: totalOf(place), newestNumber }),
    truncated: place.truncated || place.nextPage >= 1,
  };
}

/** The ids of a repository's pull requests, the newest first. GitHub has no list of ids alone. */
export async function* listPullIds(
  request: Pick<ReadRequest, 'client' | 'settings'>,
  repository: Repository,
): AsyncGenerator<string[]> {
  // The client's own signal ends this one.
  const { signal } = new AbortController();
  const all = { checkpoint: null, cursor: null, limit: Number.POSITIVE_INFINITY };
  for await (const { records } of readAll({ ...request, ...all, signal }, repository))
    yield records.map(({ id }) => id);
}

/**
 * How pages are cut, when it is otherwise than was thought: their numbers mean other records then. A page may be a few short
 * although its list is cut as was asked for; then the last page's number is as expected, or not told.
 */
function otherSize({ pageSize, lastPage }: Place, answer: FetchedPage): Size | undefined {
  const held = answer.records.length;
  const isOther = answer.hasNext && held !== pageSize && (answer.lastPage ?? lastPage) !== lastPage;
  return isOther && answer.lastPage ? { lastPage: answer.lastPage, pageSize: held } : undefined;
}

/**
 * Where to begin anew, with the size that the pages have.
 * @param times how often this happened in this read
 * @throws ProviderError `cursor-expired` where something was brought already: a new run begins at the top
 */
function resized(place: Place, { lastPage, pageSize }: Size, times: number): Place {
  if (place.nextPage < place.lastPage)
    throw new ProviderError('cursor-expired', 'GitHub changed the size of its pages while they were read.');
  if (times > MAX_RESIZES)
    throw new ProviderError('malformed', 'GitHub sent pages of another size each time they were asked for.');
  return { ...place, nextPage: lastPage, lastPage, pageSize };
}

function placeAfter(place: Place, answer: FetchedPage, isCut: boolean): Place {
  const isLast = place.nextPage === place.lastPage;
  const next = {
    ...place,
    nextPage: place.nextPage - 1,
    truncated: place.truncated || isCut,
    newestUpdate: Math.max(place.newestUpdate, newestUpdateOf(answer)),
    newestNumber: Math.max(place.newestNumber, newestNumberOf(answer.records)),
    lastHeld: isLast ? answer.records.length : place.lastHeld,
  };
  // A size that makes less than were counted is that of one short page.
  const pageSize = answer.records.length;
  const isSize = answer.hasNext && sumOf({ ...next, pageSize }) >= (place.total ?? 0);
  return isSize ? { ...next, pageSize } : next;
}

function sumOf({ lastPage, pageSize, lastHeld }: Place): number {
  return (lastPage - 1) * pageSize + lastHeld;
}

/** How many there are: once the last page was read, those that came to it since they were counted too. */
function totalOf(place: Place): number | null {
  return place.lastHeld === 0 ? place.total : Math.max(place.total ?? 0, sumOf(place));
}

function placeAt({ total, pageSize, answeredAt }: Count): Place {
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
  };
}
