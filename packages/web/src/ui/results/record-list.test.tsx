import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RecordList } from './record-list.tsx';

afterEach(cleanup);

const row = (id: string) => ({
  id,
  subject: `Subject ${id}`,
  labels: ['INBOX', 'STARRED'],
  snippet: '<b>not markup</b>',
  from: { name: 'Ada', address: 'ada@example.org' },
  date: '2026-11-20T10:00:00Z',
  read: null,
});
const PREFERRED = ['from', 'subject', 'date'];
const labels = (item: HTMLElement) =>
  within(item)
    .getAllByRole('term')
    .map(({ textContent }) => textContent);
const items = () => screen.getAllByRole('listitem');

describe('RecordList', () => {
  it('shows the fields of a row whose fields are all empty', () => {
    render(<RecordList rows={[{ subject: 'Hello' }, { subject: '' }]} label="Rows" />);
    expect(items().map(labels)).toEqual([['subject'], ['subject']]);
    expect(screen.queryByRole('button', { name: /fields$/ })).toBeNull();
  });

  it('says that the results have no fields', () => {
    render(<RecordList rows={[{}, {}]} label="Rows" />);
    expect(screen.getByText('These results have no fields.')).toBeTruthy();
  });

  it('shows the preferred fields of a row, and all fields on demand', () => {
    render(<RecordList rows={[row('1'), row('2')]} label="Rows" preferred={PREFERRED} />);
    const [first, second] = items() as [HTMLElement, HTMLElement];
    expect(labels(first)).toEqual(PREFERRED);
    fireEvent.click(within(first).getByRole('button', { name: 'All 7 fields' }));
    expect(labels(first)).toHaveLength(7);
    expect(labels(second)).toEqual(PREFERRED);
    expect(within(first).getByText('<b>not markup</b>')).toBeTruthy();
    fireEvent.click(within(first).getByRole('button', { name: 'Fewer fields' }));
    expect(labels(first)).toEqual(PREFERRED);
  });

  it('collapses the rows when the page changes', () => {
    const { rerender } = render(<RecordList rows={[row('1')]} label="Rows" preferred={PREFERRED} />);
    fireEvent.click(screen.getByRole('button', { name: 'All 7 fields' }));
    rerender(<RecordList rows={[row('2')]} label="Rows" preferred={PREFERRED} />);
    expect(labels(items()[0] as HTMLElement)).toEqual(PREFERRED);
  });

  it('shows the first filled fields by default, and a plain value as one field', () => {
    const { rerender } = render(<RecordList rows={[row('1')]} label="Rows" />);
    expect(labels(items()[0] as HTMLElement)).toEqual(['id', 'subject', 'snippet', 'date', 'labels']);
    rerender(<RecordList rows={[1, 2]} label="Rows" />);
    expect(items().map(({ textContent }) => textContent)).toEqual(['value1', 'value2']);
  });

  it('reports a picked column and an opened history', () => {
    const onPickColumn = vi.fn();
    const onOpen = vi.fn();
    render(
      <RecordList
        rows={[row('1')]}
        label="Rows"
        preferred={PREFERRED}
        onPickColumn={onPickColumn}
        history={{ nameOf: () => 'Subject 1', onOpen }}
      />,
    );
    fireEvent.click(screen.getByRole('button', { name: 'subject' }));
    expect(onPickColumn).toHaveBeenCalledWith('subject');
    fireEvent.click(screen.getByRole('button', { name: 'History of Subject 1' }));
    expect(onOpen).toHaveBeenCalledWith(expect.objectContaining({ id: '1' }));
  });
});
