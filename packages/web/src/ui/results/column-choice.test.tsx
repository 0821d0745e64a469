import type { ColumnLayout } from '@datadeck/contract';
import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ColumnsMenu } from './columns-menu.tsx';
import { DataTable } from './data-table.tsx';
import { RecordList } from './record-list.tsx';

afterEach(cleanup);

const ROWS = [{ a: 'one', b: 'two', c: 3, list: [{ id: 1 }] }];

/** A table or a list with the menu of its columns. */
function Chosen({ Rows = DataTable }: { Rows?: typeof DataTable }) {
  const [layout, onLayout] = useState<ColumnLayout>([]);
  const choice = { layout, onLayout };
  return (
    <>
      <ColumnsMenu rows={ROWS} choice={choice} />
      <Rows rows={ROWS} label="Rows" columnChoice={choice} />
    </>
  );
}
// The menu hides the rest of the page from assistive technology.
const headers = () => screen.getAllByRole('columnheader', { hidden: true }).map((header) => header.ariaLabel);
const button = (name: string) => screen.getByRole('button', { name, hidden: true });
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

describe('ColumnsMenu', () => {
  it('hides columns, but not the last one, and shows all of them again', () => {
    render(<Chosen />);
    fireEvent.click(button('Columns'));
    for (const name of ['b', 'c', 'list']) fireEvent.click(box(name));
    expect(headers()).toEqual(['a']);
    expect(box('a').disabled).toBe(true);
    fireEvent.click(button('Reset'));
    expect(headers()).toEqual(['a', 'b', 'c', 'list']);
  });

  it('moves a column by its buttons, which keep the focus, and says where it is', () => {
    render(<Chosen />);
    fireEvent.click(button('Columns'));
    for (let press = 0; press < 2; press++) {
      button('Move a down').focus();
      fireEvent.click(button('Move a down'));
    }
    expect(headers()).toEqual(['b', 'c', 'a', 'list']);
    expect(document.activeElement).toBe(button('Move a down'));
    expect(screen.getByText('a is column 3 of 4.')).toBeTruthy();
    fireEvent.click(button('Move b up'));
    expect(headers()).toEqual(['b', 'c', 'a', 'list']);
  });
});

describe('ColumnsMenu of more columns than a layout keeps', () => {
  it('changes the first ones, and says so', () => {
    const row = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`f${index + 1}`, index]));
    const onLayout = vi.fn();
    render(<ColumnsMenu rows={[row]} choice={{ layout: [], onLayout }} />);
    fireEvent.click(button('Columns'));
    expect(screen.getByText('The first 100 columns can be hidden and moved.')).toBeTruthy();
    expect([box('f100').disabled, box('f101').disabled]).toEqual([false, true]);
    for (const name of ['Move f100 down', 'Move f101 up', 'Move f120 up']) fireEvent.click(button(name));
    expect(onLayout).not.toHaveBeenCalled();
    fireEvent.click(box('f100'));
    expect(onLayout.mock.calls[0]?.[0]).toContainEqual({ name: 'f100', isHidden: true });
  });
});

describe('DataTable with chosen columns', () => {
  it('changes the width of a column by keyboard and pointer, and fits it again', () => {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 200, 30));
    HTMLElement.prototype.setPointerCapture = () => {};
    render(<Chosen />);
    const handle = button('Width of a');
    const width = () => screen.getByRole('columnheader', { name: 'a' }).style.width;
    fireEvent.keyDown(handle, { key: 'ArrowRight' });
    expect(width()).toBe('216px');
    fireEvent.pointerDown(handle, { button: 0, clientX: 500 });
    fireEvent.pointerMove(handle, { clientX: 90 });
    expect(width()).toBe('48px');
    fireEvent.pointerUp(handle, { clientX: 450 });
    expect(width()).toBe('150px');
    fireEvent.doubleClick(handle);
    expect(width()).toBe('');
    vi.restoreAllMocks();
  });

  it('does not move a column whose width is dragged', () => {
    render(<Chosen />);
    const dragStart = createEvent.dragStart(button('Width of a'));
    fireEvent(button('Width of a'), dragStart);
    expect(dragStart.defaultPrevented).toBe(true);
    fireEvent.drop(screen.getByRole('columnheader', { name: 'a' }));
    expect(headers()).toEqual(['a', 'b', 'c', 'list']);
  });

  it('moves a column that is dragged onto another one', () => {
    render(<Chosen />);
    const header = (name: string) => screen.getByRole('columnheader', { name });
    const dataTransfer = { setData: () => {}, effectAllowed: '' };
    fireEvent.dragStart(header('c'), { dataTransfer });
    fireEvent.dragOver(header('a'), { dataTransfer });
    fireEvent.drop(header('a'), { dataTransfer });
    expect(headers()).toEqual(['c', 'a', 'b', 'list']);
  });

  it('offers to change a sort by a column that it does not show', () => {
    const onSort = vi.fn();
    render(<DataTable rows={ROWS} label="Rows" sorting={{ sort: '-user.login', onSort }} />);
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sort by' });
    expect(select.selectedOptions[0]?.textContent).toBe('user.login');
    fireEvent.change(select, { target: { value: '' } });
    expect(onSort).toHaveBeenCalledWith('');
  });
});

