import { columnsOf } from '@datadeck/contract/table-columns';
import { compile } from '@datadeck/jsonata';
import { describe, expect, it } from 'vitest';
import { conditionOf, isSelection, withCondition } from './value-filter.ts';

const HOSTILE_TEXTS = [
  '',
  ' ',
  '"',
  '\\',
  '\\"',
  '"] | $[true',
  '`',
  "'",
  '/* */',
  '$x',
  '$$',
  '\u0000\u0007\b\f\n\r\t\v',
  '\u2028\u2029',
  '\ud800',
  '\udc00x',
  '👩‍👩‍👧',
  'שלום',
  '\ufeff',
  '\u202e',
  'null',
  'true',
  '0',
  '\\u0041',
  '<script>',
  'e\u0301',
  'é',
];
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  0.1 + 0.2,
  1e21,
  -1e-7,
  5e-324,
  1.7976931348623157e308,
  2 ** 53,
  -(2 ** 31),
];
const VALUES = [...HOSTILE_TEXTS, ...NUMBERS, true, false, null];
const NAMES = [
  'plain',
  'with space',
  'and',
  'or',
  'in',
  'true',
  'false',
  'null',
  'function',
  'λ',
  '',
  '`',
  'a`b"c',
  'a.b',
  '$',
  '$$',
  '*',
  '**',
  '%',
  '@#^',
  '[0]',
  '0',
  '-1',
  'ünï',
  '__proto__',
  'constructor',
  'toString',
  'length',
  'a\nb',
  '\\',
  '\\"',
  '👩‍👩‍👧',
  '/x/',
  '/* x */',
];

/** Returns repeatable choices of a list. */
function choicesFrom(seed: number) {
  let state = seed;
  return <T>(list: readonly T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return list[Math.floor((state / 2_147_483_648) * list.length)] as T;
  };
}

/** Returns an object with own fields, also with a field `__proto__`. */
const objectOf = (fields: readonly (readonly [string, unknown])[]) =>
  JSON.parse(`{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`);

/** Evaluates an expression; a single row and none are lists as well. */
function rowsOf(expression: string, rows: unknown): unknown[] {
  const result = compile(expression).evaluate(rows);
  return result === undefined ? [] : Array.isArray(result) ? [...result] : [result];
}
// `-0` and `0` are the same number.
const isSame = (a: unknown, b: unknown) => a === b;

describe('conditionOf', () => {
  it('selects exactly the rows with the value of any cell, with odd names and values', () => {
    const choose = choicesFrom(11);
    for (let round = 0; round < 150; round++) {
      const names = [...new Set([choose(NAMES), choose(NAMES), choose(NAMES)])];
      // Few values, so that several rows have the same one.
      const pool = [choose(VALUES), choose(VALUES), choose(VALUES)];
      const rows: unknown[] = Array.from({ length: 12 }, () =>
        objectOf(names.filter(() => choose([true, true, false])).map((name) => [name, choose(pool)])),
      );
      for (const column of columnsOf(rows))
        for (const row of rows) {
          const value = column.read(row);
          const condition = conditionOf(column.path, value);
          const expected = rows.filter((one) => isSame(column.read(one), value));
          expect(rowsOf(withCondition('', condition ?? ''), rows), condition).toEqual(expected);
        }
    }
  });

  it('selects exactly the rows with a value of a nested object', () => {
    for (const outer of NAMES)
      for (const inner of NAMES.slice(0, 12)) {
        const rows = VALUES.map((value) => objectOf([[outer, objectOf([[inner, value]])]]));
        for (const value of [VALUES[2], 1, null, false]) {
          const found = rowsOf(withCondition('', conditionOf([outer, inner], value) ?? ''), rows);
          expect(found).toEqual(rows.filter((_row, index) => isSame(VALUES[index], value)));
        }
      }
  });

  it('selects plain values', () => {
    const rows = [...VALUES, ...VALUES];
    for (const value of VALUES) {
      const found = rowsOf(withCondition('', conditionOf([], value) ?? ''), rows);
      expect(found, JSON.stringify(value)).toEqual(rows.filter((row) => isSame(row, value)));
    }
  });

  it('has none for lists, objects and long texts', () => {
    for (const value of [[], {}, ['a'], 'x'.repeat(1000)]) expect(conditionOf(['a'], value)).toBeUndefined();
  });
});

describe('withCondition', () => {
  const rows = [
    { a: 1, b: ']', 'c"`': 1 },
    { a: 1, b: 'x', 'c"`': 2 },
    { a: 2, b: 'x', 'c"`': 1 },
  ];

  it('narrows the result of any expression', () => {
    for (const expression of [
      '$',
      ' $ ',
      '$[a = 1]',
      '$[b != "]"] [a > 0]',
      "$[b != ']' and `a` > 0]",
      '$ ~> $filter(function($row) { $row.a > 0 })',
      '($x := $; $x)',
      '[$[a > 0].$]',
      '$[a = 1].{"a": a, "b": b}',
      '$[a = 1] /* [ */',
      '$[$match(b, /[x]/)]',
    ]) {
      const before = rowsOf(expression, rows);
      const after = rowsOf(withCondition(expression, conditionOf(['b'], 'x') ?? ''), rows);
      const expected = before.filter((row) => (row as { b: string }).b === 'x');
      expect(after, expression).toEqual(expected);
    }
  });

  it('appends to an expression that only selects rows, and wraps any other one', () => {
    expect(withCondition('$[a = 1]', 'b = 2')).toBe('$[a = 1][b = 2]');
    expect(withCondition('$.a', 'b = 2')).toBe('($.a)[b = 2]');
    for (const text of ['', '$', '$[a = "]["]', '$[`]` = 1][b]']) expect(isSelection(text)).toBe(true);
    for (const text of ['$x[1]', '$[a', '$]', '$[a] & $[b]', '$[/]/]', '$[a = "]', '$.a[1]'])
      expect(isSelection(text)).toBe(false);
  });
});
