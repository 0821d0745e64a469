import { GithubError } from './github-error.ts';
import type { PullRepository, PullRow } from './pull-repository.ts';

/** The wishes of a list of pull requests, with GitHub's defaults filled in. */
export interface PullWish {
  state: 'open' | 'closed' | 'all';
  sort: 'created' | 'updated' | 'popularity' | 'long-running';
  direction: 'asc' | 'desc';
  head: string | null;
  base: string | null;
  perPage: number;
  page: number;
}

const PAGE = 'https://docs.github.com/rest/pulls/pulls#list-pull-requests';

/** Reads the wishes of a list; throws the 422 that GitHub answers to unknown values. */
export function readPullWish(query: URLSearchParams): PullWish {
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

/** The rows that the list shows, in order. */
export function selectRows(repository: PullRepository, wish: PullWish): readonly PullRow[] {
  const all = repository.rows();
  const kept = selections.get(all) ?? new Map<string, readonly PullRow[]>();
  selections.set(all, kept);
  const key = JSON.stringify([wish.state, wish.sort, wish.direction, wish.head, wish.base]);
  const selected = kept.get(key) ?? sortedRows(all, wish);
  if (kept.size < 20) kept.set(key, selected);
  return selected;
}

/** Selections made before, as long as the rows of the repository are the same array: every change makes another. */
const selections = new WeakMap<readonly PullRow[], Map<string, readonly PullRow[]>>();

function sortedRows(all: readonly PullRow[], wish: PullWish): PullRow[] {
  const rows = all.filter((row) => {
    if (wish.state !== 'all' && row.state !== wish.state) return false;
    if (wish.head?.includes(':') && row.headLabel !== wish.head) return false;
    return wish.base === null || row.baseRef === wish.base;
  });
  const sign = wish.direction === 'asc' ? 1 : -1;
  const value = SORTS[wish.sort];
  return rows.sort((one, other) => sign * (value(one) - value(other)) || sign * (one.id - other.id));
}

const SORTS: Record<PullWish['sort'], (row: PullRow) => number> = {
  created: (row) => row.createdAt,
  updated: (row) => row.updatedAt,
  popularity: (row) => row.comments,
  'long-running': (row) => (row.closedAt ?? Date.now()) - row.createdAt,
};

/** The Link header of a page, or undefined when there is only one. `address` is where the list is, without its query. */
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

function wholeNumber(text: string | null, fallback: number): number {
  const number = Number.parseInt(text ?? '', 10);
  return number > 0 ? number : fallback;
}
