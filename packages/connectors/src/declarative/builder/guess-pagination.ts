import { isRecord } from '@datadeck/contract/table-columns';
import { pathName } from './suggest-columns.ts';

const ADDRESSES = [
  'next',
  'links.next',
  '_links.next.href',
  '_links.next',
  'paging.next',
  'pagination.next',
  'meta.next',
  'meta.pagination.links.next',
  '@odata.nextLink',
  'nextLink',
  'next_page_url',
  'next_url',
  'next_page',
  'nextPage',
  'pagination.next_url',
  'info.next',
];
const CURSORS = [
  'next_cursor',
  'nextCursor',
  'next_page_token',
  'nextPageToken',
  'continuation_token',
  'continuationToken',
  'nextToken',
  'next_token',
  'response_metadata.next_cursor',
  'meta.next_cursor',
  'meta.nextCursor',
  'pagination.next_cursor',
  'pagination.nextCursor',
  'paging.next_cursor',
  'paging.cursors.after',
  'paging.next.after',
  'cursors.after',
  'cursor.next',
  'cursor',
  'next',
];
const TOTALS = [
  'total',
  'total_count',
  'totalCount',
  'totalResults',
  'total_results',
  'count',
  'meta.total',
  'meta.total_count',
  'meta.pagination.total',
  'pagination.total',
  'paging.total',
  'page.totalElements',
  'totalElements',
  'hits.total',
];
const CURSOR_PARAMETERS = [
  'cursor',
  'after',
  'page_token',
  'pageToken',
  'starting_after',
  'next_cursor',
  'continuation_token',
  'continuationToken',
  'startingAfter',
  'next_token',
  'nextToken',
];
const PAGE_PARAMETERS = [
  'page',
  'page_number',
  'pageNumber',
  'p',
  'pageIndex',
  'page_no',
  'pageNo',
  'page[number]',
];
const OFFSET_PARAMETERS = [
  'offset',
  'skip',
  'startAt',
  'start',
  'startIndex',
  '$skip',
  'page[offset]',
  'from',
];
const SIZE_PARAMETERS = [
  'per_page',
  'perPage',
  'page_size',
  'pageSize',
  'limit',
  'size',
  'maxResults',
  'max_results',
  'count',
  'top',
  '$top',
  'page[size]',
  'page[limit]',
  'pagesize',
];

/** What is known of a list. */
export interface ListFacts {
  response: unknown;
  /** Names and values of query parameters. */
  query: ReadonlyMap<string, string>;
  count: number;
}

/** A guess, and the query parameters that it replaces. */
export interface PaginationGuess {
  pagination: Record<string, unknown>;
  replaced: string[];
  remark: string;
}

function valueAt(root: unknown, path: string): unknown {
  if (isRecord(root) && Object.hasOwn(root, path)) return root[path];
  return path
    .split('.')
    .reduce<unknown>(
      (inner, name) => (isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      root,
    );
}

/** Returns the expression of a member: `response.links.next`. */
function expressionOf(root: unknown, path: string): string {
  const names = isRecord(root) && Object.hasOwn(root, path) ? [path] : path.split('.');
  return ['response', ...names.map((name) => pathName(name))].join('.');
}

const isAddress = (value: unknown) => typeof value === 'string' && /^(?:https?:\/\/|\/|\?)/.test(value);
const isCursor = (value: unknown) =>
  (typeof value === 'string' && value !== '' && !isAddress(value)) || typeof value === 'number';

function firstOf(names: readonly string[], query: ReadonlyMap<string, string>): string | undefined {
  return names.find((name) => query.has(name));
}

function sizeOf({ query, count }: ListFacts): { size: number; sizeParameter?: string } {
  const name = firstOf(SIZE_PARAMETERS, query);
  const given = Number(name === undefined ? Number.NaN : query.get(name));
  const size = Number.isInteger(given) && given > 0 ? given : count > 1 ? count : 100;
  return { size: Math.min(size, 5000), ...(name !== undefined && { sizeParameter: name }) };
}

function numbered(kind: 'page' | 'offset', parameter: string, facts: ListFacts): PaginationGuess {
  const size = sizeOf(facts);
  const isFromZero = kind === 'page' && facts.query.get(parameter) === '0';
  return {
    pagination: { kind, parameter, ...(isFromZero && { first: 0 }), ...size },
    replaced: [parameter, ...(size.sizeParameter === undefined ? [] : [size.sizeParameter])],
    remark: `Pages are asked for by ${parameter}, with ${size.size} records each: a guess. Check the number.`,
  };
}

function cursorParameterOf(path: string, query: ReadonlyMap<string, string>): string {
  const known = firstOf(CURSOR_PARAMETERS, query);
  if (known !== undefined) return known;
  if (/pageToken/i.test(path)) return 'pageToken';
  if (/page_token/i.test(path)) return 'page_token';
  if (/after/.test(path)) return 'after';
  return /continuation/i.test(path) ? path : 'cursor';
}

/** Guesses how a list is paged, from the members of an answer and the parameters of its address. */
export function guessPagination(facts: ListFacts): PaginationGuess {
  const { response, query } = facts;
  const address = ADDRESSES.find((path) => isAddress(valueAt(response, path)));
  if (address !== undefined) {
    const next = expressionOf(response, address);
    return {
      pagination: { kind: 'address', next },
      replaced: [...PAGE_PARAMETERS, ...OFFSET_PARAMETERS].filter((name) => query.has(name)),
      remark: `The address of the next page is ${next}: a guess.`,
    };
  }
  const cursor = CURSORS.find(
    (path) => isCursor(valueAt(response, path)) && !(path === 'next' && query.has('page')),
  );
  if (cursor !== undefined) {
    const parameter = cursorParameterOf(cursor, query);
    const next = expressionOf(response, cursor);
    return {
      pagination: { kind: 'cursor', in: 'query', parameter, next },
      replaced: [parameter],
      remark: `The next page is asked for by ${parameter} with ${next}: a guess. Check the name of the parameter.`,
    };
  }
  const page = firstOf(PAGE_PARAMETERS, query);
  if (page !== undefined) return numbered('page', page, facts);
  const offset = firstOf(OFFSET_PARAMETERS, query);
  if (offset !== undefined) return numbered('offset', offset, facts);
  if (
    [
      'page',
      'total_pages',
      'totalPages',
      'current_page',
      'currentPage',
      'meta.page',
      'meta.current_page',
      'pagination.page',
    ].some((path) => typeof valueAt(response, path) === 'number')
  )
    return numbered('page', 'page', facts);
  if (
    ['offset', 'skip', 'startAt', 'meta.offset'].some((path) => typeof valueAt(response, path) === 'number')
  )
    return numbered(
      'offset',
      typeof valueAt(response, 'startAt') === 'number'
        ? 'startAt'
        : typeof valueAt(response, 'skip') === 'number'
          ? 'skip'
          : 'offset',
      facts,
    );
  if (Array.isArray(response))
    return {
      pagination: { kind: 'link' },
      replaced: [],
      remark:
        'The next page is taken from the header Link: a guess. Choose another pagination if the service has no such header.',
    };
  return {
    pagination: { kind: 'none' },
    replaced: [],
    remark:
      'No next page was found in the answer: one answer is read. Choose a pagination if the list has more pages.',
  };
}

/** Returns the expression of the number of all records; undefined without one. */
export function guessTotal({ response, count }: ListFacts): string | undefined {
  const path = TOTALS.find((one) => {
    const value = valueAt(response, one);
    return typeof value === 'number' && Number.isInteger(value) && value >= count;
  });
  return path === undefined ? undefined : expressionOf(response, path);
}
