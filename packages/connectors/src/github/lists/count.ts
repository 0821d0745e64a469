import { ProviderError } from '../../sdk/index.ts';
import { type FetchedPage, fetchOnce, fetchPage, type ListSource, PAGE_SIZE } from './pages.ts';
import { newestNumberOf } from './watermark.ts';

/** Page number beyond the end of any list. */
const MAX_PAGES = 2 ** 20;

/** The number of items in a list. */
export interface ListCount {
  total: number;
  /** Items per page, as far as this request shows. */
  pageSize: number;
  /** The Date header of the response, ms since 1970. */
  answeredAt: number;
  /** Order (`RepositoryList.orderOf`) of the item that was created last; 0 without any. */
  newestNumber: number;
}

/**
 * Counts the items of a list by the number of pages with one item each. For a server with its own page
 * size, also fetches the last page. If the last page's number is missing (slow query, or a proxy that drops headers),
 * searches for the last page.
 * @returns undefined if the list continues at cursors, which cannot be counted without reading it
 */
export async function fetchCount(source: ListSource): Promise<ListCount | undefined> {
  const query = { sort: 'created', direction: 'desc', page: '1', per_page: '1' };
  const first = await fetchOnce(source, query);
  if (first.nextAddress !== undefined) return undefined;
  const { hasNext, hasNoPageLinks, lastPage, records, answeredAt } = first;
  const pageSize = records.length;
  const newestNumber = newestNumberOf(source.list, records);
  const isSinglePage =
    !hasNext && (!hasNoPageLinks || pageSize === 0 || !(await hasRecords(source, { ...query, page: '2' })));
  if (isSinglePage) return { total: pageSize, pageSize: PAGE_SIZE, answeredAt, newestNumber };
  if (!hasNext || lastPage === undefined) return { ...(await searchCount(source)), answeredAt, newestNumber };
  if (pageSize <= 1) return { total: lastPage, pageSize: PAGE_SIZE, answeredAt, newestNumber };
  const last = await fetchPage(source, { ...query, page: String(lastPage) });
  return { total: (lastPage - 1) * pageSize + last.records.length, pageSize, answeredAt, newestNumber };
}

async function hasRecords(source: ListSource, query: Record<string, string>): Promise<boolean> {
  return (await fetchOnce(source, query)).records.length > 0;
}

/**
 * Finds the last page with records by exponential and then binary search, and returns the count.
 */
async function searchCount(source: ListSource): Promise<Pick<ListCount, 'total' | 'pageSize'>> {
  const at = (page: number) => fetchPage(source, { sort: 'created', direction: 'asc', page: String(page) });
  const first = await at(1);
  const isPastEnd = ({ records }: FetchedPage) =>
    records.length === 0 || records[0]?.id === first.records[0]?.id;
  let [last, lastPage, isRepeated] = [first, 1, false];
  for (let empty = Number.POSITIVE_INFINITY; empty - lastPage > 1; ) {
    const page = Math.min(2 * lastPage, Math.floor((lastPage + empty) / 2));
    if (page > MAX_PAGES)
      throw new ProviderError('malformed', `GitHub sent an endless list of ${source.list.many}.`);
    const answer = await at(page);
    isRepeated ||= answer.records.length > 0 && isPastEnd(answer);
    if (isPastEnd(answer)) empty = page;
    else [last, lastPage] = [answer, page];
  }
  const pageSize = first.records.length;
  // A full page without links whose page number is ignored may be the first of many.
  if (lastPage === 1 && pageSize === PAGE_SIZE && isRepeated)
    throw new ProviderError('malformed', 'GitHub sent a full page of its list and no way to the next one.');
  return { total: (lastPage - 1) * pageSize + last.records.length, pageSize: Math.max(pageSize, 1) };
}
