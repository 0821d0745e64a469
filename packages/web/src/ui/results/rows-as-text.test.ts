import { columnsOf } from '@datadeck/contract/table-columns';
import { describe, expect, it } from 'vitest';
import { toCsv, toNdjson } from './rows-as-text.ts';

describe('toCsv', () => {
  it('quotes values that need it, and writes nested values as JSON', () => {
    const csv = toCsv([
      { a: 'x,"y"', b: 1 },
      { a: null, c: { d: 1 } },
    ]);
    expect(csv).toBe('a,b,c\r\n"x,""y""",1,\r\n,,"{""d"":1}"');
  });

  it('writes all columns, even more than the table shows', () => {
    const row = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`c${index}`, index]));
    expect(toCsv([row]).split('\r\n')[0]?.split(',')).toHaveLength(60);
  });

  it('escapes texts that a spreadsheet would run as formulas', () => {
    expect(toCsv([{ a: '=HYPERLINK(1)' }, { a: -5 }])).toBe("a\r\n'=HYPERLINK(1)\r\n-5");
    expect(toCsv([{ a: 'x;＝1' }, { '@b': { c: ';=1' } }])).toBe(`a,'@b\r\nx;'＝1,\r\n,"{""c"":"";'=1""}"`);
  });
});

describe('toCsv for programs', () => {
  it('writes texts as they are, and quotes an empty line', () => {
    expect(toCsv([{ a: '=1;=2', b: '' }, { b: null }], true)).toBe('a,b\r\n=1;=2,""\r\n,');
    for (const isExact of [false, true])
      expect(toCsv([{ a: null }, { a: 'x' }], isExact)).toBe('a\r\n""\r\nx');
  });
});

describe('toNdjson', () => {
  it('writes one value per line', () => {
    expect(toNdjson([{ a: 1 }, 'x'])).toBe('{"a":1}\n"x"\n');
  });
});

describe('columnsOf', () => {
  it('puts preferred columns first and nested ones last, and detects numbers', () => {
    const columns = columnsOf([{ z: { n: 1 }, n: 1, title: 'x' }], ['title']);
    expect(columns.map(({ name, isNumeric }) => [name, isNumeric])).toEqual([
      ['title', false],
      ['n', true],
      ['z', false],
    ]);
  });

  it('returns one column for rows that are not objects', () => {
    expect(columnsOf([1, 2]).map(({ name, isNumeric }) => [name, isNumeric])).toEqual([['value', true]]);
  });
});
