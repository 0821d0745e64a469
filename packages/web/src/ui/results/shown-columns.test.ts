import { describe, expect, it } from 'vitest';
import { shownColumns } from './shown-columns.ts';

const names = (rows: readonly unknown[], preferred: string[] = [], hidden: string[] = []) =>
  shownColumns(rows, preferred, hidden).map(({ name }) => name);
const ROWS = [
  { account: 'ada', accounts: ['ada'], id: 1, title: 'A' },
  { account: 'ada', accounts: ['ada'], id: 2, title: 'B' },
];

describe('shownColumns', () => {
  it('leaves hidden fields out while all rows have the same value', () => {
    expect(names(ROWS, ['title'], ['account', 'accounts'])).toEqual(['title', 'id']);
    const [first, second] = ROWS;
    expect(names([first, { ...second, account: 'work' }], ['title'], ['account', 'accounts'])).toEqual([
      'title',
      'account',
      'id',
    ]);
  });

  it('shows a hidden field of rows that have no other', () => {
    expect(names([{ account: 'ada' }], [], ['account'])).toEqual(['account']);
  });

  it('shows the account after the preferred fields', () => {
    expect(names(ROWS, ['title', 'account'])).toEqual(['title', 'account', 'id', 'accounts']);
  });
});
