import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RowBatch } from '../../../test-support/row-batch.ts';
import { AppError } from '../app-error.ts';
import { EvaluationPool } from './pool.ts';
import { ResultList } from './result-list.ts';
import { RowParser } from './rows.ts';

/** Longer than a test may take: an evaluation that only its time limit ends fails the test. */
const LONG_MS = 600_000;
const PAGE = { offset: 0, limit: 20 };
/** A size that is always streamed. */
const LARGE = { bytes: 2 ** 30 };

interface Row {
  n: number;
  state: string;
  user: { login: string };
}

const rowOf = (n: number): Row => ({
  n,
  state: n % 3 === 0 ? 'open' : 'closed',
  user: { login: `u${n % 7}` },
});

let pool: EvaluationPool;
beforeAll(() => {
  pool = new EvaluationPool({ liveMs: LONG_MS });
});
afterAll(() => pool.close());

/** Creates a set with a large declared size that counts the chunks read. */
function largeSet(count: number, key = `large ${count}`) {
  const set = {
    key,
    family: key.split('@')[0] ?? key,
    rows: 1_000_000,
    ...LARGE,
    pieces: 0,
    async *read() {
      const batch = new RowBatch();
      for (let n = 0; n < count; n++) {
        const piece = batch.add(JSON.stringify(rowOf(n)));
        if (piece === undefined) continue;
        set.pieces++;
        yield piece;
      }
      yield batch.take();
    },
  };
  return set;
}

async function page(set: ReturnType<typeof largeSet>, chain: string[], offset = 0, limits = {}) {
  const { text, ...rest } = await pool.page(
    { userId: 'ada', rows: set, chain, urgency: 'live', ...limits },
    { ...PAGE, offset },
  );
  return { ...rest, results: JSON.parse(text) as unknown[] };
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'a value',
    (error: unknown) => (error instanceof AppError ? [error.code, error.message] : error),
  );

