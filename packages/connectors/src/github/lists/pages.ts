import { ProviderError, type ReadRequest } from '../../sdk/index.ts';
import { linkTo, MAX_HEADER } from '../../sdk/link-header.ts';
import type { ListedRecord } from '../records/github-record.ts';
import { reportMove } from '../repository/repository-move.ts';
import type { Repository } from '../repository/repository-names.ts';
import { readListPage } from './reading.ts';
import type { RepositoryList } from './repository-list.ts';

export const PAGE_SIZE = 100;
/** Number of parts into which a page is split when GitHub cannot return it whole. */
const PARTS = 10;
const PART_SIZE = PAGE_SIZE / PARTS;
/** Retries for an unexpectedly empty page. */
const EMPTY_RETRIES = 2;

/** A list of one repository. */
export interface ListPlace {
  list: RepositoryList;
  repository: Repository;
}

/** Client, list and abort signal of page requests. */
export interface ListSource extends ListPlace {
  request: Pick<ReadRequest, 'client' | 'reportsMoves'>;
  signal: AbortSignal;
}

/** A page of the list, and its information about other pages. */
export interface FetchedPage {
  /** All items of the page, also those that are no records of the entity. */
  records: ListedRecord[];
  /** Number of the last page, which may be this one; undefined when the response does not contain it. */
  lastPage: number | undefined;
  hasNext: boolean;
  /** URL of the next page if the list continues at a cursor, which no page number replaces. */
  nextAddress: string | undefined;
  /** Whether no link leads to other pages: at GitHub that means a single page, but a proxy may have removed them. */
  hasNoPageLinks: boolean;
  /** The Date header of the response, ms since 1970. */
  answeredAt: number;
  /** The ETag header; undefined for a page without one, or in parts. */
  etag: string | undefined;
}

/** The query of a page, or the URL that the page before it names. */
type PageAddress = Record<string, string> | string;

/** The links of a page: their header, the URL that they are relative to, and the requested address. */
interface PageLinks {
  header: string | null;
  /** Parameters of all pages. */
  query: Readonly<Record<string, string>>;
  base: string;
  at: PageAddress;
}

/** GitHub's pages name the one before or after them; some servers name the first and the last page on each. */
const NEIGHBOURS = ['next', 'prev', 'previous'];

function parseUrl(target: string, base: string): URL {
  const url = target.trim() === '' ? null : URL.parse(target, base);
  if (url) return url;
  throw new ProviderError('malformed', 'GitHub continues its list at something that is no address.');
}

/** Highest page number of a list, with pages of one item. */
const MAX_PAGE = PAGE_SIZE * 2 ** 20;

/** Returns the page number of a relation; undefined if its address differs from the request by more than the page. */
function pageOf({ header, base, at, query }: PageLinks, relation: string): number | undefined {
  const target = linkTo(header, relation);
  if (target === undefined || typeof at === 'string') return undefined;
  const { searchParams } = parseUrl(target, base);
  const page = searchParams.get('page') ?? '';
  const isKnown = (name: string) => name === 'page' || name in query || name in at;
  if (!/^[1-9]\d{0,14}$/.test(page) || ![...searchParams.keys()].every(isKnown)) return undefined;
  if (Number(page) > MAX_PAGE) throw new ProviderError('malformed', 'GitHub sent an endless list.');
  return Number(page);
}

/**
 * Reads how the list continues.
 * @throws ProviderError `malformed` for a header that is too long, or names no address or a page beyond any list
 */
function continuationOf(
  links: PageLinks,
): Pick<FetchedPage, 'lastPage' | 'hasNext' | 'hasNoPageLinks' | 'nextAddress'> {
  const { header, base, at } = links;
  if ((header?.length ?? 0) > MAX_HEADER)
    throw new ProviderError('malformed', 'GitHub sent links between pages that are too long to read.');
  const next = linkTo(header, 'next');
  const isNumbered = pageOf(links, 'next') !== undefined;
  const hasNoPageLinks = NEIGHBOURS.every((relation) => linkTo(header, relation) === undefined);
  const own = typeof at === 'string' || hasNoPageLinks ? undefined : Number(at.page);
  return {
    lastPage: isNumbered ? pageOf(links, 'last') : own,
    hasNext: next !== undefined,
    hasNoPageLinks,
    nextAddress: next === undefined || isNumbered ? undefined : parseUrl(next, base).href,
  };
}

/** Adds the repository's name to a `not-found` error; returns other errors unchanged. */
function addRepositoryName(error: unknown, { name }: Repository): unknown {
  if (!(error instanceof ProviderError) || error.failure !== 'not-found') return error;
  return new ProviderError('not-found', `${name}: ${error.message}`, { field: 'repo', cause: error });
}

