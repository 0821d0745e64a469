import type { CurveKind } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { readNumbers } from './read-numbers.ts';

/** Reads the numbers of a value as if it were the result of a view. */
function read(value: unknown, before?: CurveKind) {
  const items = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const text = JSON.stringify(items);
  const result = {
    count: items.length,
    isArray: Array.isArray(value),
    bytes: text.length,
    page: async () => text,
  };
  return readNumbers(result, before);
}

describe('readNumbers', () => {
  it('reads a single number', async () => {
    expect(await read(42)).toEqual({ kind: 'number', values: { '': 42 } });
  });

  it('reads the numbers of an object as groups', async () => {
    expect(await read({ open: 3, closed: 9, note: 'x' })).toEqual({
      kind: 'groups',
      values: { open: 3, closed: 9 },
    });
  });

  it('reads rows of texts and one number as groups', async () => {
    const rows = [
      { repo: 'a', count: 2 },
      { repo: 'b', count: 0 },
    ];
    expect(await read(rows)).toEqual({ kind: 'groups', values: { a: 2, b: 0 } });
  });

  it('counts rows whose number identifies them, rows with equal names, and rows without a number', async () => {
    for (const rows of [
      [{ title: 'a', number: 7 }],
      [{ title: 'a', repo_id: 7 }],
      [
        { repo: 'a', count: 2 },
        { repo: 'a', count: 3 },
      ],
      [{ title: 'a' }, { title: 'b' }],
    ])
      expect(await read(rows)).toEqual({ kind: 'rows', values: { '': rows.length } });
  });

  it('keeps the largest of many groups, in their order', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => ({ repo: `r${index}`, count: index }));
    const numbers = await read(rows);
    expect(Object.keys(numbers?.values ?? {})).toEqual(rows.slice(10).map(({ repo }) => repo));
  });

  it('finds no number in a text and in an object of texts, and none in nothing after a number', async () => {
    for (const value of ['a', { a: 'b' }]) expect(await read(value)).toBeUndefined();
    for (const before of ['number', 'groups'] as const) expect(await read(undefined, before)).toBeUndefined();
  });

  it('counts on when only one row is left, which is no list, and when none is', async () => {
    const rows = [
      { id: 'a', title: 'First', number: 7, comments: 2 },
      { id: 'b', title: 'Second', number: 8, comments: 0 },
    ];
    for (const before of [undefined, 'rows'] as const) {
      expect(await read(rows, before)).toEqual({ kind: 'rows', values: { '': 2 } });
      expect(await read(rows[0], before)).toEqual({ kind: 'rows', values: { '': 1 } });
      expect(await read(undefined, before)).toEqual({ kind: 'rows', values: { '': 0 } });
    }
    expect(await read({ title: 'a', note: 'b' }, 'rows')).toEqual({ kind: 'rows', values: { '': 1 } });
    // The groups of the first rows.
    expect(await read({ open: 3 }, 'rows')).toEqual({ kind: 'groups', values: { open: 3 } });
    expect(await read({ repo: 'a', count: 2 }, 'groups')).toEqual({ kind: 'groups', values: { a: 2 } });
  });

  it('names groups by text that the database can take apart', async () => {
    const names = ['\0', 'a\ud800', '__proto__', 'constructor', ''];
    const { values = {} } = (await read(Object.fromEntries(names.map((name, i) => [name, i])))) ?? {};
    expect(Object.entries(values)).toEqual([
      ['\ufffd', 0],
      ['a\ufffd', 1],
      ['__proto__', 2],
      ['constructor', 3],
      ['', 4],
    ]);
  });

  it('keeps groups apart whose names are equal where they are cut', async () => {
    const long = 'x'.repeat(200);
    const { values = {} } = (await read({ [`${long}1`]: 1, [`${long}2`]: 2 })) ?? {};
    expect(Object.values(values)).toEqual([1, 2]);
  });

  it('counts rows that are too many or too long to be groups', async () => {
    const page = async () => {
      throw new Error('must not be read');
    };
    const numbers = { kind: 'rows', values: { '': 5000 } };
    expect(await readNumbers({ count: 5000, isArray: true, bytes: 10, page })).toEqual(numbers);
    const large = { count: 1, isArray: false, bytes: 1_000_000, page };
    expect(await readNumbers(large, 'number')).toBeUndefined();
    expect(await readNumbers(large, 'rows')).toEqual({ kind: 'rows', values: { '': 1 } });
  });
});
