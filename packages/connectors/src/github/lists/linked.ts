import { z } from 'zod';
import { type Completion, type Page, ProviderError, type ReadRequest, sinceTime } from '../../sdk/index.ts';
import { NO_PROGRESS, progressAfter, progressShape } from './endless.ts';
import { fetchPage, type ListSource, newestUpdateOf } from './pages.ts';
import { cursorAt, newestNumberOf } from './watermark.ts';

export const linkedSchema = z.object({
  /** URL of the next page; '' before the first one, null after the last. */
  address: z.string().nullable(),
  ...progressShape,
  truncated: z.boolean(),
  startedAt: z.number(),
  newestUpdate: z.number(),
  newestNumber: z.number().int(),
});
export type LinkedCheckpoint = z.infer<typeof linkedSchema>;

/** The position before the first page. */
export const FIRST_LINKED: LinkedCheckpoint = {
  address: '',
  ...NO_PROGRESS,
  truncated: false,
  startedAt: 0,
  newestUpdate: 0,
  newestNumber: 0,
};

/**
 * Yields the whole list, newest first, by following the address of each next page as it is. One request at a time,
 * since only a page names the next one.
 * @throws ProviderError `malformed` for an address at another host, and for a list that repeats itself
 */
export async function* readLinked(
  source: ListSource,
  request: Pick<ReadRequest, 'limit' | 'since'>,
  from: LinkedCheckpoint,
): AsyncGenerator<Page, Completion> {
  let position = from;
  let remaining = request.limit;
  const since = sinceTime(request) ?? Number.NEGATIVE_INFINITY;
  let previousIds = new Set<string>();
  while (position.address !== null && remaining > 0) {
    const page = await fetchPage(
      source,
      position.address || { sort: 'created', direction: 'desc', page: '1' },
    );
    const newRecords = page.records.filter(({ id }) => !previousIds.has(id));
    // A server that ignores its own cursors sends the same page again, under a new address each time.
    if (newRecords.length === 0 && page.hasNext)
      throw new ProviderError('malformed', `GitHub sent the same page of ${source.list.many} twice.`);
    const next = page.nextAddress ?? null;
    if (next === null && page.hasNext)
      throw new ProviderError('malformed', 'GitHub continues a list of cursors at a page number.');
    const wanted = newRecords.filter(({ updatedAt, isOther }) => updatedAt >= since && !isOther);
    const records = wanted.slice(0, remaining);
    remaining -= records.length;
    previousIds = new Set(page.records.map(({ id }) => id));
    position = {
      ...position,
      ...progressAfter(position, { from: position.address, to: next }, source.list.many),
      address: next,
      truncated: records.length < wanted.length,
      startedAt: position.startedAt || page.answeredAt,
      newestUpdate: Math.max(position.newestUpdate, newestUpdateOf(page)),
      newestNumber: Math.max(position.newestNumber, newestNumberOf(source.list, newRecords)),
    };
    yield { records, checkpoint: position };
  }
  const { startedAt, newestUpdate, newestNumber } = position;
  return {
    cursor: cursorAt(startedAt, newestUpdate, { total: null, newestNumber, etag: null }),
    truncated: position.truncated || position.address !== null,
  };
}
