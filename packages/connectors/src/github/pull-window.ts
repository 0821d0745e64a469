import { z } from 'zod';
import type { Completion, Page, ReadRequest } from '../sdk/index.ts';
import { fetchCount, type PullCount } from './pull-count.ts';
import {
  type FetchedPage,
  fetchPage,
  LATEST_UPDATES,
  mayHaveNext,
  PAGE_SIZE,
  type PullSource,
} from './pull-pages.ts';
import type { PullRecord } from './pull-record.ts';
import { cursorAt } from './watermark.ts';

/** Most pages of a window that a run keeps in memory to yield them in the order of opening: about 20 MB. */
const MAX_PAGES = 10;

export const windowSchema = z.object({
  window: z.object({
    /** The last pull request yielded: when it was opened, and its number. */
    openedAt: z.number(),
    number: z.number(),
  }),
  startedAt: z.number(),
  etag: z.string().nullable(),
});
export type WindowCheckpoint = z.infer<typeof windowSchema>;

/** The pull requests updated since a date. */
export interface PullWindow {
  /** By id, the latest update first. */
  records: Map<string, PullRecord>;
  /** The page with the latest updates. */
  first: FetchedPage;
  /** Number of pages read. */
  pages: number;
}

/** Yields the pages of the pull requests updated since a date, the latest first; null for a list that continues at cursors. */
export async function* windowPages(
  source: PullSource,
  since: number,
): AsyncGenerator<{ page: FetchedPage; records: PullRecord[] } | null> {
  for (let number = 1; ; number++) {
    const page = await fetchPage(source, { ...LATEST_UPDATES, page: String(number) });
    if (page.nextAddress !== undefined) {
      yield null;
      return;
    }
    const records = page.records.filter(({ updatedAt }) => updatedAt >= since);
    yield { page, records };
    if (records.length < page.records.length || !mayHaveNext(page)) return;
  }
}

/** Reads the pull requests updated since a date; undefined if they are on more than `maxPages` pages. */
export async function fetchWindow(
  source: PullSource,
  since: number,
  maxPages = MAX_PAGES,
): Promise<PullWindow | undefined> {
  const records = new Map<string, PullRecord>();
  let first: FetchedPage | undefined;
  let pages = 0;
  for await (const read of windowPages(source, since)) {
    if (read === null || ++pages > maxPages) return undefined;
    first ??= read.page;
    for (const record of read.records) if (!records.has(record.id)) records.set(record.id, record);
  }
  return first && { records, first, pages };
}

type Opened = WindowCheckpoint['window'];

function openedOf({ occurredAt, columns }: PullRecord): Opened {
  return { openedAt: occurredAt.getTime(), number: Number(columns.number) };
}

function newestFirst(a: Opened, b: Opened): number {
  return b.openedAt - a.openedAt || b.number - a.number;
}

/** Returns the wanted records after a position, the last opened first. */
function remainingOf({ records }: PullWindow, after: Opened | undefined): PullRecord[] {
  return [...records.values()]
    .filter((record) => !after || newestFirst(openedOf(record), after) > 0)
    .sort((a, b) => newestFirst(openedOf(a), openedOf(b)));
}

/** Yields the pull requests of a window, the last opened first. A resumed run reads the window again. */
export async function* readWindow(
  source: PullSource,
  { limit }: Pick<ReadRequest, 'limit'>,
  { window, resumed }: { window: PullWindow; resumed: WindowCheckpoint | undefined },
): AsyncGenerator<Page, Completion> {
  const { first, records: all } = window;
  const startedAt = resumed?.startedAt ?? first.answeredAt;
  const etag = resumed ? resumed.etag : (first.etag ?? null);
  const remaining = remainingOf(window, resumed?.window);
  const wanted = remaining.slice(0, limit);
  const total = all.size;
  for (let offset = 0; offset < wanted.length; offset += PAGE_SIZE) {
    const records = wanted.slice(offset, offset + PAGE_SIZE);
    const last = openedOf(records.at(-1) as PullRecord);
    yield { records, checkpoint: { window: last, startedAt, etag }, ...(resumed ? {} : { total }) };
  }
  // The whole list is counted, so that the next run notices deletions.
  const count: PullCount | undefined = await fetchCount(source);
  const newestUpdate = Math.max(...first.records.map(({ updatedAt }) => updatedAt), 0);
  const state = { total: count?.total ?? null, newestNumber: count?.newestNumber ?? 0, etag };
  return {
    cursor: cursorAt(startedAt, newestUpdate, state),
    truncated: remaining.length > wanted.length,
  };
}
