import type { DocumentPagination } from '@datadeck/contract/connector-document';
import { linkTo, ProviderError } from '../sdk/index.ts';
import { withValueAt } from './request-builder.ts';
import { scalarText } from './scalar-text.ts';
import type { WireRequest } from './wire-request.ts';

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

/** Returns the request of an address that the provider names. */
function atAddress(request: WireRequest, address: string): WireRequest {
  return { ...request, path: address, query: {} };
}

/** Returns the request of the page after one; null at the end. @throws ProviderError `malformed` for too long an address */
export function nextRequest(
  request: WireRequest,
  pagination: DocumentPagination,
  { count, next, link }: PageEnd,
): WireRequest | null {
  switch (pagination.kind) {
    case 'none':
      return null;
    case 'page':
    case 'offset': {
      const { parameter, size, end } = pagination;
      if (end === 'short-page' ? count < size : count === 0) return null;
      const position = Number(request.query[parameter] ?? 0) + (pagination.kind === 'page' ? 1 : count);
      return { ...request, query: { ...request.query, [parameter]: String(position) } };
    }
    case 'cursor': {
      const cursor = nextText(next);
      if (cursor === undefined) return null;
      const { parameter } = pagination;
      return pagination.in === 'query'
        ? { ...request, query: { ...request.query, [parameter]: cursor } }
        : { ...request, body: withValueAt(request.body ?? {}, parameter, cursor) };
    }
    case 'link': {
      const target = linkTo(link, 'next');
      return target === undefined ? null : atAddress(request, target);
    }
    case 'address': {
      const target = nextText(next);
      return target === undefined ? null : atAddress(request, target);
    }
  }
}
