import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RowBatch } from '../../../test-support/row-batch.ts';
import { TestEvaluations } from '../../../test-support/test-evaluations.ts';
import { AppError } from '../app-error.ts';

/** Longer than a test may take: an evaluation that only its time limit ends fails the test. */
const LONG_MS = 600_000;
const PAGE = { offset: 0, limit: 20 };
/** A size that no process loads. */
const LARGE = 2 ** 30;

let evaluations: TestEvaluations;
beforeAll(() => {
  evaluations = new TestEvaluations({ liveMs: LONG_MS });
});
afterAll(() => evaluations.close());

/** Rows of about 1 KB that count the chunks read. */
function setOf(count: number, key: string, more: { bytes?: number; filler?: number } = {}) {
  const filler = 'x'.repeat(more.filler ?? 900);
  const set = {
    key,
    family: key,
    rows: 1_000_000,
    bytes: more.bytes ?? 0,
    pieces: 0,
    async *read() {
      const batch = new RowBatch();
      for (let n = 0; n < count; n++) {
        const piece = batch.add(JSON.stringify({ n, state: n % 3 === 0 ? 'open' : 'closed', filler }));
        if (piece === undefined) continue;
        set.pieces++;
        yield piece;
      }
      yield batch.take();
    },
  };
  return set;
}

/** Puts blanks before lines, as the database does, and ends chunks anywhere. */
async function* indented(chunks: AsyncIterable<Buffer>) {
  for await (const chunk of chunks) {
    const text = `      ${chunk.toString().trimEnd().replaceAll('\n', '\n      ')}\n`;
    for (let at = 0; at < text.length; at += 100_003) yield Buffer.from(text.slice(at, at + 100_003));
  }
}

function filtered(set: ReturnType<typeof setOf>, expression: string, bindings = {}) {
  return { ...set, filter: { expression, bindings }, read: () => set.read() };
}

async function page(rows: object, chain: string[], bindings = {}) {
  const { text, ...rest } = await evaluations.page(
    // A live one would end after ten seconds of reading.
    { userId: 'ada', rows: rows as never, chain, bindings, urgency: 'saved', deadlineMs: LONG_MS },
    PAGE,
  );
  return { ...rest, results: JSON.parse(text) as { n: number }[] };
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'a value',
    (error: unknown) => (error instanceof AppError ? [error.code, error.message] : error),
  );

describe('a set of rows that is too large to load', () => {
  it('is refused before it is read, with the number of rows and a filter', async () => {
    const set = setOf(1000, 'refused', { bytes: LARGE });
    expect(await failureOf(page(set, ['$sort(n)']))).toEqual([
      'query-too-complex',
      expect.stringMatching(/1,000,000 of them.* about 12\d,\d{3}\..*created_at >/),
    ]);
    expect(set.pieces).toBe(0);
  });

  it.each(['', '$', ' $$ '])(
    'is its own result for the expression "%s", without being loaded',
    async (same) => {
      const set = setOf(180_000, `copied ${same}`, { bytes: 180 * 1024 ** 2 });
      const spaced = { ...set, read: () => indented(set.read()) };
      const evaluation = { userId: 'ada', rows: spaced, chain: [same], urgency: 'live' as const };
      expect(await page(spaced, [same])).toMatchObject({ count: 180_000, isArray: true, rows: 180_000 });
      const { pieces } = set;
      const last = await evaluations.page(evaluation, { offset: 179_980, limit: 20 });
      expect((JSON.parse(last.text) as { n: number }[]).map(({ n }) => n)).toEqual(
        Array.from({ length: 20 }, (_, place) => 179_980 + place),
      );
      const whole = await evaluations.whole(evaluation);
      const text = (await whole.read().toArray()).join('');
      whole.release();
      expect(text.split('\n')).toHaveLength(180_001);
      expect(text).not.toMatch(/^ /m);
      expect(set.pieces).toBe(pieces);
    },
  );

  it.each([
    ['known to be longer than a download', { bytes: 257 * 1024 ** 2 }, 0],
    ['found to be longer than a download', { bytes: 200 * 1024 ** 2, filler: 9000 }, 100],
  ])('is refused as its own result when it is %s', async (_, more, least) => {
    const set = setOf(40_000, `longer ${least}`, more);
    expect(await failureOf(page(set, ['$']))).toEqual(['query-too-complex', expect.any(String)]);
    expect(set.pieces).toBeGreaterThanOrEqual(least);
  });

  it('is filtered while it is read, if the expression filters it', async () => {
    const expression = '$[state = "open" and n >= $least]';
    const set = filtered(setOf(200_000, 'filtered', { bytes: LARGE }), expression, { least: 199_000 });
    const found = await page(set, [expression], { least: 199_000 });
    expect(found).toMatchObject({ count: 333, isArray: true });
    expect(found.results.slice(0, 2).map(({ n }) => n)).toEqual([199_002, 199_005]);
    expect(found.rows).toBe(333);
  });

  it(
    'is refused when what its filter selects is too large, and its process stays',
    async () => {
      const set = filtered(setOf(220_000, 'too many', { bytes: LARGE }), '$[n >= 0]');
      const { pids } = evaluations;
      expect(await failureOf(page(set, ['$[n >= 0]']))).toEqual([
        'query-too-complex',
        expect.stringContaining('because the rows that it selects are more than 128 MB'),
      ]);
      expect(await page(setOf(10, 'small'), ['$count($)'])).toMatchObject({ results: [10] });
      for (const pid of pids) expect(evaluations.pids).toContain(pid);
    },
    LONG_MS,
  );
});

describe('rows', () => {
  it('are not read faster than their process receives them', async () => {
    const set = setOf(60_000, 'waiting');
    let whenStopped = 0;
    const read = async function* () {
      for await (const piece of set.read()) {
        if (set.pieces === 2) for (const pid of evaluations.pids) process.kill(pid, 'SIGSTOP');
        if (set.pieces === 2)
          setTimeout(() => {
            whenStopped = set.pieces;
            for (const pid of evaluations.pids) process.kill(pid, 'SIGCONT');
          }, 500);
        yield piece;
      }
    };
    expect(await page({ ...set, read }, ['$count($)'])).toMatchObject({ results: [60_000] });
    expect(set.pieces).toBeGreaterThan(10);
    expect(whenStopped).toBeLessThan(7);
  });

  it('are read for page 2 only if the first pages are not enough', async () => {
    const set = setOf(5000, 'pages');
    const read = vi.fn(() => set.read());
    const at = async (offset: number, chain: string[]) => {
      const evaluation = { userId: 'ada', rows: { ...set, read }, chain, urgency: 'live' as const };
      const found = await evaluations.page(evaluation, { offset, limit: 20 });
      return (JSON.parse(found.text) as { n: number }[]).map(({ n }) => n);
    };
    expect(await at(0, ['$'])).toHaveLength(20);
    const { pids } = evaluations;
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(evaluations.pids.some((pid) => pids.includes(pid))).toBe(false), LONG_MS);
    expect((await at(1000, ['$']))[0]).toBe(1000);
    expect(read).toHaveBeenCalledTimes(1);
    expect((await at(4980, ['$']))[19]).toBe(4999);
    expect(read).toHaveBeenCalledTimes(2);
    expect((await at(4000, ['$']))[0]).toBe(4000);
    expect(read).toHaveBeenCalledTimes(2);
  });
});
