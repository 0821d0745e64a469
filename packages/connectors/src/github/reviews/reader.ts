import { z } from 'zod';
import {
  type Completion,
  type Estimate,
  type EstimateRequest,
  type Page,
  type ProviderClient,
  ProviderError,
  parseSaved,
  type ReadRequest,
  ScopeMoved,
  type ScopeReading,
  sinceTime,
  WantedRecords,
} from '../../sdk/index.ts';
import { queryGraphql } from '../api/graphql.ts';
import { NO_PROGRESS, progressAfter, progressShape } from '../lists/endless.ts';
import type { EntityReader } from '../lists/entity-reader.ts';
import type { ListedRecord } from '../records/github-record.ts';
import { reviewRecord } from '../records/review-record.ts';
import {
  isRepositoryName,
  type Repository,
  repositoryOf,
  settingsOf,
} from '../repository/repository-names.ts';
import { MORE_REVIEWS_QUERY, REVIEW_COUNTS_QUERY, REVIEWS_QUERY } from './query.ts';

/** Pull requests of a page; with fifty reviews each, a page costs one point. */
const PAGE_SIZE = 50;
/** Pull requests of a page when GitHub cannot answer a usual one. */
const SMALL_PAGE_SIZE = 5;
/** Reviews that are yielded at once. */
const MAX_YIELDED = 2500;
/** Overlap with the last run, since many pull requests share a time of update. */
const OVERLAP_MS = 10 * 60_000;
/** Pages of further reviews that are read of one pull request: ten thousand reviews. */
const MAX_MORE_PAGES = 100;
/** Pages of pull requests whose reviews an estimate counts; it assumes as many for the others. */
const MAX_COUNTED_PAGES = 4;
/** A signal that never aborts; the client's own signal ends the requests. */
const NEVER = new AbortController().signal;

const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });
const reviewsSchema = z.object({ pageInfo, nodes: z.array(z.unknown()).nullish() });
const pullSchema = z.looseObject({
  id: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  reviews: reviewsSchema.nullish(),
});
type Pull = z.infer<typeof pullSchema>;
const listSchema = z.object({
  nameWithOwner: z.string().nullish(),
  pullRequests: z.object({ pageInfo, nodes: z.array(z.unknown()).nullish() }),
});
const countedSchema = z.object({
  totalCount: z.int().nonnegative(),
  nodes: z.array(z.object({ updatedAt: z.string() }).nullable()).nullish(),
});
const countsSchema = z.object({
  pullRequests: z.object({
    totalCount: z.int().nonnegative(),
    pageInfo,
    nodes: z
      .array(z.object({ updatedAt: z.string(), reviews: countedSchema.nullish() }).nullable())
      .nullish(),
  }),
});
type Counts = z.infer<typeof countedSchema> | null | undefined;

const positionSchema = z.object({
  /** Cursor after which the next page begins; null at the beginning. */
  after: z.string().nullable(),
  ...progressShape,
  isDone: z.boolean(),
  startedAt: z.number(),
  newestUpdate: z.number(),
  yielded: z.number().int(),
  truncated: z.boolean(),
});
type Position = z.infer<typeof positionSchema>;
const START: Position = {
  after: null,
  ...NO_PROGRESS,
  isDone: false,
  startedAt: 0,
  newestUpdate: 0,
  yielded: 0,
  truncated: false,
};
/** Time up to which the updates of pull requests were read, ms since 1970. */
const cursorSchema = z.object({ readUntil: z.number() });

interface Source {
  url: string;
  client: ProviderClient;
  repository: Repository;
  reportsMoves: boolean;
  signal: AbortSignal;
}

type Order = 'CREATED_AT' | 'UPDATED_AT';

/** Fields of a query of reviews that another right may be needed for; reviews are read without them. */
const OPTIONAL = ['author', 'commit'];

interface PullPage {
  pulls: Pull[];
  next: string | null;
  answeredAt: number;
}

function malformed(cause?: unknown): ProviderError {
  return new ProviderError('malformed', 'GitHub sent reviews that cannot be read.', { cause });
}

/** Parses a part of an answer. @throws ProviderError `malformed` */
function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformed(parsed.error);
}

function nextOf({ hasNextPage, endCursor }: z.infer<typeof pageInfo>): string | null {
  if (!hasNextPage) return null;
  if (!endCursor) throw malformed();
  return endCursor;
}

async function ask(source: Source, query: string, variables: Record<string, string | number | null>) {
  const { owner, repo: name } = settingsOf(source.repository.name);
  try {
    return await queryGraphql(source.client, source.url, {
      query,
      variables: { owner, name, ...variables },
      signal: source.signal,
      optional: OPTIONAL,
    });
  } catch (error) {
    if (!(error instanceof ProviderError) || error.failure !== 'not-found') throw error;
    const message = `${source.repository.name}: ${error.message}`;
    throw new ProviderError('not-found', message, { field: 'repo', cause: error });
  }
}

