import { ProviderError, type ReadRequest } from '../sdk/index.ts';
import { linkTo } from './link-header.ts';
import { readPullPage } from './pull-reading.ts';
import type { PullRecord } from './pull-record.ts';

export const PAGE_SIZE = 100;
/** How many parts a page is read in that cannot be had as a whole. */
const PARTS = 10;
const PART_SIZE = PAGE_SIZE / PARTS;
/** How often an empty page is asked for again. */
const EMPTY_RETRIES = 2;

export interface Repository {
  name: string;
  path: string;
}

/** By whom and of which repository pages are asked for. */
export interface Place {
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

/** A page of the list, and what the answer says of the others. */
export interface FetchedPage {
  records: PullRecord[];
  /** The last page's number, this one's when no other follows; undefined when the answer does not tell. */
  lastPage: number | undefined;
  hasNext: boolean;
  /** Nothing was said of other pages: there are none at GitHub, while a proxy may have lost what it said. */
  isUnlinked: boolean;
  /** GitHub's clock at the answer, ms. */
  answeredAt: number;
}

/** The page that a Link header names under a relation. */
function pageOf(link: string | null, relation: string): number | undefined {
  const page = linkTo(link, relation)?.match(/[?&]page=(\d+)/)?.[1];
  return page === undefined ? undefined : Number(page);
}

/** Names the repository in the failure that GitHub does not have it. */
function nameRepository(error: unknown, { name }: Repository): unknown {
  if (!(error instanceof ProviderError) || error.failure !== 'not-found') return error;
  const message = `The repository ${name} does not exist, or the connected account cannot see it. Check owner and name.`;
  return new ProviderError('not-found', message, { field: 'repo', cause: error });
}

/** Fetches a page as GitHub answers, asked for once. */
export async function fetchOnce(place: Place, query: Record<string, string>): Promise<FetchedPage> {
  const { request, repository, signal } = place;
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
      throw nameRepository(error, repository);
    });
  if (!answer.body) throw new ProviderError('malformed', 'GitHub sent no list of pull requests.');
  const link = answer.headers.get('link');
  const hasNext = pageOf(link, 'next') !== undefined;
  const isUnlinked = link === null;
  const linked = isUnlinked ? undefined : Number(query.page);
  const lastPage = hasNext ? pageOf(link, 'last') : linked;
  const date = Date.parse(answer.headers.get('date') ?? '');
  const answeredAt = Number.isNaN(date) ? Date.now() : date;
  return { records: answer.body, lastPage, hasNext, isUnlinked, answeredAt };
}

/** Returns when a pull request of the page was last updated, ms; -Infinity for an empty page. */
export function newestUpdateOf({ records }: FetchedPage): number {
  return Math.max(...records.map(({ updatedAt }) => updatedAt));
}

/**
 * Whether another page may follow.
 * @param size pull requests that a page holds
 */
export function mayGoOn({ hasNext, isUnlinked, records }: FetchedPage, size = PAGE_SIZE): boolean {
  return hasNext || (isUnlinked && records.length >= size);
}

/**
 * A page as smaller ones of the same pull requests, for which GitHub needs less time each.
 * @returns undefined when the server cuts its list as it likes
 */
async function fetchInParts(place: Place, query: Record<string, string>): Promise<FetchedPage | undefined> {
  const parts: FetchedPage[] = [];
  const first = (Number(query.page) - 1) * PARTS + 1;
  for (let page = first; page < first + PARTS; page++) {
    const part = await fetchOnce(place, { ...query, page: String(page), per_page: String(PART_SIZE) });
    if (part.records.length > PART_SIZE) return undefined;
    parts.push(part);
    if (!mayGoOn(part, PART_SIZE)) break;
  }
  const last = parts.at(-1) as FetchedPage;
  return {
    ...last,
    records: parts.flatMap(({ records }) => records),
    lastPage: last.lastPage && Math.ceil(last.lastPage / PARTS),
  };
}

/** One page. GitHub gives up one that takes it too long, however often it is asked: then it is read in parts. */
async function fetchSomehow(place: Place, query: Record<string, string>): Promise<FetchedPage> {
  try {
    return await fetchOnce(place, query);
  } catch (error) {
    const isGivenUp = error instanceof ProviderError && error.failure === 'unavailable';
    const page = isGivenUp && !query.per_page ? await fetchInParts(place, query) : undefined;
    if (page) return page;
    throw error;
  }
}

/**
 * A page of the list. An empty one that should hold records is asked for again: they would be lost.
 * @throws ProviderError `unavailable` when it stays empty although more is said to follow
 */
export async function fetchPage(place: Place, query: Record<string, string>): Promise<FetchedPage> {
  for (let retry = 0; ; retry++) {
    const page = await fetchSomehow(place, query);
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
