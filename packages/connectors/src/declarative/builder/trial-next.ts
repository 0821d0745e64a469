import type { DocumentPagination } from '@datadeck/contract/connector-document';
import { isRecord } from '@datadeck/contract/table-columns';
import { isInteger, linkTo, ProviderError, urlOf } from '../../sdk/index.ts';
import { nextRequest } from '../next-request.ts';
import { scalarText } from '../scalar-text.ts';
import { guessPagination } from './guess-pagination.ts';
import type { TrialPageTask } from './trial-task.ts';

/** What is known of the page after one. */
interface PageEnd {
  pagination: DocumentPagination;
  count: number;
  next: unknown;
  /** What the document's expression of the total yields. */
  total: unknown;
  response: unknown;
}

/** Reports a fault of the pagination. */
export type Report = (message: string) => void;

/** Returns the field of an answer that says that there is a next page; undefined without one. */
function nextField(response: unknown, count: number): string | undefined {
  const { pagination } = guessPagination({ response, query: new Map(), count });
  if (typeof pagination.next === 'string') return pagination.next;
  const name = ['has_more', 'hasMore', 'has_next', 'hasNext', 'hasNextPage'].find(
    (one) => isRecord(response) && response[one] === true,
  );
  return name && `response.${name}`;
}

/** Returns the last name of a path. */
const pathEnd = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/** Reports that an answer, which ends the list by the document, says that there is more. */
function reportMore(
  { pagination, count, total, response }: PageEnd,
  link: string | null,
  report: Report,
): void {
  if (linkTo(link, 'next') !== undefined)
    report(
      'The answer names a next page in its header Link, which is not read: choose the pagination “link”.',
    );
  const field = nextField(response, count);
  const isRead = field !== undefined && 'next' in pagination && pagination.next.includes(pathEnd(field));
  if (field !== undefined && !isRead)
    report(
      `The answer seems to name a next page (${field}), which is not read: choose a pagination that reads it.`,
    );
  if (isInteger(total) && total > count)
    report(
      'size' in pagination
        ? `The page has ${count} of ${total} records, and ends the list: the service sends smaller pages. Write ${count} as the size, or end at an empty page.`
        : `The page has ${count} of ${total} records, and no next page is found.`,
    );
}

/** Returns path and query of the next request; null at the end. Reports what no run could follow. */
export function trialNext(
  { request, answer, answered, apiUrl }: TrialPageTask,
  end: PageEnd,
  report: Report,
): { path: string; query: URLSearchParams } | null {
  const { pagination, count, next } = end;
  const link = answer.headers.link ?? null;
  if (
    'next' in pagination &&
    next !== undefined &&
    next !== null &&
    next !== false &&
    scalarText(next) === undefined
  )
    report('It yields an object; it must yield a text, or nothing on the last page.');
  try {
    const following = nextRequest(request, pagination, { count, next, link });
    if (following === null) {
      if (count > 0) reportMore(end, link, report);
      return null;
    }
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
