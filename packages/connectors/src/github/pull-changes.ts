import { z } from 'zod';
import { type Completion, type Page, ProviderError, type ReadRequest, readSaved } from '../sdk/index.ts';
import { fetchPage, type Repository } from './pull-pages.ts';
import { updatedAt } from './pull-record.ts';
import { cursorAt } from './watermark.ts';

/** Pages drift and many pull requests share an `updated_at`: look back this far before the watermark. */
const OVERLAP_MS = 10 * 60_000;

/** Updates move pull requests to earlier pages: going on at a page repeats some and leaves none out. */
const checkpointSchema = z.object({
  nextPage: z.number().int(),
  startedAt: z.number(),
  newestUpdate: z.number(),
  yielded: z.number(),
});

/**
 * What changed since the watermark, most recently updated first.
 * @throws ProviderError `cursor-expired` when more changed than the limit lets in: a full run costs less then
 */
export async function* readChanges(
  request: ReadRequest,
  repository: Repository,
  updatedUntil: number,
): AsyncGenerator<Page, Completion> {
  const horizon = updatedUntil - OVERLAP_MS;
  const resumed = readSaved(checkpointSchema, request.checkpoint);
  let { startedAt, newestUpdate, yielded } = resumed ?? {
    startedAt: 0,
    newestUpdate: updatedUntil,
    yielded: 0,
  };
  const place = { request, repository, signal: request.signal };
  for (let number = resumed?.nextPage ?? 1; number > 0; ) {
    const page = await fetchPage(place, { sort: 'updated', direction: 'desc', page: String(number) });
    if (startedAt === 0) startedAt = page.answeredAt;
    newestUpdate = Math.max(newestUpdate, page.newestUpdate);
    const records = page.records.filter((record) => updatedAt(record) >= horizon);
    yielded += records.length;
    if (yielded > request.limit)
      throw new ProviderError('cursor-expired', 'More changed on GitHub than this sync may bring.');
    const isLast = page.oldestUpdate < horizon || !page.hasNext;
    number = isLast ? 0 : number + 1;
    yield { records, checkpoint: { nextPage: number, startedAt, newestUpdate, yielded } };
  }
  return { cursor: cursorAt(startedAt, newestUpdate), truncated: false };
}
