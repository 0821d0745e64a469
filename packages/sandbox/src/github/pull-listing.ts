import { keptSelection, oneOf } from './list-query.ts';
import type { PullRepository, PullRow } from './pull-repository.ts';

/** The parameters of a list of pull requests, with GitHub's defaults. */
export interface PullListOptions {
  state: 'open' | 'closed' | 'all';
  sort: 'created' | 'updated' | 'popularity' | 'long-running';
  direction: 'asc' | 'desc';
  head: string | null;
  base: string | null;
}

const NAMES = { resource: 'PullRequest', page: '/pulls/pulls#list-pull-requests' };

/** Reads the parameters of a list. @throws GithubError 422 for invalid values */
export function readPullListOptions(query: URLSearchParams): PullListOptions {
  const sort = oneOf(query, 'sort', ['created', 'updated', 'popularity', 'long-running'], NAMES);
  return {
    state: oneOf(query, 'state', ['open', 'closed', 'all'], NAMES),
    sort,
    direction: query.has('direction')
      ? oneOf(query, 'direction', ['asc', 'desc'], NAMES)
      : sort === 'created'
        ? 'desc'
        : 'asc',
    head: query.get('head'),
    base: query.get('base'),
  };
}

/** Returns the rows of the list, in order. */
export function selectRows(repository: PullRepository, options: PullListOptions): readonly PullRow[] {
  const all = repository.rows();
  const key = JSON.stringify([options.state, options.sort, options.direction, options.head, options.base]);
  return keptSelection(all, key, () => sortedRows(all, options));
}

function sortedRows(all: readonly PullRow[], options: PullListOptions): PullRow[] {
  const rows = all.filter((row) => {
    if (options.state !== 'all' && row.state !== options.state) return false;
    if (options.head?.includes(':') && row.headLabel !== options.head) return false;
    return options.base === null || row.baseRef === options.base;
  });
  const sign = options.direction === 'asc' ? 1 : -1;
  const value = SORTS[options.sort];
  return rows.sort((one, other) => sign * (value(one) - value(other)) || sign * (one.id - other.id));
}

const SORTS: Record<PullListOptions['sort'], (row: PullRow) => number> = {
  created: (row) => row.createdAt,
  updated: (row) => row.updatedAt,
  popularity: (row) => row.comments,
  'long-running': (row) => (row.closedAt ?? Date.now()) - row.createdAt,
};

/** Returns the Link header of a page; undefined if there is only one. `address` is the list's address without query. */
export function linkHeader(
  address: string,
  query: URLSearchParams,
  pages: { page: number; last: number },
): string | undefined {
  const { page, last } = pages;
  const links: string[] = [];
  const add = (rel: string, number: number) => {
    const copy = new URLSearchParams(query);
    copy.set('page', String(number));
    links.push(`<${address}?${copy}>; rel="${rel}"`);
  };
  if (page > 1) add('prev', Math.min(page - 1, Math.max(1, last)));
  if (page < last) {
    add('next', page + 1);
    add('last', last);
  } else if (page > last && last > 0) add('last', last);
  if (page > 1) add('first', 1);
  return links.length > 0 ? links.join(', ') : undefined;
}

/** Returns a positive whole number of a query. */
export function wholeNumber(text: string | null, fallback: number): number {
  const number = Number.parseInt(text ?? '', 10);
  return number > 0 ? number : fallback;
}
