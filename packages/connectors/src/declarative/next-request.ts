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
  /** Query parameter that has the secret, which an address of the provider may repeat. */
  secretParameter: string | undefined;
}

function nextText(value: unknown): string | undefined {
  const text = scalarText(value);
  if (text !== undefined && text.length > MAX_NEXT_LENGTH)
    throw new ProviderError('malformed', 'The address of the next page is too long.');
  return text === '' || value === false ? undefined : text;
}

/** Returns the request of an address that the provider names, without the secret. */
function atAddress(request: WireRequest, address: string, secretParameter: string | undefined): WireRequest {
  const [path = '', query = ''] = address.split(/\?(.*)/s);
  const isSecret = (part: string) => [...new URLSearchParams(part).keys()][0] === secretParameter;
  const text = query
    .split('&')
    .filter((part) => part !== '' && !isSecret(part))
    .join('&');
  return { ...request, path: text === '' ? path : `${path}?${text}`, query: {} };
}

/** Returns the request of the page after one; null at the end. @throws ProviderError `malformed` for too long an address */
export function nextRequest(
  request: WireRequest,
  pagination: DocumentPagination,
  { count, next, link, secretParameter }: PageEnd,
): WireRequest | null {
  switch (pagination.kind) {
    case 'none':
      return null;
    case 'page':
    case 'offset': {
      const { parameter, size } = pagination;
      if (count < size) return null;
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
      return target === undefined ? null : atAddress(request, target, secretParameter);
    }
    case 'address': {
      const target = nextText(next);
      return target === undefined ? null : atAddress(request, target, secretParameter);
    }
  }
}