describe('RecordList', () => {
  it('shows the chosen columns in their order', () => {
    render(<Chosen Rows={RecordList} />);
    fireEvent.click(button('Columns'));
    fireEvent.click(box('b'));
    fireEvent.click(button('Move c up'));
    fireEvent.click(button('Move c up'));
    const names = screen.getAllByRole('term', { hidden: true }).map(({ textContent }) => textContent);
    expect(names).toEqual(['c', 'a', 'list']);
  });

  it('sorts by a column and a direction', () => {
    const onSort = vi.fn();
    const { rerender } = render(<RecordList rows={ROWS} label="Rows" sorting={{ sort: '', onSort }} />);
    const select = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sort by' });
    expect([...select().options].map(({ text }) => text)).toEqual(['Own order', 'a', 'b', 'c']);
    fireEvent.change(select(), { target: { value: 'c' } });
    expect(onSort).toHaveBeenLastCalledWith('c');
    rerender(<RecordList rows={ROWS} label="Rows" sorting={{ sort: 'c', onSort }} />);
    fireEvent.click(screen.getByRole('button', { name: 'Sort in descending order' }));
    expect(onSort).toHaveBeenLastCalledWith('-c');
    rerender(<RecordList rows={ROWS} label="Rows" sorting={{ sort: '-c', onSort }} />);
    expect(select().value).toBe('c');
    fireEvent.change(select(), { target: { value: 'a' } });
    expect(onSort).toHaveBeenLastCalledWith('-a');
  });
});

describe('the filter by a value of a list', () => {
  it('is at each field of an opened row', () => {
    const onFilter = vi.fn();
    render(<RecordList rows={ROWS} label="Rows" onFilter={onFilter} />);
    expect(screen.queryByRole('button', { name: 'Filter by a: one' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Filter by a value' }));
    fireEvent.click(screen.getByRole('button', { name: 'Filter by a: one' }));
    expect(onFilter).toHaveBeenCalledWith('a = "one"');
    expect(screen.queryByRole('button', { name: /Filter by list/ })).toBeNull();
  });
});

describe('the filter by a value of a table', () => {
  const rows = [
    { list: [], a: 'one', b: null },
    { a: 'two', b: true, list: [] },
  ];
  const focused = () => document.activeElement?.ariaLabel;
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

  it('is one button, which the arrow keys move over cells that have one', () => {
    const onFilter = vi.fn();
    render(<DataTable rows={rows} label="Rows" onFilter={onFilter} />);
    screen.getByRole('button', { name: /^Filter by/ }).focus();
    expect(focused()).toBe('Filter by a: one');
    press('ArrowRight');
    expect(focused()).toBe('Filter by b: null');
    press('ArrowDown');
    expect(focused()).toBe('Filter by b: true');
    // The list to the right has no value to filter by.
    press('ArrowRight');
    expect(focused()).toBe('Filter by b: true');
    press('ArrowLeft');
    fireEvent.click(document.activeElement ?? document.body);
    expect(onFilter).toHaveBeenCalledWith('a = "two"');
    expect(screen.getAllByRole('button')).toHaveLength(1);
  });

  it('follows the pointer', () => {
    render(<DataTable rows={rows} label="Rows" onFilter={() => {}} />);
    fireEvent.pointerOver(screen.getByRole('cell', { name: 'true' }));
    expect(screen.getByRole('button', { name: 'Filter by b: true' })).toBeTruthy();
  });
});
