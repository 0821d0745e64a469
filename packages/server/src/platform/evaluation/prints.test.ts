import { afterEach, describe, expect, it } from 'vitest';
import { EvaluationPool } from './pool.ts';
import type { RowPrint } from './row-prints.ts';

const LIMITS = { keyFields: ['_id', 'id'], shownFields: ['subject', 'from'], maxRows: 100 };

let pool: EvaluationPool;
afterEach(() => pool?.close());

/** Returns the prints of the result of an expression, computed in a child process. */
async function printsOf(expression: string, limits = LIMITS): Promise<RowPrint[]> {
  pool = new EvaluationPool();
  const rows = { key: 'none', family: 'none', async *read(): AsyncGenerator<Buffer> {} };
  const found: RowPrint[] = [];
  const evaluation = { userId: 'ada', rows, chain: [expression], urgency: 'saved' as const };
  for await (const batch of pool.prints(evaluation, limits)) found.push(...batch);
  return found;
}

describe('the prints of a result', () => {
  it('have the key, a hash of the whole row and its first simple fields', async () => {
    const [first, second, third] = await printsOf(
      '[{"id": 7, "title": "Öl 😀", "user": {"login": "a"}, "open": true, "empty": ""}, {"id": 7, "title": "Öl 😀", "user": {"login": "b"}, "open": true}, {"_id": "x", "id": 7}]',
    );
    expect(first).toMatchObject({ key: '7', excerpt: { id: 7, title: 'Öl 😀', open: true } });
    expect(first?.hash).not.toBe(second?.hash);
    expect(second?.excerpt).toEqual(first?.excerpt);
    expect(third?.key).toBe('x');
  });

  it('describe a row by the preferred fields that it has', async () => {
    const [row] = await printsOf(
      '[{"url": "https://a.example", "subject": "Hi", "to": "b", "from": {"x": 1}}]',
    );
    expect(row?.excerpt).toEqual({ subject: 'Hi' });
  });

  it('have no key for rows without a key field', async () => {
    expect(await printsOf('[1, "text", [1, 2], {"a": 1}, null]')).toMatchObject([
      { key: null, excerpt: 1 },
      { key: null, excerpt: 'text' },
      { key: null, excerpt: '[1,2]' },
      { key: null, excerpt: { a: 1 } },
      { key: null, excerpt: 'null' },
    ]);
  });

  it('are one print for a result that is no list', async () => {
    expect(await printsOf('{"total": 3}')).toMatchObject([{ key: null, excerpt: { total: 3 } }]);
  });

  // @covers alerts.bounded-read
  it('are small for rows of any size', async () => {
    const long = '$pad("", 1000000, "x")';
    const wide = '$merge([1..5000].{$string($): $pad("", 100, "y")})';
    const [row, other, text] = await printsOf(
      `[{"id": ${long}, "title": ${long}, "more": ${long}}, ${wide}, ${long}]`,
    );
    for (const print of [row, other, text]) expect(JSON.stringify(print).length).toBeLessThan(1500);
    expect(row?.key).toHaveLength(22);
  });

  // @covers alerts.bounded-read
  it('end with an error beyond the number of rows', async () => {
    await expect(printsOf('[1..101]')).rejects.toMatchObject({
      code: 'query-too-complex',
      message: 'The result has more than 100 rows.',
    });
    expect(await printsOf('[1..100]')).toHaveLength(100);
  });

  // @covers alerts.bounded-read
  it('end with an error that is one sentence when they are too long together', async () => {
    const text = '$pad("", 120, "\u0001")';
    const rows = `[1..20000].{"id": ${text}, "a": ${text}, "b": ${text}}`;
    await expect(printsOf(rows, { ...LIMITS, maxRows: 20_000 })).rejects.toMatchObject({
      code: 'query-too-complex',
      message: expect.stringContaining('it was stopped because the result is longer than 32 MB. Narrow'),
    });
  });
});
