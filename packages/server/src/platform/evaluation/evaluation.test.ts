import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { RowBatch } from '../../../test-support/row-batch.ts';
import { TestEvaluations } from '../../../test-support/test-evaluations.ts';
import { AppError } from '../app-error.ts';
import { bundledCode } from './child-code.ts';
import type { Evaluation } from './evaluations.ts';

let pool: TestEvaluations;
/** Longer than a process takes to start, even on a busy machine, ms. */
const LONG_MS = 30_000;
const ENDLESS = '($f := function(){ $f() }; $f())';
const PAGE = { offset: 0, limit: 20 };

beforeAll(() => {
  pool = new TestEvaluations({ liveMs: LONG_MS });
});
afterAll(() => pool.close());

function rows(key: string, values: unknown[]) {
  return {
    key,
    family: key,
    async *read() {
      const batch = new RowBatch();
      for (const value of values) {
        const piece = batch.add(JSON.stringify(value));
        if (piece !== undefined) yield piece;
      }
      yield batch.take();
    },
  };
}

async function evaluate(chain: string[], values: unknown[] = [1, 2, 3], deadlineMs?: number) {
  const set = rows(JSON.stringify(values).slice(0, 200), values);
  const limit = deadlineMs === undefined ? {} : { deadlineMs };
  const evaluation: Evaluation = { userId: 'ada', rows: set, chain, urgency: 'live', ...limit };
  const { text, ...rest } = await pool.page(evaluation, PAGE);
  return { ...rest, results: JSON.parse(text) as unknown[] };
}

describe('a failed evaluation', () => {
  const codeOf = async (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => (error instanceof AppError ? error.code : 'other'),
    );

  it('reports the position of a syntax error', async () => {
    const error = await evaluate(['$sum(']).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'expression-invalid', detail: { position: expect.any(Number) } });
  });

  it('reports an error of the expression', async () => {
    expect(await codeOf(evaluate(['$number("x")']))).toBe('expression-failed');
  });

  it.each([
    '($f := function($x){$f($x) + 1}; $f(1))',
    '[1..1e4].([1..1e4])',
    '$pad("x", 5e8)',
    '($f := function(){$f()}; $f())',
  ])('reports a hostile expression in time: %s', async (expression) => {
    // Wait for a ready process.
    await evaluate(['1'], [1]);
    const begun = performance.now();
    expect(await codeOf(evaluate([expression], [1], 1000))).toMatch(
      /^(query-too-complex|expression-failed)$/,
    );
    expect(performance.now() - begun).toBeLessThan(1000 + LONG_MS / 2);
  });
});

/** A join of a list with itself, whose condition has no equality. */
const SLOW_JOIN = '($all := $$; $count($all@$x.$all@$y[$y - $x > 2400]))';

describe('a join without an equality', () => {
  it('is refused when its pairs do not fit half the deadline, with the faster form', async () => {
    const values = Array.from({ length: 2500 }, (_, n) => n);
    const error = await evaluate([SLOW_JOIN], values, 3000).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'query-too-complex',
      message: expect.stringMatching(
        /^This join would compare 6250000 pairs .*\[\$y\.id = \$x\.ref\].*\$lookup.*\.$/,
      ),
    });
    expect(await evaluate([SLOW_JOIN], values, LONG_MS)).toMatchObject({ results: [4950] });
  });
});

/** Pools of tests with endless work, closed after each test. */
const pools: TestEvaluations[] = [];
afterEach(() => {
  for (const own of pools.splice(0)) own.close();
});

/** A separate pool for one test that records started and ended work. */
function ownPool(idleMs?: number, waitMs?: number) {
  const own = new TestEvaluations({ idleMs, waitMs });
  pools.push(own);
  const begun: string[] = [];
  const ended: string[] = [];
  const rowsOf = (userId: string) => {
    const set = rows(crypto.randomUUID(), [1]);
    // Rows are read once the work has a process.
    const read = () => {
      begun.push(userId);
      return set.read();
    };
    return { ...set, read };
  };
  const run = async (userId: string, chain: string[], more: Partial<Evaluation> = {}) => {
    const evaluation = {
      userId,
      rows: rowsOf(userId),
      chain,
      urgency: 'live',
      deadlineMs: LONG_MS,
    } as const;
    try {
      return (await own.page({ ...evaluation, ...more }, PAGE)).text;
    } finally {
      ended.push(userId);
    }
  };
  /** Starts work that runs until its deadline or the end of the test. */
  const occupy = (userId: string, more: Partial<Evaluation> = {}) =>
    run(userId, [ENDLESS], { deadlineMs: 4 * LONG_MS, ...more }).catch((error: unknown) => error);
  return { own, begun, ended, run, occupy };
}

