import type { DocumentPagination } from '@datadeck/contract/connector-document';
import { linkTo, ProviderError, urlOf } from '../../sdk/index.ts';
import { nextRequest } from '../next-request.ts';
import { scalarText } from '../scalar-text.ts';
import type { TrialPageTask } from './trial-task.ts';

/** Members by which services name a next page. */
const NEXT_MEMBERS = [
  'next',
  'next_page',
  'nextPage',
  'next_cursor',
  'nextCursor',
  'nextPageToken',
  'next_page_token',
  'has_more',
  'hasMore',
];

/** What is known of the page after one. */
interface PageEnd {
  pagination: DocumentPagination;
  count: number;
  next: unknown;
  response: unknown;
}

/** Reports a fault of the pagination. */
export type Report = (message: string) => void;

function hintOf({ pagination, response }: PageEnd, link: string | undefined): string | undefined {
  if (pagination.kind !== 'none') return undefined;
  if (link !== undefined && linkTo(link, 'next') !== undefined)
    return 'The answer names a next page in its header Link, which is not read: choose the pagination “link”.';
  if (typeof response !== 'object' || response === null) return undefined;
  const name = NEXT_MEMBERS.find(
    (one) => Object.hasOwn(response, one) && Boolean((response as Record<string, unknown>)[one]),
  );
  return (
    name && `The answer seems to name a next page (response.${name}), which is not read: choose a pagination.`
  );
}

/** Returns path and query of the next request; null at the end. Reports what no run could follow. */
export function trialNext(
  { request, answer, answered, apiUrl }: TrialPageTask,
  end: PageEnd,
  report: Report,
): { path: string; query: URLSearchParams } | null {
  const { pagination, count, next } = end;
  const link = answer.headers.link;
  const hint = hintOf(end, link);
  if (hint !== undefined) report(hint);
  if (
    'next' in pagination &&
    next !== undefined &&
    next !== null &&
    next !== false &&
    scalarText(next) === undefined
  )
    report('It yields an object; it must yield a text, or nothing on the last page.');
  try {
    const following = nextRequest(request, pagination, { count, next, link: link ?? null });
    if (following === null) return null;
    const isAddress = pagination.kind === 'link' || pagination.kind === 'address';
    const url = isAddress ? URL.parse(following.path, answered) : urlOf(following, apiUrl);
    if (!url) {
      report('It is no address.');
      return null;
    }
    if (url.origin !== new URL(apiUrl).origin) {
      report(`The next page is at another host, ${url.host}, to which nothing is sent.`);
      return null;
    }
    const isSame = isAddress
      ? url.href === URL.parse(answered)?.href
      : JSON.stringify(following) === JSON.stringify(request);
    if (isSame) report('It names the same page again.');
    return { path: url.pathname, query: url.searchParams };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    report(error.message);
    return null;
  }
}
