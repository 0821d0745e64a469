import { describe, expect, it } from 'vitest';
import { sortItems, UnsortableError } from './sort-items.ts';

const by = (path: string[], isDescending = false) => ({ path, isDescending });

describe('sortItems', () => {
  it('puts numbers before texts before booleans, and missing values last in both directions', () => {
    const rows = [true, null, 'b', 10, 'a', 9, undefined, 'B', false].map((x, index) => ({ x, index }));
    const order = (isDescending: boolean) =>
      sortItems(rows, by(['x'], isDescending)).map((row) => (row as { x: unknown }).x);
    expect(order(false)).toEqual([9, 10, 'B', 'a', 'b', false, true, null, undefined]);
    expect(order(true)).toEqual([true, false, 'b', 'a', 'B', 10, 9, null, undefined]);
  });

  it('keeps the order of equal items in both directions', () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({ key: index % 2, index }));
    for (const isDescending of [false, true]) {
      const sorted = sortItems(rows, by(['key'], isDescending)) as typeof rows;
      for (const key of [0, 1])
        expect(sorted.filter((row) => row.key === key)).toEqual(rows.filter((row) => row.key === key));
    }
  });

  it('reads nested fields, but no inherited ones', () => {
    const rows = [{ user: { login: 'b' } }, { user: null }, { user: { login: 'a' } }];
    expect(sortItems(rows, by(['user', 'login']))).toEqual([rows[2], rows[0], rows[1]]);
    expect(sortItems([{ a: 1 }, 2], by(['constructor', 'name']))).toEqual([{ a: 1 }, 2]);
  });

  it('sorts plain values themselves', () => {
    expect(sortItems([3, 1, 2], by([], true))).toEqual([3, 2, 1]);
  });

  it('refuses lists and objects', () => {
    expect(() => sortItems([{ x: [1] }], by(['x']))).toThrow(UnsortableError);
    expect(() => sortItems([{ x: {} }], by(['x']))).toThrow("cannot be sorted by 'x'");
    expect(() => sortItems([[1]], by([]))).toThrow('cannot be sorted by their values');
  });
});