/** Longest ETag that is stored. */
const MAX_ETAG = 200;

function etagOf(headers: Headers): string | undefined {
  const etag = headers.get('etag') ?? undefined;
  return etag !== undefined && etag.length <= MAX_ETAG ? etag : undefined;
}

/** Fetches a page with one request. @param etag of an earlier answer @returns undefined if the page still has this ETag */
async function request(source: ListSource, at: PageAddress, etag?: string): Promise<FetchedPage | undefined> {
  const { list, repository, signal } = source;
  const query = { ...list.query, per_page: String(PAGE_SIZE) };
  const answer = await source.request.client
    .get({
      ...(typeof at === 'string'
        ? { path: at }
        : { path: repository.path + list.path, query: { ...query, ...at } }),
      headers: {
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
      },
      units: 1,
      signal,
      parse: (json) => readListPage(json, list.kind, repository.name),
    })
    .catch((error) => {
      throw addRepositoryName(error, repository);
    });
  await reportMove(source, answer.url);
  if (etag !== undefined && answer.status === 304) return undefined;
  if (!answer.body) throw new ProviderError('malformed', `GitHub sent no list of ${list.many}.`);
  const date = Date.parse(answer.headers.get('date') ?? '');
  const answeredAt = Number.isNaN(date) ? Date.now() : date;
  const links = { header: answer.headers.get('link'), base: answer.url, at, query };
  return { records: answer.body, ...continuationOf(links), answeredAt, etag: etagOf(answer.headers) };
}

/** Fetches a page with one request. */
export async function fetchOnce(source: ListSource, at: PageAddress): Promise<FetchedPage> {
  return (await request(source, at)) as FetchedPage;
}

/** Returns the newest update time in the page, ms since 1970; -Infinity for an empty page. */
export function newestUpdateOf({ records }: FetchedPage): number {
  return Math.max(...records.map(({ updatedAt }) => updatedAt));
}

/**
 * Returns whether another page may follow.
 * @param size records per page
 */
export function mayHaveNext({ hasNext, hasNoPageLinks, records }: FetchedPage, size = PAGE_SIZE): boolean {
  return hasNext || (hasNoPageLinks && records.length >= size);
}

/**
 * Fetches a page as ten smaller ones, each of which takes GitHub less time.
 * @returns undefined when the server ignores the requested page size
 */
async function fetchInParts(
  source: ListSource,
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
    etag: undefined,
  };
}

/** Fetches one page. GitHub permanently fails for pages that take it too long; those are fetched in parts. */
async function fetchWholeOrInParts(source: ListSource, at: PageAddress): Promise<FetchedPage> {
  try {
    return await fetchOnce(source, at);
  } catch (error) {
    const isFailing = error instanceof ProviderError && error.failure === 'unavailable';
    const canSplit = typeof at !== 'string' && at.page !== undefined && !at.per_page;
    const page = isFailing && canSplit ? await fetchInParts(source, at) : undefined;
    if (page) return page;
    throw error;
  }
}

/**
 * Fetches a page of the list and retries an unexpectedly empty one, whose records would otherwise be lost.
 * @throws ProviderError `unavailable` when it stays empty although a next page exists
 */
export async function fetchPage(source: ListSource, at: PageAddress): Promise<FetchedPage> {
  for (let retry = 0; ; retry++) {
    const page = await fetchWholeOrInParts(source, at);
    const isExpected = page.hasNext || (typeof at !== 'string' && at.page !== '1');
    if (page.records.length > 0 || !isExpected) return page;
    if (retry < EMPTY_RETRIES) continue;
    if (!page.hasNext) return page;
    throw new ProviderError(
      'unavailable',
      `GitHub sent an empty page where ${source.list.many} should be. Try again later.`,
    );
  }
}

/** The page with the latest updates, which changes with every update. */
export const LATEST_UPDATES = { sort: 'updated', direction: 'desc', page: '1' };

/** Fetches the page with the latest updates. @returns undefined if it still has this ETag, for which GitHub asks no quota */
export async function fetchLatest(
  source: ListSource,
  etag: string | undefined,
): Promise<FetchedPage | undefined> {
  if (etag === undefined) return fetchPage(source, LATEST_UPDATES);
  try {
    const page = await request(source, LATEST_UPDATES, etag);
    if (!page || page.records.length > 0) return page;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.failure !== 'unavailable') throw error;
  }
  // It failed or is empty, which `fetchPage` tries again in other ways.
  return fetchPage(source, LATEST_UPDATES);
}