describe('evaluations', () => {
  it('pages arrays and returns other values as one result, nothing as none', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ n: index }));
    expect(await evaluate(['$.n'], many)).toMatchObject({
      count: 50,
      isArray: true,
      rows: 50,
      results: many.slice(0, 20).map(({ n }) => n),
    });
    expect(await evaluate(['$sum(n)'], many)).toMatchObject({ count: 1, isArray: false, results: [1225] });
    expect(await evaluate(['nothing'], many)).toMatchObject({ count: 0, results: [] });
  });

  it('runs each expression of a chain over the previous result', async () => {
    expect(await evaluate(['$[$ > 1]', '$sum($)'])).toMatchObject({ results: [5] });
  });

  it.each([
    '$contains($pad("", 20000, "a") & "!", /^(a+)+$/)',
    '$contains($pad("", 20000, "a") & "!", /^(a|aa)+$/)',
    '$contains($pad("", 20000, "x"), /(x+x+)+y/)',
    '$contains($pad("", 2000, "a") & "!", /(.*a){12}$/)',
  ])('evaluates patterns that would backtrack endlessly: %s', async (expression) => {
    expect(await evaluate([expression], [1], LONG_MS)).toMatchObject({ results: [false] });
  });

  it('serves other users while a query runs to its deadline', async () => {
    const { begun, ended, run, occupy } = ownPool();
    void occupy('mallory');
    void occupy('mallory');
    await vi.waitFor(() => expect(begun).toEqual(['mallory']), LONG_MS);
    expect(await run('ada', ['$sum($)'])).toBe('[1]');
    expect(ended).toEqual(['ada']);
  });

  it('ends each query of a user at its deadline', async () => {
    const { run, occupy } = ownPool();
    await run('mallory', ['1']);
    for (const ended of await Promise.all([1, 2].map(() => occupy('mallory', { deadlineMs: 1500 }))))
      expect(ended).toBeInstanceOf(AppError);
  });

  it('binds no variable $env', async () => {
    const error = await evaluate(['$eval("$env")']).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ count: 0 });
  });

  it('reads rows once per version and keeps the newest version only', async () => {
    let reads = 0;
    const versioned = (version: number, value: number) => ({
      ...rows(`versioned@${version}`, [value]),
      family: 'versioned',
      async *read() {
        reads++;
        yield* rows('', [value]).read();
      },
    });
    const read = async (version: number, expression: string) => {
      const evaluation = {
        userId: 'ada',
        rows: versioned(version, version),
        chain: [expression],
        urgency: 'live' as const,
      };
      return (await pool.page(evaluation, PAGE)).text;
    };

    expect(await read(1, '$')).toBe('[1]');
    expect(await read(1, '$sum($)')).toBe('[1]');
    expect(reads).toBe(1);
    expect(await read(2, '$')).toBe('[2]');
    expect(await read(1, '$count($)')).toBe('[1]');
    expect(reads).toBe(3);
  });

  it('keeps results after their process is killed', async () => {
    let reads = 0;
    const set = {
      ...rows('killed', [1, 2]),
      async *read() {
        reads++;
        yield* rows('killed', [1, 2]).read();
      },
    };
    const read = async () =>
      (await pool.page({ userId: 'ada', rows: set, chain: ['$sum($)'], urgency: 'live' }, PAGE)).text;
    expect(await read()).toBe('[3]');

    const { pids } = pool;
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(pool.pids.some((pid) => pids.includes(pid))).toBe(false), LONG_MS);
    expect(await read()).toBe('[3]');

    expect(reads).toBe(1);
  });

  it('replaces a process that ended', async () => {
    expect(await evaluate(['$count([1..2e6].[1..9])'], [1], 50).catch(() => 'ended')).toBe('ended');
    expect(await evaluate(['$sum($)'], [1, 2])).toMatchObject({ results: [3] });
  });
});

describe('the queue of evaluations', () => {
  it('runs live queries before saved ones of any user', async () => {
    const { begun, ended, run, occupy } = ownPool();
    for (const user of ['ada', 'ben', 'cleo', 'dan']) void occupy(user, { urgency: 'saved' });
    await vi.waitFor(() => expect(begun.length).toBeGreaterThan(1), LONG_MS);
    expect(await run('ada', ['$sum($)'])).toBe('[1]');
    expect(await run('new', ['$sum($)'])).toBe('[1]');
    expect(ended).toEqual(['ada', 'new']);
  });

  it('does not let many queries of one user delay others', async () => {
    const { begun, ended, run, occupy } = ownPool();
    for (let count = 0; count < 8; count++) void occupy('mallory');
    await vi.waitFor(() => expect(begun).toEqual(['mallory']), LONG_MS);
    expect(await run('ada', ['$sum($)'])).toBe('[1]');
    expect(ended).toEqual(['ada']);
  });

  it('refuses queries of a user beyond about 20 waiting ones', async () => {
    const { run } = ownPool();
    const many = Array.from({ length: 23 }, () => run('greedy', ['1']).catch((error: unknown) => error));
    const refused = (await Promise.all(many)).filter(
      (each) => each instanceof AppError && each.code === 'rate-limited',
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(4);
  });
});

describe('an evaluation process', () => {
  it('can read one file only, its code', async () => {
    const { module, readable } = await bundledCode();
    expect(module).toMatch(/\.mjs$/);
    expect(readable).toEqual([module]);
  });

  it('is waited for until a timeout', async () => {
    // Before the busy users' work has finished.
    const { ended, run, occupy } = ownPool(undefined, 300);
    await run('first', ['1']);
    for (let count = 0; count < 6; count++) void occupy(`busy ${count}`);
    const refused = await run('late', ['1'], { deadlineMs: 400 }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'rate-limited', detail: { retryAfter: 1 } });
    expect(ended).toEqual(['first', 'late']);
  });

  it('ends when idle except for one spare process', async () => {
    const { own, run, occupy } = ownPool(400);
    own.prepare();
    const busy = ['ada', 'ben', 'cleo'].map((user) => occupy(user, { deadlineMs: 2000 }));
    await vi.waitFor(() => expect(own.pids.length).toBeGreaterThan(1), { timeout: LONG_MS, interval: 20 });

    await Promise.all(busy);
    await vi.waitFor(() => expect(own.pids).toHaveLength(1), LONG_MS);
    expect(await run('ada', ['$sum($)'])).toBe('[1]');
  });
});
