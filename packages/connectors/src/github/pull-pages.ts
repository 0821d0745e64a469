import { ProviderError, type ReadRequest } from '../sdk/index.ts';
import { linkTo } from './link-header.ts';
import { readPullPage } from './pull-reading.ts';
import type { PullRecord } from './pull-record.ts';

export const PAGE_SIZE = 100;
/** Number of parts into which a page is split when GitHub cannot return it whole. */
const PARTS = 10;
const PART_SIZE = PAGE_SIZE / PARTS;
/** Retries for an unexpectedly empty page. */
const EMPTY_RETRIES = 2;

/** A repository: its full name, e.g. `octocat/hello-world`, and its API path. */
export interface Repository {
  name: string;
  path: string;
}

/** Client, repository and abort signal of page requests. */
export interface PullSource {
  request: Pick<ReadRequest, 'client'>;
  repository: Repository;
  signal: AbortSignal;
}

export function repositoryOf(settings: Readonly<Record<string, string>>): Repository {
  const owner = (settings.owner ?? '').trim();
  const repo = (settings.repo ?? '').trim();
  return {
    name: `${owner}/${repo}`,
    path: `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/pulls`,
  };
}

/** A page of the list, and its information about other pages. */
export interface FetchedPage {
  records: PullRecord[];
  /** Number of the last page, which may be this one; undefined when the response does not contain it. */
  lastPage: number | undefined;
  hasNext: boolean;
  /** Whether the Link header is missing: at GitHub that means a single page, but a proxy may have removed it. */
  hasNoLinkHeader: boolean;
  /** The Date header of the response, ms since 1970. */
  answeredAt: number;
}

/** Returns the page number of a relation in a Link header. */
function pageOf(link: string | null, relation: string): number | undefined {
  const page = linkTo(link, relation)?.match(/[?&]page=(\d+)/)?.[1];
  return page === undefined ? undefined : Number(page);
}

/** Adds the repository's name to a `not-found` error; returns other errors unchanged. */
function addRepositoryName(error: unknown, { name }: Repository): unknown {
  if (!(error instanceof ProviderError) || error.failure !== 'not-found') return error;
  return new ProviderError('not-found', `${name}: ${error.message}`, { field: 'repo', cause: error });
}

/** Fetches a page with one request. */
export async function fetchOnce(source: PullSource, query: Record<string, string>): Promise<FetchedPage> {
  const { request, repository, signal } = source;
  const answer = await request.client
    .get({
      path: repository.path,
      query: { state: 'all', per_page: String(PAGE_SIZE), ...query },
      headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
      units: 1,
      signal,
      parse: (json) => readPullPage(json, repository.name),
    })
    .catch((error) => {
      throw addRepositoryName(error, repository);
    });
  if (!answer.body) throw new ProviderError('malformed', 'GitHub sent no list of pull requests.');
  const link = answer.headers.get('link');
  const hasNext = pageOf(link, 'next') !== undefined;
  // Pages are requested by number, so a list that continues at another kind of address cannot be read to its end.
  if (!hasNext && linkTo(link, 'next') !== undefined)
    throw new ProviderError('malformed', 'GitHub continues its list at an address without a page number.');
  const hasNoLinkHeader = link === null;
  const linked = hasNoLinkHeader ? undefined : Number(query.page);
  const lastPage = hasNext ? pageOf(link, 'last') : linked;
  const date = Date.parse(answer.headers.get('date') ?? '');
  const answeredAt = Number.isNaN(date) ? Date.now() : date;
  return { records: answer.body, lastPage, hasNext, hasNoLinkHeader, answeredAt };
}

/** Returns the newest update time in the page, ms since 1970; -Infinity for an empty page. */
export function newestUpdateOf({ records }: FetchedPage): number {
  return Math.max(...records.map(({ updatedAt }) => updatedAt));
}

/**
 * Returns whether another page may follow.
 * @param size records per page
 */
export function mayHaveNext({ hasNext, hasNoLinkHeader, records }: FetchedPage, size = PAGE_SIZE): boolean {
  return hasNext || (hasNoLinkHeader && records.length >= size);
}

/**
 * Fetches a page as ten smaller ones, each of which takes GitHub less time.
 * @returns undefined when the server ignores the requested page size
 */
async function fetchInParts(
  source: PullSource,
  query: Record<string, string>,
): Promise<FetchedPage | undefined> {
  const parts: FetchedPage[] = [];
  const first = (Number(query.page) - 1) * PARTS + 1;
  for (let page = first; page < first + PARTS; page++) {
    const part = await fetchOnce(source, { ...query, page: String(page), per_page: String(PART_SIZE) });
    if (part.records.length > PART_SIZE) return undefined;
    parts.push(part);
    if (!mayHaveNext(part, PART_SIZE)) break;
  }
  const last = parts.at(-1) as FetchedPage;
  return {
    ...last,
    records: parts.flatMap(({ records }) => records),
    lastPage: last.lastPage && Math.ceil(last.lastPage / PARTS),
  };
}

/** Fetches one page. GitHub permanently fails for pages that take it too long; those are fetched in parts. */
async function fetchWholeOrInParts(source: PullSource, query: Record<string, string>): Promise<FetchedPage> {
  try {
    return await fetchOnce(source, query);
  } catch (error) {
    const isFailing = error instanceof ProviderError && error.failure === 'unavailable';
    const page = isFailing && !query.per_page ? await fetchInParts(source, query) : undefined;
    if (page) return page;
    throw error;
  }
}

/**
 * Fetches a page of the list and retries an unexpectedly empty one, whose records would otherwise be lost.
 * @throws ProviderError `unavailable` when it stays empty although a next page exists
 */
export async function fetchPage(source: PullSource, query: Record<string, string>): Promise<FetchedPage> {
  for (let retry = 0; ; retry++) {
    const page = await fetchWholeOrInParts(source, query);
    const isExpected = page.hasNext || query.page !== '1';
    if (page.records.length > 0 || !isExpected) return page;
    if (retry < EMPTY_RETRIES) continue;
    if (!page.hasNext) return page;
    throw new ProviderError(
      'unavailable',
      'GitHub sent an empty page where pull requests should be. Try again later.',
    );
  }
}
