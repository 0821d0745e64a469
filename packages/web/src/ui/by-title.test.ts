import { describe, expect, it } from 'vitest';
import { byTitle } from './by-title.ts';

describe('byTitle', () => {
  it('sorts numbers by value and ignores case and accents', () => {
    const titles = ['View 10', 'view 2', 'Zebra', 'Éclair', 'View 1'];
    expect(byTitle(titles.map((title) => ({ title }))).map(({ title }) => title)).toEqual([
      'Éclair',
      'View 1',
      'view 2',
      'View 10',
      'Zebra',
    ]);
  });
});
