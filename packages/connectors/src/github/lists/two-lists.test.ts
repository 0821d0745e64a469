import { describe, expect, it } from 'vitest';
import { nothingStored } from '../../../test-support/nothing-stored.ts';
import type { ConnectorRecord, Page, ReadRequest } from '../../sdk/index.ts';
import type { EntityReader } from './entity-reader.ts';
import { readerOfBoth } from './two-lists.ts';

/** Returns a generator of numbers below 1 that are the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const recordAt = (id: string, time: number): ConnectorRecord => ({
  id,
  occurredAt: new Date(time),
  data: {},
  columns: {},
});

/** A list whose pages have different sizes, newest first. Its checkpoints are numbers of records. */
function listOf(name: string, random: () => number): { reader: EntityReader; records: ConnectorRecord[] } {
  const times = Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 30) * 1000);
  const records = times.sort((a, b) => b - a).map((time, index) => recordAt(`${name}${index}`, time));
  const sizes = records.map(() => 1 + Math.floor(random() * 6));
  async function* read({ checkpoint, limit }: ReadRequest): AsyncGenerator<Page, never> {
    const start = Number(checkpoint ?? 0);
    for (let at = start; at < records.length && at - start < limit; ) {
      const end = Math.min(at + (sizes[at] ?? 1), start + limit);
      yield { records: records.slice(at, end), checkpoint: end, total: records.length };
      at = end;
    }
    return { cursor: null, truncated: records.length - start > limit } as never;
  }
  const unused = () => {
    throw new Error('not part of this test');
  };
  return { reader: { read, estimate: unused, listIds: unused }, records };
}

async function run(reader: EntityReader, more: Partial<ReadRequest>) {
  const request = {
    ...{ client: {} as never, settings: {}, checkpoint: null, cursor: null, limit: 1000 },
    ...{ signal: new AbortController().signal, stored: nothingStored },
    ...more,
  };
  const pages: Page[] = [];
  const source = reader.read(request);
  let next = await source.next();
  for (; !next.done; next = await source.next()) pages.push(next.value);
  return { pages, truncated: next.value.truncated };
}

const idsOf = (pages: readonly Page[]) => pages.flatMap(({ records }) => records.map(({ id }) => id));

describe('two lists as one', () => {
  it('yields the newest of both at any limit, and continues from each checkpoint', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomOf(seed);
      const [one, other] = [listOf('a', random), listOf('b', random)];
      const cursorAfter = () => null;
      const reader = readerOfBoth({ reader: one.reader, cursorAfter }, { reader: other.reader, cursorAfter });
      const all = [...one.records, ...other.records].sort(
        (a, b) => b.occurredAt.getTime() - a.occurredAt.getTime(),
      );
      const limit = Math.floor(random() * (all.length + 2));
      const { pages, truncated } = await run(reader, { limit });
      const times = pages.flatMap(({ records }) => records.map(({ occurredAt }) => occurredAt.getTime()));
      const wanted = all.slice(0, limit);
      expect(times, `seed ${seed}`).toEqual(wanted.map(({ occurredAt }) => occurredAt.getTime()));
      expect(new Set(idsOf(pages)).size, `seed ${seed}`).toBe(wanted.length);
      expect(truncated, `seed ${seed}`).toBe(limit < all.length);
      for (const [index, { checkpoint }] of pages.entries()) {
        const before = idsOf(pages.slice(0, index + 1));
        const rest = await run(reader, { checkpoint, limit: limit - before.length });
        const ids = [...before, ...idsOf(rest.pages)];
        expect(ids, `seed ${seed}, after page ${index + 1}`).toEqual(idsOf(pages));
      }
    }
  });
});
