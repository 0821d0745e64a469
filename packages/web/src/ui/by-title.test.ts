import { expect, it } from 'vitest';
import { byTitle } from './by-title.ts';

// @covers 10.titles-stand-people
it('sorts titles as people do: by number, letters with accents beside those without', () => {
  const titles = ['View 10', 'view 2', 'Zebra', 'Éclair', 'View 1'];
  expect(byTitle(titles.map((title) => ({ title }))).map(({ title }) => title)).toEqual([
    'Éclair',
    'View 1',
    'view 2',
    'View 10',
    'Zebra',
  ]);
});
