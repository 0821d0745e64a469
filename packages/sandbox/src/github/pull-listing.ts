import { GithubError } from './github-error.ts';
import type { PullRepository, PullRow } from './pull-repository.ts';

/** The parameters of a list of pull requests, with GitHub's defaults. */
export interface PullListOptions {
  state: 'open' | 'closed' | 'all';
  sort: 'created' | 'updated' | 'popularity' | 'long-running';
  direction: 'asc' | 'desc';
  head: string | null;
  base: string | null;
  perPage: number;
  page: number;
}

const PAGE = 'https://docs.github.com/rest/pulls/pulls#list-pull-requests';

/** Reads the parameters of a list. @throws GithubError 422 for invalid values */
export function readPullListOptions(query: URLSearchParams): PullListOptions {
  const sort = oneOf(query, 'sort', ['created', 'updated', 'popularity', 'long-running']);
  return {
    state: oneOf(query, 'state', ['open', 'closed', 'all']),
    sort,
    direction: query.has('direction')
      ? oneOf(query, 'direction', ['asc', 'desc'])
      : sort === 'created'
        ? 'desc'
        : 'asc',
    head: query.get('head'),
    base: query.get('base'),
    perPage: Math.min(100, wholeNumber(query.get('per_page'), 30)),
    page: wholeNumber(query.get('page'), 1),
  };
}

/** Returns the rows of the list, in order. */
export function selectRows(repository: PullRepository, options: PullListOptions): readonly PullRow[] {
  const all = repository.rows();
  const kept = selections.get(all) ?? new Map<string, readonly PullRow[]>();
  selections.set(all, kept);
  const key = JSON.stringify([options.state, options.sort, options.direction, options.head, options.base]);
  const selected = kept.get(key) ?? sortedRows(all, options);
  if (kept.size < 20) kept.set(key, selected);
  return selected;
}

/** Cached selections per array of rows; every change of a repository creates a new array. */
const selections = new WeakMap<readonly PullRow[], Map<string, readonly PullRow[]>>();

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

function oneOf<Value extends string>(
  query: URLSearchParams,
  name: string,
  known: readonly [Value, ...Value[]],
): Value {
  const text = query.get(name);
  if (text === null || text === '') return known[0];
  const found = known.find((value) => value === text);
  if (found) return found;
  const errors = [{ resource: 'PullRequest', code: 'invalid', field: name, value: text }];
  throw new GithubError(422, 'Validation Failed', { documentation: PAGE, fields: { errors } });
}

/** Returns a positive whole number of a query. */
export function wholeNumber(text: string | null, fallback: number): number {
  const number = Number.parseInt(text ?? '', 10);
  return number > 0 ? number : fallback;
}
