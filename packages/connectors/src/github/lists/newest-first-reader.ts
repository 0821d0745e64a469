import { z } from 'zod';
import {
  type Completion,
  type EstimateRequest,
  type Page,
  ProviderError,
  parseSaved,
  type ReadRequest,
  sinceTime,
  WantedRecords,
} from '../../sdk/index.ts';
import type { ListedRecord } from '../records/github-record.ts';
import { repositoryOf } from '../repository/repository-names.ts';
import { fetchCount } from './count.ts';
import type { EntityReader } from './entity-reader.ts';
import { NEWEST, type NewestFirst, newestFirstSchema, readNewestFirst } from './newest-first.ts';
import { PAGE_SIZE } from './pages.ts';
import type { RepositoryList } from './repository-list.ts';

const cursorSchema = z.object({
  /** Time up to which runs have read, ms since 1970. */
  readUntil: z.number(),
  /** Id of the record that was created last; '' without any. */
  newest: z.string(),
});
type Cursor = z.infer<typeof cursorSchema>;

/** How a list without an order by update is read again. */
export interface NewestFirstOptions {
  /**
   * Time (ms) after its creation for which a record may change. Runs of workflows are read again for so long; absent for a list
   * that is read in full by each run.
   */
  changesFor?: number;
  /** Longest time (ms) after its creation for which a record that is not finished is read again. */
  finishesWithin?: number;
  /** Columns that `isFinished` needs. */
  finishedColumns?: readonly string[];
  /** Returns whether a stored record is finished. */
  isFinished?(columns: Readonly<Record<string, unknown>>): boolean;
  /** Column with the time of creation, by which the list is ordered. */
  createdColumn?: string;
}

/** Pages that are read to estimate an incremental run. */
const MAX_ESTIMATE_PAGES = 3;
/** A signal that never aborts; the client's own signal ends the requests. */
const NEVER = new AbortController().signal;

function cursorAt({ startedAt, newest }: { startedAt: number; newest: string }): Cursor {
  return { readUntil: startedAt, newest };
}

function createdAt({ occurredAt }: ListedRecord): number {
  return occurredAt.getTime();
}

/** Returns the time down to which an incremental run reads, ms since 1970: that of the oldest record that may have changed. */
async function horizonOf(
  request: Pick<ReadRequest, 'stored'>,
  readUntil: number,
  options: NewestFirstOptions,
): Promise<number> {
  const { changesFor = 0, finishesWithin = 0, isFinished = () => true } = options;
  const { finishedColumns = [], createdColumn = '' } = options;
  let horizon = readUntil - changesFor;
  const oldest = readUntil - finishesWithin;
  for await (const records of request.stored([...finishedColumns, createdColumn])) {
    for (const { columns } of records) {
      const created = Date.parse(String(columns[createdColumn]));
      if (created >= oldest && created < horizon && !isFinished(columns)) horizon = created;
    }
  }
  return horizon;
}

async function* readChanges(
  request: ReadRequest,
  list: NewestFirst,
  { readUntil, options }: Cursor & { options: NewestFirstOptions },
): AsyncGenerator<Page, Completion> {
  const from = parseSaved(newestFirstSchema, request.checkpoint) ?? NEWEST;
  const horizon = await horizonOf(request, readUntil, options);
  const choice = new WantedRecords(request);
  const all = { ...request, limit: Number.POSITIVE_INFINITY };
  const isPastEnd = (record: ListedRecord) => createdAt(record) < horizon;
  const pages = readNewestFirst(all, { ...list, isPastEnd }, from);
  let next = await pages.next();
  for (; !next.done; next = await pages.next()) {
    const { records, checkpoint } = next.value;
    if (checkpoint.yielded > request.limit)
      throw new ProviderError(
        'cursor-expired',
        `More ${list.list.many} changed on GitHub than this sync may store.`,
      );
    const wanted = await choice.choose(records, ({ updatedAt }) => updatedAt);
    yield { records: wanted, checkpoint };
  }
  return { cursor: cursorAt(next.value), truncated: false };
}

