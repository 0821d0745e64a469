import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../app-error.ts';
import { type Evaluation, EvaluationPool } from './pool.ts';
import { RowBatch } from './rows.ts';

let pool: EvaluationPool;
/** A process that was killed before is starting. */
const STARTING_MS = 1000;
const PAGE = { offset: 0, limit: 20 };

beforeAll(() => {
  pool = new EvaluationPool();
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

async function evaluate(chain: string[], values: unknown[] = [1, 2, 3], deadlineMs = 2000, userId = 'ada') {
  const set = rows(JSON.stringify(values).slice(0, 200), values);
  const { text, ...rest } = await pool.page({ userId, rows: set, chain, deadlineMs, urgency: 'live' }, PAGE);
  return { ...rest, results: JSON.parse(text) as unknown[] };
}

test('array results are paged, anything else is one result, nothing is none', async () => {
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

test('a chain runs each expression over the result of the one before', async () => {
  expect(await evaluate(['$[$ > 1]', '$sum($)'])).toMatchObject({ results: [5] });
});

describe('what goes wrong is an error of its own', () => {
  const codeOf = async (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => (error instanceof AppError ? error.code : 'other'),
    );

  test('syntax, with its position', async () => {
    const error = await evaluate(['$sum(']).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'expression-invalid', detail: { position: expect.any(Number) } });
  });

  test('evaluation', async () => {
    expect(await codeOf(evaluate(['$number("x")']))).toBe('expression-failed');
  });

  test.each([
    '($f := function($x){$f($x) + 1}; $f(1))',
    '[1..1e4].([1..1e4])',
    '$pad("x", 5e8)',
    '($f := function(){$f()}; $f())',
  ])('hostile: %s', async (expression) => {
    const begun = performance.now();
    expect(await codeOf(evaluate([expression], [1], 1000))).toMatch(
      /^(query-too-complex|expression-failed)$/,
    );
    expect(performance.now() - begun).toBeLessThan(1500 + STARTING_MS);
  });
});

test('another user is served while one user’s query runs to its deadline', async () => {
  const slow = evaluate(['($f := function(){$f()}; $f())'], [1], 1500, 'mallory').catch(() => 'ended');
  const queued = evaluate(['($f := function(){$f()}; $f())'], [1], 1500, 'mallory').catch(() => 'ended');
  expect(await evaluate(['$sum($)'], [1, 2], 5000, 'ada')).toMatchObject({ results: [3] });
  expect(await slow).toBe('ended');
  expect(await queued).toBe('ended');
});

test('whole results stream as JSON, NDJSON and CSV', async () => {
  const values = [
    { a: 1, b: 'x,"y"' },
    { a: 2, c: [1] },
    { a: 3, b: '=1+1' },
  ];
  const read = async (format: 'json' | 'ndjson' | 'csv') => {
    let text = '';
    const evaluation: Evaluation = {
      userId: 'ada',
      rows: rows('stream', values),
      chain: ['$'],
      urgency: 'saved',
    };
    for await (const chunk of pool.stream(evaluation, format)) text += chunk.toString();
    return text;
  };
  expect(JSON.parse(await read('json'))).toEqual(values);
  expect(
    (await read('ndjson'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(values);
  expect(await read('csv')).toBe(`a,b,c\r\n1,"x,""y""",\r\n2,,[1]\r\n3,'=1+1,\r\n`);
});

test('the processes see no environment and no files but the code', async () => {
  const error = await evaluate(['$eval("$env")']).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ count: 0 });
});
