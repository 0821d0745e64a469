import { z } from 'zod';
import {
  type Completion,
  type ConnectorRecord,
  type Estimate,
  type Json,
  type Page,
  ProviderError,
  parseSaved,
  type ReadRequest,
} from '../../sdk/index.ts';
import type { EntityReader, MergedList } from './entity-reader.ts';

type Both<T> = [T, T];

const sideSchema = z.object({
  /** Checkpoint of the list before its current page; null before the first one. */
  at: z.json(),
  /** Records of that page from this time on (ms since 1970) were yielded; null if none were. */
  before: z.number().nullable(),
  /** Number of these records. */
  yielded: z.number().int(),
});
type Side = z.infer<typeof sideSchema>;
const FIRST: Side = { at: null, before: null, yielded: 0 };

const togetherSchema = z.object({
  sides: z.tuple([sideSchema, sideSchema]),
  /** Cursors of a run that ended at its limit; null before. */
  ended: z.tuple([z.json(), z.json()]).nullable(),
});
const changesSchema = z.object({
  /** The list that is read, 0 or 1, and its checkpoint. */
  index: z.number().int(),
  at: z.json(),
  /** The next cursor of the first list, once it was read. */
  first: z.json(),
  /** Number of records that were yielded. */
  yielded: z.number().int(),
});
const cursorSchema = z.object({ cursors: z.tuple([z.json(), z.json()]) });

function timeOf({ occurredAt }: ConnectorRecord): number {
  return occurredAt.getTime();
}

/** One of the lists while both are read together. */
class OpenList {
  readonly #pages: AsyncGenerator<Page, Completion>;
  /** Records of the current page that were not yielded, newest first. */
  #records: ConnectorRecord[] = [];
  #side: Side;
  #next: Json;
  #completion: Completion | undefined;
  total: number | undefined;

  readonly #cursorAfter: MergedList['cursorAfter'];

  constructor({ reader, cursorAfter }: MergedList, request: ReadRequest, side: Side) {
    this.#cursorAfter = cursorAfter;
    // The records of a page that is read again count for the limit of its list.
    const limit = request.limit === 0 ? 0 : request.limit + side.yielded;
    this.#pages = reader.read({ ...request, checkpoint: side.at, limit });
    this.#side = side;
    this.#next = side.at;
  }

