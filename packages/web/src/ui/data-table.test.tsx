import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { DataTable } from './data-table.tsx';

afterEach(cleanup);

function cellOf(column: string, value: unknown) {
  render(<DataTable rows={[{ [column]: value }]} label="Rows" />);
  return screen.getByRole('cell');
}

describe('DataTable', () => {
  it.each([
    [0.30000000000000004, '0.3'],
    [0.0004, '0.0004'],
    [1 / 3, '0.333333333333'],
    [1e-9, '1e-9'],
    [9999, '9999'],
    [1_234_567, '1,234,567'],
    [12_345.678901, '12345.678901'],
  ])('shows %d as %s, with the exact value at hand', (value, shown) => {
    const cell = cellOf('size', value);
    expect(cell.textContent).toBe(shown);
    const exact = String(value);
    if (shown !== exact) expect(screen.getByTitle(exact).textContent).toBe(shown);
  });

  it.each(['id', '_id', 'ID', 'number', 'user_id', 'userId', 'threadID'])(
    'puts no separators into the column %s',
    (column) => {
      expect(cellOf(column, 1_234_567).textContent).toBe('1234567');
    },
  );

  it('reads an object of few values as words', () => {
    expect(cellOf('from', { name: 'Ada', address: 'ada@example.org' }).textContent).toBe(
      'Ada · ada@example.org',
    );
  });

  it('takes a column for one of ids by its whole ending', () => {
    expect(cellOf('paid', 1_234_567).textContent).toBe('1,234,567');
  });
});