describe('a set of rows too large to keep', () => {
  // @covers 17.rows-too-many
  it('is streamed once for all pages', async () => {
    const set = largeSet(20_000);
    const chain = ['$[state = "open"].{"n": n, "who": user.login}'];
    const first = await page(set, chain);
    expect(first).toMatchObject({ count: 6667, isArray: true, rows: 20_000 });
    expect(first.results[1]).toEqual({ n: 3, who: 'u3' });
    const { pieces } = set;
    const last = await page(set, chain, 6660);
    expect(last.results).toHaveLength(7);
    expect(last.results[6]).toEqual({ n: 19_998, who: 'u6' });
    expect(set.pieces).toBe(pieces);
  });

  it('is not read further when the caller disconnects', async () => {
    const leaving = new AbortController();
    const endless = largeSet(Number.POSITIVE_INFINITY, 'endless');
    const left = pool.page(
      { userId: 'ben', rows: endless, chain: ['$sum(n)'], urgency: 'live', signal: leaving.signal },
      PAGE,
    );
    await vi.waitFor(() => expect(endless.pieces).toBeGreaterThan(1), LONG_MS);
    const next = pool.page(
      { userId: 'ben', rows: largeSet(1000, 'next'), chain: ['$sum(n)'], urgency: 'live' },
      PAGE,
    );

    leaving.abort();

    await expect(left).rejects.toBeInstanceOf(AppError);
    expect(await next).toMatchObject({ text: '[499500]' });
  });

  it('returns arrays, single values and nothing', async () => {
    expect(await page(largeSet(1000), ['$sum(n)'])).toMatchObject({
      count: 1,
      isArray: false,
      results: [499_500],
    });
    expect(await page(largeSet(1000), ['$[n = 7]'])).toMatchObject({ count: 1, results: [rowOf(7)] });
    expect(await page(largeSet(1000), ['$[n < 0]'])).toMatchObject({ count: 0, results: [] });
    expect(await page(largeSet(1000), [''])).toMatchObject({ count: 1000, isArray: true });
  });

  it.each([
    ['two that are streamed', ['$[state = "open"].n', '$sum($[$ > 30])']],
    ['one that needs all results of another', ['$[state = "open"]', '$reverse(n)']],
    ['one over a single row', ['$[n = 7]', 'user.login']],
    ['one over nothing', ['$[n < 0]', '$count($)']],
    ['one over a value', ['$count($)', '$ + 1']],
  ])('has the same result as a kept set for a chain of %s', async (_kind, chain) => {
    const small = { ...largeSet(200, 'small'), bytes: 100 };
    const { elapsedMs: _, ...expected } = await page(small, chain);
    expect(await page(largeSet(200), chain)).toMatchObject(expected);
  });

  // @covers 17.expression-needs-all
  it('is not read for an expression that needs all rows', async () => {
    const set = largeSet(1000);
    expect(await failureOf(page(set, ['$sort(n)']))).toEqual([
      'query-too-complex',
      expect.stringMatching(/1,000,000 rows.* may have about 12\d,\d{3}\..*created_at >/),
    ]);
    expect(await failureOf(page(set, ['$sum(']))).toEqual(['expression-invalid', expect.any(String)]);
    expect(set.pieces).toBe(0);
  });

  it('reports an error of the expression and keeps its process', async () => {
    expect(await failureOf(page(largeSet(1000), ['$sum(state)']))).toEqual([
      'expression-failed',
      expect.stringContaining('sum'),
    ]);
    expect(await page(largeSet(1000), ['$count($)'])).toMatchObject({ results: [1000] });
  });

  // @covers 17.rows-too-many
  it(
    'is read up to the limit of the result only',
    async () => {
      const set = largeSet(100_000);
      const filler = '$.{"text": $pad("", 20000, "x")}';
      // A live read ends after ten seconds, which a busy machine takes to write 192 MB.
      const patient = { urgency: 'saved', deadlineMs: LONG_MS };
      expect(await failureOf(page(set, [filler], 0, patient))).toEqual([
        'query-too-complex',
        expect.stringContaining('192 MB'),
      ]);
      expect(set.pieces).toBeLessThan(14);
      expect(await page(set, ['$count($)'])).toMatchObject({ results: [100_000] });
    },
    LONG_MS,
  );

  it('is replaced with its results by a newer version', async () => {
    expect(await page(largeSet(10, 'large@1'), ['$count($)'])).toMatchObject({ results: [10] });
    expect(await page(largeSet(20, 'large@2'), ['$count($)'])).toMatchObject({ results: [20] });
    expect(await page(largeSet(30, 'large@1'), ['$count($)'])).toMatchObject({ results: [30] });
  });

  it.each(['json', 'ndjson', 'csv'] as const)('has the same download as %s as a kept set', async (format) => {
    const textOf = async (set: ReturnType<typeof largeSet>) => {
      const evaluation = {
        userId: 'ada',
        rows: set,
        chain: ['$[state = "open"]'],
        urgency: 'saved' as const,
      };
      let text = '';
      for await (const chunk of await pool.stream(evaluation, format)) text += chunk.toString();
      return text;
    };
    expect(await textOf(largeSet(3000))).toBe(await textOf({ ...largeSet(3000, 'small 3000'), bytes: 100 }));
  });

  // @covers 17.rows-too-many
  it('is not read faster than its process evaluates', async () => {
    const set = largeSet(60_000, 'waiting');
    let whenStopped = 0;
    const read = async function* () {
      for await (const piece of set.read()) {
        if (set.pieces === 2) for (const pid of pool.pids) process.kill(pid, 'SIGSTOP');
        if (set.pieces === 2)
          setTimeout(() => {
            whenStopped = set.pieces;
            for (const pid of pool.pids) process.kill(pid, 'SIGCONT');
          }, 500);
        yield piece;
      }
    };

    expect(await page({ ...set, read }, ['$count($)'])).toMatchObject({ results: [60_000] });
    expect(set.pieces).toBeGreaterThan(10);
    expect(whenStopped).toBeLessThan(7);
  });
});

describe('RowParser', () => {
  it('finds rows across chunk boundaries', () => {
    const values = [{ a: 'é😀\n' }, [1, 2], 'x', null, 5];
    const batch = new RowBatch();
    for (const value of values) batch.add(JSON.stringify(value, null, 1));
    const piece = batch.take();
    for (const size of [1, 2, 7, piece.length]) {
      const rows: unknown[] = [];
      const parser = new RowParser((some) => void rows.push(...some));
      for (let at = 0; at < piece.length; at += size) parser.add(piece.subarray(at, at + size));
      expect(rows).toEqual(values);
    }
  });

  it('parses large chunks in parts', () => {
    const batch = new RowBatch();
    for (let n = 0; n < 3000; n++) batch.add(JSON.stringify({ n, text: 'x'.repeat(n % 100) }));
    const sizes: number[] = [];
    new RowParser((some) => void sizes.push(some.length)).add(batch.take());
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.reduce((total, size) => total + size)).toBe(3000);
  });
});

describe('ResultList', () => {
  it('returns any slice and all items', () => {
    const items = Array.from({ length: 5000 }, (_, n) => ({ n, text: 'x\n'.repeat(30) }));
    const list = new ResultList(2 ** 30);
    for (let at = 0; at < items.length; at += 700) list.append(items.slice(at, at + 700));
    list.close();

    expect(list.length).toBe(5000);
    expect([...list]).toEqual(items);
    for (const [offset, limit] of [
      [0, 3],
      [1020, 40],
      [4990, 20],
      [5000, 20],
      [700, 5000],
    ] as const)
      expect(list.slice(offset, limit).map((text) => JSON.parse(text))).toEqual(
        items.slice(offset, offset + limit),
      );
  });
});