  /** Reads pages until there are records, or none are left. */
  async fill(): Promise<void> {
    while (this.#records.length === 0 && !this.#completion) {
      const next = await this.#pages.next();
      if (next.done) {
        this.#completion = next.value;
        return;
      }
      const { records, checkpoint, total } = next.value;
      this.total = total ?? this.total;
      const { before } = this.#side;
      this.#records = records.filter((record) => before === null || timeOf(record) < before);
      this.#side = { ...this.#side, at: this.#next };
      this.#next = checkpoint;
      if (this.#records.length === 0) this.#side = { ...FIRST, at: checkpoint };
    }
  }

  /** Time of the oldest record of the current page; `-Infinity` at the end. */
  get oldest(): number {
    const last = this.#records.at(-1);
    return last ? timeOf(last) : Number.NEGATIVE_INFINITY;
  }

  /** Removes and returns the records from a time on. */
  takeFrom(time: number): ConnectorRecord[] {
    const taken = this.#records.filter((record) => timeOf(record) >= time);
    this.#records = this.#records.filter((record) => timeOf(record) < time);
    const yielded = this.#side.yielded + taken.length;
    if (this.#records.length === 0) this.#side = { ...FIRST, at: this.#next };
    else if (taken.length > 0) this.#side = { ...this.#side, before: time, yielded };
    return taken;
  }

  /** Where a later run resumes: at a page of which some records were yielded, or after one that was read. */
  get side(): Side {
    return this.#side;
  }

  /** The completion; for a list that was not read to its end, as its last page has it. */
  get completion(): Completion {
    return this.#completion ?? { cursor: this.#cursorAfter(this.#next), truncated: true };
  }

  async close(): Promise<void> {
    await this.#pages.return({ cursor: null, truncated: true });
  }
}

function sumOf(values: readonly (number | null | undefined)[]): number | undefined {
  return values.reduce<number | undefined>(
    (sum, value) => (sum === undefined || value === null || value === undefined ? undefined : sum + value),
    0,
  );
}

function completionAt(cursors: Both<Json>, truncated: boolean): Completion {
  return { cursor: cursors.includes(null) ? null : { cursors }, truncated };
}

/** Reads two lists that are ordered newest first as one, page by page of the one that is behind. */
async function* readTogether(
  request: ReadRequest,
  merged: Both<MergedList>,
): AsyncGenerator<Page, Completion> {
  const saved = parseSaved(togetherSchema, request.checkpoint);
  if (saved?.ended) return completionAt(saved.ended, true);
  const sides = saved?.sides ?? [FIRST, FIRST];
  const [one, other] = [
    new OpenList(merged[0], request, sides[0]),
    new OpenList(merged[1], request, sides[1]),
  ];
  const lists = [one, other];
  let remaining = request.limit;
  let isCut = false;
  try {
    for (;;) {
      await Promise.all(lists.map((list) => list.fill()));
      const time = Math.max(one.oldest, other.oldest);
      if (time === Number.NEGATIVE_INFINITY || isCut) break;
      const newest = lists
        .flatMap((list) => list.takeFrom(time))
        .sort((newer, older) => timeOf(older) - timeOf(newer));
      const records = newest.slice(0, remaining);
      isCut = records.length < newest.length;
      remaining -= records.length;
      const total = sumOf(lists.map((list) => list.total));
      const ended = isCut ? lists.map(({ completion }) => completion.cursor) : null;
      const checkpoint = { sides: [one.side, other.side], ended };
      yield { records, checkpoint, ...(total === undefined ? {} : { total }) };
      if (isCut) break;
    }
  } finally {
    await Promise.all(lists.map((list) => list.close()));
  }
  const completions = lists.map((list) => list.completion);
  const truncated = isCut || completions.some((completion) => completion.truncated);
  const isPartial = completions.some((completion) => completion.isListPartial);
  return {
    ...completionAt([one.completion.cursor, other.completion.cursor], truncated),
    ...(isPartial && { isListPartial: true }),
  };
}

/** Reads the changes of one list after those of the other. */
async function* readChangesOfBoth(
  request: ReadRequest,
  readers: Both<EntityReader>,
  cursors: Both<Json>,
): AsyncGenerator<Page, Completion> {
  const saved = parseSaved(changesSchema, request.checkpoint);
  let [first, yielded] = [saved?.first ?? null, saved?.yielded ?? 0];
  const start = saved?.index === 1 ? 1 : 0;
  for (const index of start === 0 ? ([0, 1] as const) : ([1] as const)) {
    const checkpoint = index === start ? (saved?.at ?? null) : null;
    const pages = readers[index].read({ ...request, cursor: cursors[index], checkpoint });
    let next = await pages.next();
    for (; !next.done; next = await pages.next()) {
      const { records, removed, checkpoint: at } = next.value;
      yielded += records.length;
      if (yielded > request.limit)
        throw new ProviderError(
          'cursor-expired',
          'More comments changed on GitHub than this sync may store.',
        );
      yield { records, ...(removed && { removed }), checkpoint: { index, at, first, yielded } };
    }
    const { cursor } = next.value;
    if (index === 1) return { cursor: { cursors: [first, cursor] }, truncated: false };
    first = cursor;
  }
  throw new Error('the second list was not read');
}

function addEstimates([one, other]: Both<Estimate>, limit: number): Estimate {
  return {
    total: sumOf([one.total, other.total]) ?? null,
    records: Math.min(one.records + other.records, limit),
    requests: one.requests + other.requests,
    units: one.units + other.units,
  };
}

/** Returns how an entity of two lists is read as one, newest first. */
export function readerOfBoth(...merged: Both<MergedList>): EntityReader {
  const readers: Both<EntityReader> = [merged[0].reader, merged[1].reader];
  return {
    async *read(request) {
      const saved = parseSaved(cursorSchema, request.cursor);
      if (saved) return yield* readChangesOfBoth(request, readers, saved.cursors);
      return yield* readTogether(request, merged);
    },
    async estimate(request) {
      const cursors = parseSaved(cursorSchema, request.cursor)?.cursors ?? [null, null];
      const [one, other] = await Promise.all([
        readers[0].estimate({ ...request, cursor: cursors[0] }),
        readers[1].estimate({ ...request, cursor: cursors[1] }),
      ]);
      return addEstimates([one, other], request.limit);
    },
    async *listIds(request) {
      yield* readers[0].listIds(request);
      yield* readers[1].listIds(request);
    },
  };
}
