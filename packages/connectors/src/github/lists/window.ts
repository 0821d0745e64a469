import { z } from 'zod';
import type { Completion, Page, ReadRequest } from '../../sdk/index.ts';
import type { ListedRecord } from '../records/github-record.ts';
import { fetchCount, type ListCount } from './count.ts';
import {
  type FetchedPage,
  fetchPage,
  LATEST_UPDATES,
  type ListSource,
  mayHaveNext,
  PAGE_SIZE,
} from './pages.ts';
import type { RepositoryList } from './repository-list.ts';
import { cursorAt } from './watermark.ts';

/** Most pages of a window that a run keeps in memory to yield them in the order of opening: about 20 MB. */
const MAX_PAGES = 10;

export const windowSchema = z.object({
  window: z.object({
    /** The last record yielded: when it was created, and its order. */
    openedAt: z.number(),
    number: z.number(),
  }),
  startedAt: z.number(),
  etag: z.string().nullable(),
});
export type WindowCheckpoint = z.infer<typeof windowSchema>;

/** The items updated since a date. */
export interface ListWindow {
  /** By id, the latest update first. */
  records: Map<string, ListedRecord>;
  /** The page with the latest updates. */
  first: FetchedPage;
  /** Number of pages read. */
  pages: number;
}

/** Yields the pages of the items updated since a date, the latest first; null for a list that continues at cursors. */
export async function* windowPages(
  source: ListSource,
  since: number,
): AsyncGenerator<{ page: FetchedPage; records: ListedRecord[] } | null> {
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

/** Reads the items updated since a date; undefined if they are on more than `maxPages` pages. */
export async function fetchWindow(
  source: ListSource,
  since: number,
  maxPages = MAX_PAGES,
): Promise<ListWindow | undefined> {
  const records = new Map<string, ListedRecord>();
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

function openedOf(list: RepositoryList, record: ListedRecord): Opened {
  return { openedAt: record.occurredAt.getTime(), number: list.orderOf(record) };
}

function newestFirst(a: Opened, b: Opened): number {
  return b.openedAt - a.openedAt || b.number - a.number;
}

/** Returns the wanted records after a position, the last opened first. */
function remainingOf(
  { records }: ListWindow,
  list: RepositoryList,
  after: Opened | undefined,
): ListedRecord[] {
  return [...records.values()]
    .filter((record) => !record.isOther && (!after || newestFirst(openedOf(list, record), after) > 0))
    .sort((a, b) => newestFirst(openedOf(list, a), openedOf(list, b)));
}

/** Yields the records of a window, the last created first. A resumed run reads the window again. */
export async function* readWindow(
  source: ListSource,
  { limit }: Pick<ReadRequest, 'limit'>,
  { window, resumed }: { window: ListWindow; resumed: WindowCheckpoint | undefined },
): AsyncGenerator<Page, Completion> {
  const { first, records: all } = window;
  const startedAt = resumed?.startedAt ?? first.answeredAt;
  const etag = resumed ? resumed.etag : (first.etag ?? null);
  const remaining = remainingOf(window, source.list, resumed?.window);
  const wanted = remaining.slice(0, limit);
  const total = [...all.values()].filter(({ isOther }) => !isOther).length;
  for (let offset = 0; offset < wanted.length; offset += PAGE_SIZE) {
    const records = wanted.slice(offset, offset + PAGE_SIZE);
    const last = openedOf(source.list, records.at(-1) as ListedRecord);
    yield { records, checkpoint: { window: last, startedAt, etag }, ...(resumed ? {} : { total }) };
  }
  // The whole list is counted, so that the next run notices deletions.
  const count: ListCount | undefined = await fetchCount(source);
  const newestUpdate = Math.max(...first.records.map(({ updatedAt }) => updatedAt), 0);
  const state = { total: count?.total ?? null, newestNumber: count?.newestNumber ?? 0, etag };
  return {
    cursor: cursorAt(startedAt, newestUpdate, state),
    truncated: remaining.length > wanted.length,
  };
}
