import { z } from 'zod';
import { type Completion, type Page, ProviderError, type ReadRequest, readSaved } from '../sdk/index.ts';
import { fetchCount } from './pull-count.ts';
import { fetchPage, mayGoOn, type Repository } from './pull-pages.ts';
import { updatedAt } from './pull-record.ts';
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
  const updatedUntil = Date.parse(since.updatedUntil);
  const horizon = updatedUntil - OVERLAP_MS;
  const resumed = readSaved(checkpointSchema, request.checkpoint);
  let place = resumed ?? {
    nextPage: 1,
    startedAt: 0,
    newestUpdate: updatedUntil,
    yielded: 0,
    opened: 0,
    newestNumber: since.newestNumber,
  };
  const source = { request, repository, signal: request.signal };
  let before = new Set<string>();
  while (place.nextPage > 0) {
    const query = { sort: 'updated', direction: 'desc', page: String(place.nextPage) };
    const page = await fetchPage(source, query);
    const records = page.records.filter((record) => updatedAt(record) >= horizon);
    const isLast = page.oldestUpdate < horizon || !mayGoOn(page);
    const opened = records.filter(
      ({ id, facets }) => Number(facets.number) > since.newestNumber && !before.has(id),
    );
    before = new Set([...before, ...records.map((record) => record.id)]);
    place = {
      nextPage: isLast ? 0 : place.nextPage + 1,
      startedAt: place.startedAt || page.answeredAt,
      newestUpdate: Math.max(place.newestUpdate, page.newestUpdate),
      yielded: place.yielded + records.length,
      opened: place.opened + opened.length,
      newestNumber: Math.max(place.newestNumber, newestNumberOf(records)),
    };
    if (place.yielded > request.limit)
      throw new ProviderError('cursor-expired', 'More changed on GitHub than this sync may bring.');
    yield { records, checkpoint: place };
  }
  const { total } = await fetchCount(source);
  if (since.total !== undefined && total !== since.total + place.opened)
    throw new ProviderError('cursor-expired', 'Pull requests were deleted on GitHub since the last sync.');
  yield { records: [], checkpoint: place, total };
  const held = { total, newestNumber: place.newestNumber };
  return { cursor: cursorAt(place.startedAt, place.newestUpdate, held), truncated: false };
}
