import { z } from 'zod';
import { type Completion, type Page, ProviderError, parseSaved, type ReadRequest } from '../sdk/index.ts';
import { fetchCount } from './pull-count.ts';
import { fetchPage, mayGoOn, newestUpdateOf, type Repository } from './pull-pages.ts';
import { type Cursor, cursorAt, newestNumberOf } from './watermark.ts';

/** Pages drift and many pull requests share an `updated_at`: look back this far before the watermark. */
const OVERLAP_MS = 10 * 60_000;

/** Updates move pull requests to earlier pages: going on at a page repeats some and leaves none out. */
const checkpointSchema = z.object({
  nextPage: z.number().int(),
  startedAt: z.number(),
  newestUpdate: z.number(),
  yielded: z.number(),
  /** Pull requests opened since. */
  opened: z.number().default(0),
  newestNumber: z.number().default(0),
});

type Place = z.infer<typeof checkpointSchema>;

/** How often the first page is read when the count tells of some that were opened meanwhile. */
const MAX_ROUNDS = 3;

interface Source {
  request: ReadRequest;
  repository: Repository;
  since: Cursor;
}

/** Pages from a place on, most recently updated first. @param met ids read so far: those of this read are added */
async function* readPages(
  { request, repository, since }: Source,
  from: Place,
  met: Set<string>,
): AsyncGenerator<Page, Place> {
  const horizon = Date.parse(since.updatedUntil) - OVERLAP_MS;
  let place = from;
  while (place.nextPage > 0) {
    const query = { sort: 'updated', direction: 'desc', page: String(place.nextPage) };
    const page = await fetchPage({ request, repository, signal: request.signal }, query);
    const records = page.records.filter(({ updatedAt }) => updatedAt >= horizon);
    const isLast = records.length < page.records.length || !mayGoOn(page);
    const opened = records.filter(
      ({ id, columns }) => Number(columns.number) > since.newestNumber && !met.has(id),
    );
    for (const { id } of records) met.add(id);
    place = {
      nextPage: isLast ? 0 : place.nextPage + 1,
      startedAt: place.startedAt || page.answeredAt,
      newestUpdate: Math.max(place.newestUpdate, newestUpdateOf(page)),
      yielded: place.yielded + records.length,
      opened: place.opened + opened.length,
      newestNumber: Math.max(place.newestNumber, newestNumberOf(records)),
    };
    if (place.yielded > request.limit)
      throw new ProviderError('cursor-expired', 'More changed on GitHub than this sync may bring.');
    yield { records, checkpoint: place };
  }
  return place;
}

/**
 * What changed since the cursor, most recently updated first. A list by update never shows what was deleted: the number of
 * pull requests tells.
 * @throws ProviderError `cursor-expired` when some were deleted, or more changed than the limit lets in: a full run follows
 */
export async function* readChanges(
  request: ReadRequest,
  repository: Repository,
  since: Cursor,
): AsyncGenerator<Page, Completion> {
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  let place = resumed ?? {
    nextPage: 1,
    startedAt: 0,
    newestUpdate: Date.parse(since.updatedUntil),
    yielded: 0,
    opened: 0,
    newestNumber: since.newestNumber,
  };
  const met = new Set<string>();
  for (let round = 1; ; round++) {
    place = yield* readPages({ request, repository, since }, place, met);
    const { total } = await fetchCount({ request, repository, signal: request.signal });
    const expected = since.total === undefined ? total : since.total + place.opened;
    if (total === expected) {
      yield { records: [], checkpoint: place, total };
      const held = { total, newestNumber: place.newestNumber };
      return { cursor: cursorAt(place.startedAt, place.newestUpdate, held), truncated: false };
    }
    // What was opened since the first page was read stands on it now.
    if (total < expected || round >= MAX_ROUNDS)
      throw new ProviderError('cursor-expired', 'Pull requests were deleted on GitHub since the last sync.');
    place = { ...place, nextPage: 1 };
  }
}