/** Reports a repository that GitHub knows by another name now. @throws ScopeMoved */
function reportMove({ repository, reportsMoves }: Source, name: string | null | undefined): void {
  if (!reportsMoves || !name || name.toLowerCase() === repository.name.toLowerCase()) return;
  if (isRepositoryName(name))
    throw new ScopeMoved(`${repository.name} is now ${name} on GitHub.`, settingsOf(name));
}

/** Fetches a page of pull requests with their reviews; a smaller one if GitHub cannot answer it. */
async function fetchPulls(source: Source, field: Order, after: string | null): Promise<PullPage> {
  const askFor = (first: number) => ask(source, REVIEWS_QUERY, { first, after, field });
  const { data, answeredAt } = await askFor(PAGE_SIZE).catch((error: unknown) => {
    if (error instanceof ProviderError && error.failure === 'unavailable') return askFor(SMALL_PAGE_SIZE);
    throw error;
  });
  const { nameWithOwner, pullRequests } = parse(listSchema, data.repository);
  reportMove(source, nameWithOwner);
  const nodes = (pullRequests.nodes ?? []).filter((node) => node !== null);
  const next = nextOf(pullRequests.pageInfo);
  return { pulls: nodes.map((node) => parse(pullSchema, node)), next, answeredAt };
}

/** Returns the number in an id: `pullrequestreview-123`. */
function numberOf({ id }: ListedRecord): number {
  return Number(id.replace(/^\D+/, '')) || 0;
}

/** Returns the reviews of a pull request, further pages included, the latest first. */
async function reviewsOf(source: Source, pull: Pull): Promise<ListedRecord[]> {
  const nodes: unknown[] = [];
  let page = pull.reviews ?? { pageInfo: { hasNextPage: false }, nodes: [] };
  let [progress, from]: [typeof NO_PROGRESS, string | null] = [NO_PROGRESS, null];
  for (;;) {
    nodes.push(...(page.nodes ?? []).filter((node) => node !== null));
    const after = nextOf(page.pageInfo);
    if (after === null || progress.pages >= MAX_MORE_PAGES) break;
    progress = progressAfter(progress, { from, to: after }, 'reviews');
    from = after;
    const { data } = await ask(source, MORE_REVIEWS_QUERY, { id: pull.id, after });
    page = parse(z.object({ reviews: reviewsSchema }), data.node).reviews;
  }
  const records = nodes.map((node) => reviewRecord(node, pull, source.repository.name));
  return records.sort(
    (one, other) => other.occurredAt.getTime() - one.occurredAt.getTime() || numberOf(other) - numberOf(one),
  );
}

function updateOf({ updatedAt }: Pull): number {
  return Date.parse(updatedAt) || 0;
}

/** Returns the position after a page. @throws ProviderError `malformed` for a list that repeats itself or does not end */
function moveTo(position: Position, page: PullPage, records: number): Position {
  const { next } = page;
  return {
    ...position,
    ...progressAfter(position, { from: position.after, to: next }, 'reviews'),
    after: next ?? position.after,
    isDone: next === null,
    startedAt: position.startedAt || page.answeredAt,
    newestUpdate: Math.max(position.newestUpdate, ...page.pulls.map(updateOf)),
    yielded: position.yielded + records,
  };
}

/** Yields all records but those of the last page, with the position before them: a resumed run reads them again. */
function* yieldFirst(records: ListedRecord[], checkpoint: Position): Generator<Page> {
  while (records.length > MAX_YIELDED) yield { records: records.splice(0, MAX_YIELDED), checkpoint };
}

function cursorAt({ startedAt, newestUpdate }: Position) {
  return { readUntil: Math.min(startedAt, newestUpdate || startedAt) };
}

/** Yields all reviews, those of the pull request that was opened last first. */
async function* readAll(request: ReadRequest, source: Source): AsyncGenerator<Page, Completion> {
  let position = parseSaved(positionSchema, request.checkpoint) ?? START;
  const since = sinceTime(request) ?? Number.NEGATIVE_INFINITY;
  let remaining = request.limit;
  while (!position.isDone && !position.truncated) {
    const page = await fetchPulls(source, 'CREATED_AT', position.after);
    const found: ListedRecord[] = [];
    for (const pull of page.pulls) {
      if (found.length > remaining) break;
      found.push(...(await reviewsOf(source, pull)).filter(({ updatedAt }) => updatedAt >= since));
    }
    const records = found.slice(0, remaining);
    remaining -= records.length;
    const before = position;
    position = {
      ...moveTo(position, page, records.length),
      truncated: records.length < found.length,
    };
    const isAll = position.isDone && !position.truncated && request.since === undefined;
    yield* yieldFirst(records, before);
    yield { records, checkpoint: position, ...(isAll ? { total: position.yielded } : {}) };
  }
  return { cursor: cursorAt(position), truncated: position.truncated };
}