/** Returns what a run with `since` wants; nothing for one without. */
function wantedSince(
  request: Pick<ReadRequest, 'since'>,
  { changesFor, finishesWithin = 0 }: NewestFirstOptions,
): Pick<NewestFirst, 'isWanted' | 'isPastEnd'> {
  const since = sinceTime(request);
  if (since === undefined) return {};
  // A record that was created before may have been updated since.
  const end = changesFor === undefined ? Number.NEGATIVE_INFINITY : since - finishesWithin;
  return {
    isWanted: ({ updatedAt }) => updatedAt >= since,
    isPastEnd: (record) => createdAt(record) < end,
  };
}

async function* readAll(
  request: ReadRequest,
  list: NewestFirst,
  options: NewestFirstOptions,
): AsyncGenerator<Page, Completion> {
  const from = parseSaved(newestFirstSchema, request.checkpoint) ?? NEWEST;
  const { changesFor } = options;
  const wanted = { ...list, ...wantedSince(request, options) };
  const end = yield* readNewestFirst(request, wanted, from);
  return { cursor: changesFor === undefined ? null : cursorAt(end), truncated: end.truncated };
}

/** Counts the records of the first pages that a run wants; null if there are more of them. */
async function countWanted(
  request: EstimateRequest,
  list: NewestFirst,
): Promise<{ records: number; requests: number } | null> {
  const limit = Number.POSITIVE_INFINITY;
  let [records, requests] = [0, 0];
  for await (const page of readNewestFirst({ ...request, signal: NEVER, limit }, list, NEWEST)) {
    records += page.records.length;
    requests++;
    if (page.checkpoint.nextPage > 0 && requests >= MAX_ESTIMATE_PAGES) return null;
  }
  return { records, requests };
}

/** Returns how an entity of a list is read that GitHub orders newest first only. */
export function newestFirstReader(
  place: Pick<RepositoryList, 'kind' | 'path' | 'many'> & { query?: RepositoryList['query'] },
  options: NewestFirstOptions = {},
): EntityReader {
  const list: RepositoryList = {
    query: {},
    hasOthers: false,
    followsCursors: true,
    orderColumns: [],
    orderOf: () => 0,
    ...place,
  };
  const placeOf = (settings: Readonly<Record<string, string>>): NewestFirst => ({
    list,
    repository: list.path.startsWith('/user/') ? { name: '', path: '' } : repositoryOf(settings),
  });
  return {
    async *read(request) {
      const place = placeOf(request.settings);
      const cursor = parseSaved(cursorSchema, request.cursor);
      if (cursor) return yield* readChanges(request, place, { ...cursor, options });
      return yield* readAll(request, place, options);
    },
    async estimate(request) {
      const place = placeOf(request.settings);
      const cursor = parseSaved(cursorSchema, request.cursor);
      const count = await fetchCount({ ...place, request, signal: NEVER });
      const all = count?.total ?? request.limit;
      const horizon = cursor && (await horizonOf(request, cursor.readUntil, options));
      const isPastEnd = (record: ListedRecord) => createdAt(record) < (horizon ?? 0);
      const isWhole = !cursor && request.since === undefined;
      const wanted = cursor ? { isPastEnd } : wantedSince(request, options);
      const counted = isWhole ? null : await countWanted(request, { ...place, ...wanted });
      const records = Math.min(counted?.records ?? all, request.limit);
      const requests = counted?.requests ?? Math.max(1, Math.ceil(records / PAGE_SIZE));
      const total = request.since === undefined ? (count?.total ?? null) : null;
      return { total, records, requests, units: requests };
    },
    async *listIds(request) {
      const place = { ...placeOf(request.settings), ...wantedSince(request, options) };
      const all = { ...request, signal: NEVER, limit: Number.POSITIVE_INFINITY };
      for await (const { records } of readNewestFirst(all, place, NEWEST)) yield records.map(({ id }) => id);
    },
  };
}
