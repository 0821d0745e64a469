import { z } from 'zod';
import { type Completion, type Page, ProviderError, type ReadRequest, sinceTime } from '../../sdk/index.ts';
import { fetchPage, type ListSource, newestUpdateOf } from './pages.ts';
import { cursorAt, newestNumberOf } from './watermark.ts';

/** Pages after which a list counts as endless. */
const MAX_PAGES = 2 ** 20;

export const linkedSchema = z.object({
  /** URL of the next page; '' before the first one, null after the last. */
  address: z.string().nullable(),
  /** An earlier address: the list is a loop if it comes again. Moves on at powers of two (Brent's algorithm). */
  marker: z.string(),
  pages: z.number().int(),
  truncated: z.boolean(),
  startedAt: z.number(),
  newestUpdate: z.number(),
  newestNumber: z.number().int(),
});
export type LinkedCheckpoint = z.infer<typeof linkedSchema>;

/** The position before the first page. */
export const FIRST_LINKED: LinkedCheckpoint = {
  address: '',
  marker: '',
  pages: 0,
  truncated: false,
  startedAt: 0,
  newestUpdate: 0,
  newestNumber: 0,
};

/** Returns the position after a page. @throws ProviderError `malformed` for a list that repeats itself or does not end */
function moveTo(next: string | null, at: LinkedCheckpoint, many: string): LinkedCheckpoint {
  const pages = at.pages + 1;
  if (next !== null && (next === at.address || next === at.marker || pages >= MAX_PAGES))
    throw new ProviderError('malformed', `GitHub sent an endless list of ${many}.`);
  const isPowerOfTwo = (pages & (pages - 1)) === 0;
  return { ...at, address: next, pages, marker: isPowerOfTwo ? (next ?? '') : at.marker };
}

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
      ...moveTo(next, position, source.list.many),
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
