import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { compile, JsonataError } from './index.ts';

/** Typical records of a provider, and records that break each fast path in one position. */
const DOCUMENTS: readonly unknown[] = [
  [
    { a: { b: { c: 'x' } }, l: [{ n: 'p' }, { n: 'q' }], k: 2, t: 'Alpha' },
    { a: { b: { c: 'y' } }, l: [{ n: 'q' }], k: 1, t: 'alpha beta' },
    { a: { b: {} }, l: [], k: 3, t: '' },
  ],
  [{ a: [{ b: { c: 1 } }, { b: [{ c: 2 }, { c: [3, 4] }] }], l: [{ n: ['p'] }], k: 'z', t: 5 }, { k: 'a' }],
  [
    { a: { b: null }, l: { n: 'p' }, k: null, t: null },
    { a: 1, l: [[{ n: 'p' }]], k: true, t: ['A', 'b'] },
  ],
  [
    [{ a: { b: { c: 'deep' } }, k: 1 }],
    { a: { b: { c: 'flat' } }, k: 0, l: [{ n: null }, { n: 'p' }, 'p', 3] },
  ],
  [{ a: { b: { c: [] } }, l: [{ n: { n: 'p' } }], k: 1.5, t: 'é\ud83d\ude00' }],
  { a: { b: { c: { c: 1 } } }, l: [{ n: 'p' }], k: 7, t: 'one' },
  [],
  {},
  null,
  'text',
];

const EXPRESSIONS = [
  'a.b',
  'a.b.c',
  'a.b.c.c',
  '$.a.b.c',
  '$[0].a.b.c',
  'l.n',
  '$.(l.n)',
  '$[a.b.c = "x"].k',
  '$.{"c": a.b.c, "n": l.n, "k": k}',
  '$["p" in l.n].k',
  '$[3 in l.n]',
  '$[null in l.n]',
  '$.("p" in l.n)',
  '$[k > 1 and t].k',
  '$[k and k > 1].k',
  '$[k = 1 or "p"].k',
  '$sort($, function($x, $y){ $x.k > $y.k }).k',
  '$sort($, function($x, $y){ $x.k < $y.k }).k',
  '$sort($, function($x, $y){ $x.a.b.c > $y.a.b.c }).k',
  '$sort(k, function($x, $y){ $x > $y })',
  '$sort(k, function($x, $x){ $x > $x })',
  '$sort($, function($x, $y){ $y.k < $x.k }).k',
  '$sort($, function($x, $y){ $y.k > $x.k }).k',
  '$sort($, function($x, $y){ $x.k - $y.k > 0 }).k',
  '$sort($, function($x, $y){ $y.k - $x.k > 0 }).k',
  '$sort($, function($x, $y){ $x.k - $y.k < 0 }).k',
  '$sort($, function($x, $y){ $x.k - $y.k > 0.5 }).k',
  '$sort(k, function($x, $y){ $y < $x })',
  '$sort(k, function($x, $y){ $x - $y > 0 })',
  '$sort([1e308, -1e308, 3], function($x, $y){ $x - $y > 0 })',
  '$sort([5e-324, 0, -5e-324, 1e-323], function($x, $y){ $x - $y > 0 })',
  '$sort([2, "1"], function($x, $y){ $x - $y > 0 })',
  '$substring("a\ud83d\ude00b\ud83dc\ude00d", 1, 3)',
  '$substring("a\ud83d\ude00b\ud83dc\ude00d", -3)',
  '$substring("a\ud83d\ude00b\ud83dc\ude00d", -9, 2)',
  '$substring("a\ud83d\ude00b", -1, 5)',
  '$substring("a\ud83d\ude00b", 1.5, 1.2)',
  '$substring("a\ud83d\ude00b", 9)',
  '$substring("a\ud83d\ude00b", 1, 99)',
  '$substring("a\ud83d\ude00b", -2, 1)',
  '$sort([[2], 1], function($x, $y){ $x - $y > 0 })',
  '$sort([3, 1, "b", 2], function($x, $y){ $x > $y })',
  '$map($, function($p){ $p.a.b.c })',
  '$map($, function($p, $i){ $i & $string($p.k) })',
  '$map($, function($p){ $exists($p.k) ? $string($p.k) : "none" })',
  '$filter($, function($p){ $p.l })',
  '$filter($, function($p, $i){ $i > 0 })',
  ...[
    'string',
    'length',
    'lowercase',
    'uppercase',
    'trim',
    'exists',
    'boolean',
    'not',
    'count',
    'number',
  ].flatMap((name) => [
    `$.$${name}(t)`,
    `$.$${name}(k)`,
    `$.$${name}(l)`,
    `$.$${name}(a.b.c)`,
    `$.$${name}($sum)`,
  ]),
  ...['abs', 'floor', 'ceil'].flatMap((name) => [`$.$${name}(k)`, `$.$${name}(t)`]),
  ...['contains', 'substringBefore', 'substringAfter'].flatMap((name) => [
    `$.$${name}(t, "l")`,
    `$.$${name}(t, k)`,
    `t.$${name}("a")`,
  ]),
  '$.$substring(t, 1, 2)',
  '$.$substring(t, -2, 1)',
  '$.$substring(t, k, k)',
  '($count := function($x){ "own" }; $count(k))',
  '$.t ~> $contains("a")',
  '$.(t ~> $length())',
];

async function outcomeOfReference(expression: string, document: unknown): Promise<unknown> {
  try {
    return await jsonata(expression).evaluate(document);
  } catch (error) {
    return { code: (error as { code?: string }).code, position: (error as { position?: number }).position };
  }
}

function outcome(expression: string, document: unknown): unknown {
  try {
    return compile(expression).evaluate(document);
  } catch (error) {
    if (error instanceof JsonataError) return { code: error.code, position: error.position };
    throw error;
  }
}

describe('short cut of the engine', () => {
  it.each(EXPRESSIONS)('returns what the reference returns: %s', async (expression) => {
    for (const document of DOCUMENTS) {
      const theirs = (await outcomeOfReference(expression, structuredClone(document))) ?? null;
      const ours = outcome(expression, document) ?? null;
      expect(JSON.stringify(ours), JSON.stringify(document)).toBe(JSON.stringify(theirs));
    }
  });

  it('is hidden by a binding of the same name', () => {
    expect(compile('$length(t)').evaluate({ t: 'abc' }, { length: () => 'bound' })).toBe('bound');
    expect(compile('$contains(t, "b")').evaluate({ t: 'abc' }, { contains: () => 'bound' })).toBe('bound');
  });

  it.each([[[]], [[1]], [[[1]]], [[{ a: 1 }]], [[1, 2]]])('returns %j unchanged for `$`', (input) => {
    expect(compile(' $ ').evaluate(input)).toEqual(input);
  });

  it.each(['$length', '$sum', '$substring(?, 1)', 'function($x){ $x }', 'function($a, $b){ $a.k > $b.k }'])(
    'exposes no fields of a function that is a result: %s',
    (expression) => {
      const shown = compile(expression).evaluate(null) as object;
      expect(JSON.stringify(shown)).toBe('{}');
      expect(Object.keys(shown)).toEqual([]);
      for (let each = Object.getPrototypeOf(shown); each !== null; each = Object.getPrototypeOf(each))
        for (const name of Object.getOwnPropertyNames(each))
          expect([name, compile(`$exists((${expression}).\`${name}\`)`).evaluate(null)]).toEqual([
            name,
            false,
          ]);
    },
  );
});
