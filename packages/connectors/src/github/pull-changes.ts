import { z } from 'zod';
import { type Completion, type Page, ProviderError, parseSaved, type ReadRequest } from '../sdk/index.ts';
import { fetchCount } from './pull-count.ts';
import { fetchPage, mayHaveNext, newestUpdateOf } from './pull-pages.ts';
import type { Repository } from './repository-names.ts';
import { type Cursor, cursorAt, newestNumberOf } from './watermark.ts';

/** Overlap with the last run: pages shift while they are read, and many pull requests share an `updated_at`. */
const OVERLAP_MS = 10 * 60_000;

/** Updates move pull requests to earlier pages, so resuming at a page may repeat some but skips none. */
const checkpointSchema = z.object({
  nextPage: z.number().int(),
  startedAt: z.number(),
  newestUpdate: z.number(),
  yielded: z.number(),
  /** Number of pull requests opened since the cursor. */
  opened: z.number().default(0),
  newestNumber: z.number().default(0),
});

type Checkpoint = z.infer<typeof checkpointSchema>;

/** Largest number of reads of the first page, when the count shows that pull requests were opened during the run. */
const MAX_ROUNDS = 3;

/** Deletions are found by the count, so a list that cannot be counted is read in full. */
function uncounted(): ProviderError {
  return new ProviderError('cursor-expired', 'The list of pull requests continues at cursors.');
}

interface Source {
  request: ReadRequest;
  repository: Repository;
  since: Cursor;
}

/** Yields pages from a position on, most recently updated first. @param seen ids read so far, extended by this read */
async function* readPages(
  { request, repository, since }: Source,
  from: Checkpoint,
  seen: Set<string>,
): AsyncGenerator<Page, Checkpoint> {
  const horizon = Date.parse(since.updatedUntil) - OVERLAP_MS;
  let position = from;
  while (position.nextPage > 0) {
    const query = { sort: 'updated', direction: 'desc', page: String(position.nextPage) };
    const page = await fetchPage({ request, repository, signal: request.signal }, query);
    if (page.nextAddress !== undefined) throw uncounted();
    const records = page.records.filter(({ updatedAt }) => updatedAt >= horizon);
    const isLast = records.length < page.records.length || !mayHaveNext(page);
    const opened = records.filter(
      ({ id, columns }) => Number(columns.number) > since.newestNumber && !seen.has(id),
    );
    for (const { id } of records) seen.add(id);
    position = {
      nextPage: isLast ? 0 : position.nextPage + 1,
      startedAt: position.startedAt || page.answeredAt,
      newestUpdate: Math.max(position.newestUpdate, newestUpdateOf(page)),
      yielded: position.yielded + records.length,
      opened: position.opened + opened.length,
      newestNumber: Math.max(position.newestNumber, newestNumberOf(records)),
    };
    if (position.yielded > request.limit)
      throw new ProviderError(
        'cursor-expired',
        'More pull requests changed on GitHub than this sync may store.',
      );
    yield { records, checkpoint: position };
  }
  return position;
}

/**
 * Yields the changes since the cursor, most recently updated first. Detects deleted pull requests by their total number,
 * because the list does not contain them.
 * @throws ProviderError `cursor-expired` when some were deleted, more changed than the limit, or the list continues at
 * cursors; a full run follows
 */
export async function* readChanges(
  request: ReadRequest,
  repository: Repository,
  since: Cursor,
): AsyncGenerator<Page, Completion> {
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  let position = resumed ?? {
    nextPage: 1,
    startedAt: 0,
    newestUpdate: Date.parse(since.updatedUntil),
    yielded: 0,
    opened: 0,
    newestNumber: since.newestNumber,
  };
  const seen = new Set<string>();
  for (let round = 1; ; round++) {
    position = yield* readPages({ request, repository, since }, position, seen);
    const count = await fetchCount({ request, repository, signal: request.signal });
    if (!count) throw uncounted();
    const { total } = count;
    const expected = since.total === undefined ? total : since.total + position.opened;
    if (total === expected) {
      yield { records: [], checkpoint: position, total };
      const state = { total, newestNumber: position.newestNumber };
      return { cursor: cursorAt(position.startedAt, position.newestUpdate, state), truncated: false };
    }
    // Pull requests opened since the first page was read are on that page now.
    if (total < expected || round >= MAX_ROUNDS)
      throw new ProviderError('cursor-expired', 'Pull requests were deleted on GitHub since the last sync.');
    position = { ...position, nextPage: 1 };
  }
}
