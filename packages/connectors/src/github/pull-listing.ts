import { z } from 'zod';
import {
  type Completion,
  orderedParallel,
  type Page,
  type PageReader,
  type ReadRequest,
  readSaved,
} from '../sdk/index.ts';
import {
  type FetchedPage,
  fetchCount,
  fetchPage,
  PAGE_SIZE,
  pullThread,
  type Repository,
} from './pull-pages.ts';
import { cursorAt, newestNumberOf } from './watermark.ts';

const checkpointSchema = z.object({
  /** The page to go on with; 0 after the first one. */
  nextPage: z.number().int(),
  /** Whether the limit cut records off already. */
  truncated: z.boolean(),
  lastPage: z.number().int(),
  startedAt: z.number(),
  newestUpdate: z.number(),
  /** Pull requests there before any page was read, and those that came to the last page since. */
  total: z.number().int().nullable().default(null),
  newestNumber: z.number().int().default(0),
});
type Place = z.infer<typeof checkpointSchema>;

/** The pages from `from` down that `limit` records can need: the last page of a list may be short. */
function pagesDown(from: number, limit: number): number[] {
  const count = limit <= 0 ? 0 : Math.min(from, Math.ceil(limit / PAGE_SIZE) + 1);
  return Array.from({ length: count }, (_, index) => from - index);
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
  const reader = pullThread.open();
  try {
    return yield* readPages(request, repository, reader);
  } finally {
    reader.close();
  }
}

async function* readPages(
  request: ReadRequest,
  repository: Repository,
  reader: PageReader,
): AsyncGenerator<Page, Completion> {
  const ascending = (page: number, signal: AbortSignal) =>
    fetchPage(
      { request, repository, signal, reader },
      { sort: 'created', direction: 'asc', page: String(page) },
    );
  const resumed = readSaved(checkpointSchema, request.checkpoint);
  let place: Place = resumed ?? placeAt(await fetchCount({ request, repository, signal: request.signal }));
  let left = request.limit;
  let before = new Set<string>();
  const answers = orderedParallel(pagesDown(place.nextPage, left), () => request.client.ahead, ascending);
  for await (const answer of answers) {
    const fresh = answer.records.filter((record) => !before.has(record.id)).reverse();
    const records = fresh.slice(0, left);
    before = new Set(answer.records.map((record) => record.id));
    left -= records.length;
    const isLast = place.nextPage === place.lastPage;
    place = {
      ...place,
      nextPage: place.nextPage - 1,
      truncated: place.truncated || records.length < fresh.length,
      newestUpdate: Math.max(place.newestUpdate, answer.newestUpdate),
      newestNumber: Math.max(place.newestNumber, newestNumberOf(answer.records)),
      total: isLast ? totalWith(place, answer) : place.total,
    };
    yield {
      records,
      checkpoint: place,
      bodies: [answer.body],
      ...(place.total === null ? {} : { total: place.total }),
    };
    if (left <= 0) break;
  }
  return {
    cursor: cursorAt(place.startedAt, place.newestUpdate, place),
    truncated: place.truncated || place.nextPage >= 1,
  };
}

/** The total, once the last page was read: it may hold more than were there at the start. */
function totalWith({ total, lastPage }: Place, { records }: FetchedPage): number {
  return Math.max(total ?? 0, (lastPage - 1) * PAGE_SIZE + records.length);
}

function placeAt({ total, answeredAt }: { total: number; answeredAt: number }): Place {
  const lastPage = Math.max(1, Math.ceil(total / PAGE_SIZE));
  return {
    nextPage: lastPage,
    truncated: false,
    lastPage,
    startedAt: answeredAt,
    newestUpdate: 0,
    total,
    newestNumber: 0,
  };
}
