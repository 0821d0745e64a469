import type { DocumentPagination } from '@datadeck/contract/connector-document';
import { linkTo, ProviderError } from '../sdk/index.ts';
import { numberOf, withNumber } from './page-numbers.ts';
import { scalarText } from './scalar-text.ts';
import { type WireRequest, withParameter } from './wire-request.ts';

/** Longest cursor or address of a next page, UTF-16 units. */
const MAX_NEXT_LENGTH = 8000;

/** What an answer says about the next page. */
interface PageEnd {
  /** Number of entries in the answer. */
  count: number;
  /** The value of the expression `next`; undefined for kinds without one. */
  next: unknown;
  link: string | null;
}

function nextText(value: unknown): string | undefined {
  const text = scalarText(value);
  if (text !== undefined && text.length > MAX_NEXT_LENGTH)
    throw new ProviderError('malformed', 'The address of the next page is too long.');
  return text === '' || value === false ? undefined : text;
}

/**
 * Returns an address with further parameters, without those whose first value in the address is the same text. An empty value there
 * counts as none, as in `HttpClient._dedupe_query_params` of Airbyte's CDK.
 */
function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  const [whole = ''] = address.split('#');
  const start = whole.indexOf('?');
  const own = start < 0 ? '' : whole.slice(start + 1);
  const values = [...new URLSearchParams(own)].filter(([, value]) => value !== '');
  const added = Object.entries(query).filter(
    ([name, value]) => values.find(([one]) => one === name)?.[1] !== value,
  );
  if (added.length === 0) return whole;
  const text = new URLSearchParams(added).toString();
  return start < 0 ? `${whole}?${text}` : own === '' ? whole + text : `${whole}&${text}`;
}

/** Returns the request of an address that the provider names. */
function atAddress(request: WireRequest, address: string, repeatQuery = false): WireRequest {
  if (!repeatQuery) return { ...request, path: address, query: {} };
  const repeated = request.repeated ?? request.query;
  return { ...request, path: withQuery(address, repeated), query: {}, repeated };
}

/** Returns a request without the parameters that only the first page has. */
function laterRequest(request: WireRequest, pagination: DocumentPagination): WireRequest {
  const { firstOnly = [] } = { firstOnly: undefined, ...pagination };
  if (firstOnly.length === 0) return request;
  const query = Object.entries(request.query).filter(([name]) => !firstOnly.includes(name));
  return { ...request, query: Object.fromEntries(query) };
}

/** Returns the request of the page after one; null at the end. @throws ProviderError `malformed` for too long an address */
export function nextRequest(
  before: WireRequest,
  pagination: DocumentPagination,
  { count, next, link }: PageEnd,
): WireRequest | null {
  const request = laterRequest(before, pagination);
  switch (pagination.kind) {
    case 'none':
      return null;
    case 'page':
    case 'offset': {
      const { kind, size, end } = pagination;
      if (end === 'short-page' ? count < size : count === 0) return null;
      return withNumber(request, pagination, numberOf(request, pagination) + (kind === 'page' ? 1 : count));
    }
    case 'cursor': {
      const text = nextText(next);
      if (text === undefined) return null;
      const cursor = pagination.in === 'body' && typeof next === 'number' ? next : text;
      return withParameter(request, { in: pagination.in, name: pagination.parameter }, cursor);
    }
    case 'link': {
      const target = linkTo(link, 'next');
      return target === undefined ? null : atAddress(request, target, pagination.repeatQuery);
    }
    case 'address': {
      const target = nextText(next);
      return target === undefined ? null : atAddress(request, target, pagination.repeatQuery);
    }
  }
}