/** Yields the reviews of the pull requests that were updated since the cursor. */
async function* readChanges(
  request: ReadRequest,
  source: Source,
  readUntil: number,
): AsyncGenerator<Page, Completion> {
  let position = parseSaved(positionSchema, request.checkpoint) ?? { ...START, newestUpdate: readUntil };
  const choice = new WantedRecords(request);
  const horizon = readUntil - OVERLAP_MS;
  while (!position.isDone) {
    const page = await fetchPulls(source, 'UPDATED_AT', position.after);
    const changed = page.pulls.filter((pull) => updateOf(pull) >= horizon);
    const found: ListedRecord[] = [];
    for (const pull of changed) found.push(...(await reviewsOf(source, pull)));
    const records = await choice.choose(found, ({ updatedAt }) => updatedAt);
    const before = position;
    position = moveTo(position, page, records.length);
    if (changed.length < page.pulls.length) position = { ...position, isDone: true };
    if (position.yielded > request.limit)
      throw new ProviderError('cursor-expired', 'More reviews changed on GitHub than this sync may store.');
    yield* yieldFirst(records, before);
    yield { records, checkpoint: position };
  }
  return { cursor: cursorAt(position), truncated: false };
}

/** Counts reviews, of those that were updated since a time the first fifty. */
function countSince(reviews: Counts, since: number | undefined): number {
  if (since === undefined) return reviews?.totalCount ?? 0;
  return (reviews?.nodes ?? []).filter((node) => node && Date.parse(node.updatedAt) >= since).length;
}

/** Estimates the reviews by those of up to four hundred pull requests, and as many for each of the others. */
async function estimate(request: EstimateRequest, source: Source): Promise<Estimate> {
  const cursor = parseSaved(cursorSchema, request.cursor);
  const horizon = cursor ? cursor.readUntil - OVERLAP_MS : Number.NEGATIVE_INFINITY;
  const since = sinceTime(request);
  const field: Order = cursor ? 'UPDATED_AT' : 'CREATED_AT';
  let [after, pulls, reviews, all]: [string | null, number, number, number] = [null, 0, 0, 0];
  for (let pages = 0; pages < MAX_COUNTED_PAGES; pages++) {
    const { data } = await ask(source, REVIEW_COUNTS_QUERY, { after, field });
    const counts = parse(countsSchema, data.repository).pullRequests;
    const { totalCount, pageInfo: info } = counts;
    const nodes = (counts.nodes ?? []).filter((node) => node !== null);
    const changed = nodes.filter(({ updatedAt }) => Date.parse(updatedAt) >= horizon);
    all = totalCount;
    pulls += changed.length;
    reviews += changed.reduce((sum, pull) => sum + countSince(pull.reviews, since), 0);
    after = changed.length < nodes.length ? null : nextOf(info);
    if (after === null || (!cursor && reviews > request.limit)) break;
  }
  const isWhole = after === null;
  const expected = isWhole || pulls === 0 ? reviews : Math.round((reviews * all) / pulls);
  const records = Math.min(expected, request.limit);
  const read = isWhole ? pulls : all;
  const needed = expected > 0 ? Math.ceil((read * records) / expected) : read;
  const requests = Math.max(1, Math.ceil(needed / PAGE_SIZE));
  const total = isWhole && !cursor && request.since === undefined ? reviews : null;
  return { total, records, requests, units: requests, points: requests };
}

/** Returns how reviews are read: by GraphQL, since REST needs a request for each pull request. @param url of GraphQL */
export function reviewReader(url: string): EntityReader {
  const sourceOf = (
    { client, settings, reportsMoves }: Pick<ReadRequest, 'client' | 'settings'> & ScopeReading,
    signal: AbortSignal,
  ): Source => ({
    url,
    client,
    repository: repositoryOf(settings),
    reportsMoves: reportsMoves ?? false,
    signal,
  });
  return {
    async *read(request) {
      const source = sourceOf(request, request.signal);
      const cursor = parseSaved(cursorSchema, request.cursor);
      if (cursor) return yield* readChanges(request, source, cursor.readUntil);
      return yield* readAll(request, source);
    },
    estimate: (request) => estimate(request, sourceOf(request, NEVER)),
    async *listIds(request) {
      const source = sourceOf(request, NEVER);
      const all = { ...request, checkpoint: null, cursor: null, limit: Number.POSITIVE_INFINITY };
      const stored = async function* () {
        yield [];
      };
      for await (const { records } of readAll({ ...all, stored, signal: NEVER }, source))
        yield records.map(({ id }) => id);
    },
  };
}
