import { ProviderError } from '../sdk/index.ts';
import { type FetchedPage, fetchOnce, fetchPage, PAGE_SIZE, type Place } from './pull-pages.ts';

/** More pages than any list has. */
const MAX_PAGES = 2 ** 20;

/** What a repository holds. */
export interface Count {
  total: number;
  /** Pull requests that a page holds, as far as the count tells. */
  pageSize: number;
  /** GitHub's clock at the answer, ms. */
  answeredAt: number;
}

/**
 * How many pull requests the repository holds. A page of one: their number is that of pages. A server that gives more than
 * the one asked for has pages of its own size; there the last one tells. GitHub leaves the last page's number out where it
 * would be long in finding it, and a proxy may lose the header that has it: then the last page is looked for.
 */
export async function fetchCount(place: Place): Promise<Count> {
  const query = { sort: 'created', direction: 'asc', page: '1', per_page: '1' };
  const { hasNext, isUnlinked, lastPage, records, answeredAt } = await fetchOnce(place, query);
  const pageSize = records.length;
  const isAll =
    !hasNext && (!isUnlinked || pageSize === 0 || !(await isHeld(place, { ...query, page: '2' })));
  if (isAll) return { total: pageSize, pageSize: PAGE_SIZE, answeredAt };
  if (!hasNext || lastPage === undefined) return { ...(await searchCount(place)), answeredAt };
  if (pageSize <= 1) return { total: lastPage, pageSize: PAGE_SIZE, answeredAt };
  const last = await fetchPage(place, { ...query, page: String(lastPage) });
  return { total: (lastPage - 1) * pageSize + last.records.length, pageSize, answeredAt };
}

async function isHeld(place: Place, query: Record<string, string>): Promise<boolean> {
  return (await fetchOnce(place, query)).records.length > 0;
}

/**
 * The count by the last page that holds any, found by asking for pages twice as far until one is empty, and then half way
 * between those known.
 */
async function searchCount(place: Place): Promise<Omit<Count, 'answeredAt'>> {
  const at = (page: number) => fetchPage(place, { sort: 'created', direction: 'asc', page: String(page) });
  const first = await at(1);
  const isPast = ({ records }: FetchedPage) =>
    records.length === 0 || records[0]?.id === first.records[0]?.id;
  let [last, lastPage] = [first, 1];
  for (let empty = Number.POSITIVE_INFINITY; empty - lastPage > 1; ) {
    const page = Math.min(2 * lastPage, Math.floor((lastPage + empty) / 2));
    if (page > MAX_PAGES) throw new ProviderError('malformed', 'GitHub sent a list without an end.');
    const answer = await at(page);
    if (isPast(answer)) empty = page;
    else [last, lastPage] = [answer, page];
  }
  const pageSize = first.records.length;
  return { total: (lastPage - 1) * pageSize + last.records.length, pageSize: Math.max(pageSize, 1) };
}
