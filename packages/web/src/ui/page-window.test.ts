import { describe, expect, it } from 'vitest';
import { clampPage, pageCount, pageWindow } from './page-window.ts';

describe('page numbers', () => {
  // @covers 9.number-pages-rounded
  it('rounds the number of pages up, to at least one', () => {
    expect([0, 1, 20, 21, 240].map((count) => pageCount(count, 20))).toEqual([1, 1, 1, 2, 12]);
  });

  it('clamps a page to the range from 1 to the total', () => {
    expect([-3, 0, 1, 7, 8, 99, Number.NaN].map((page) => clampPage(page, 7))).toEqual([1, 1, 1, 7, 7, 7, 1]);
  });

  // @covers 9.up-five-page
  it('shows up to five numbers around the current page', () => {
    expect(pageWindow(1, 12)).toEqual([1, 2, 3, 4, 5]);
    expect(pageWindow(6, 12)).toEqual([4, 5, 6, 7, 8]);
    expect(pageWindow(12, 12)).toEqual([8, 9, 10, 11, 12]);
    expect(pageWindow(2, 3)).toEqual([1, 2, 3]);
    expect(pageWindow(1, 0)).toEqual([1]);
    expect([1, 6, 12].map((page) => pageWindow(page, 12, 3))).toEqual([
      [1, 2, 3],
      [5, 6, 7],
      [10, 11, 12],
    ]);
  });
});
