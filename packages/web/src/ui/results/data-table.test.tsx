import { cleanup, render, screen, within } from '@testing-library/react';
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
    [12_345.678901, '12,345.678901'],
    [-12_345.5, '-12,345.5'],
  ])('shows %d as %s, with the exact value as its title', (value, shown) => {
    const cell = cellOf('size', value);
    expect(cell.textContent).toBe(shown);
    const exact = String(value);
    if (shown !== exact) expect(screen.getByTitle(exact).textContent).toBe(shown);
  });

  it.each(['id', '_id', 'ID', 'number', 'user_id', 'userId', 'threadID'])(
    'shows no thousands separators in the column %s',
    (column) => {
      expect(cellOf(column, 1_234_567).textContent).toBe('1234567');
    },
  );

  it('shows the values of a small object as text', () => {
    expect(cellOf('from', { name: 'Ada', address: 'ada@example.org' }).textContent).toBe(
      'Ada · ada@example.org',
    );
  });

  it('omits the empty values of a small object', () => {
    expect(cellOf('from', { name: '', address: 'ada@example.org' }).textContent).toBe('ada@example.org');
  });

  it('sets dir=auto on each text, for right-to-left languages', () => {
    expect(cellOf('subject', 'שלום').getAttribute('dir')).toBe('auto');
  });

  it('cuts a long text at the width of its column, with the whole text as its title', () => {
    const text = 'Long '.repeat(60).trim();
    const cell = cellOf('subject', text);
    expect([...cell.classList]).toEqual(expect.arrayContaining(['truncate', 'max-w-80']));
    expect(cell.textContent).toBe(text);
    expect(within(cell).getByTitle(text)).toBeTruthy();
  });

  it('shows 40 of 60 columns, and says so', () => {
    const row = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`c${index}`, index]));
    render(<DataTable rows={[row]} label="Rows" />);
    expect(screen.getAllByRole('columnheader')).toHaveLength(40);
    expect(screen.getByText(/^The first 40 of 60 columns\./)).toBeTruthy();
  });

  it('says that the results have no fields', () => {
    render(<DataTable rows={[{}, {}]} label="Rows" />);
    expect(screen.getByText('These results have no fields.')).toBeTruthy();
  });

  it('does not treat a column such as paid as an id column', () => {
    expect(cellOf('paid', 1_234_567).textContent).toBe('1,234,567');
  });
});
