import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { copyText } from '../copy-text.ts';
import { JsonTree } from './json-tree.tsx';

vi.mock('../copy-text.ts');

const ROWS = [
  { id: 'a', tags: ['x', 'y'] },
  { id: 'b', tags: [] },
];
const onPickPath = vi.fn();
const history = {
  nameOf: (row: unknown) => (row === ROWS[0] ? 'a' : undefined),
  onOpen: vi.fn(),
};

beforeEach(() => {
  // jsdom has no layout, and the virtualizer renders no lines into a tree without a height.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.mocked(copyText).mockReset().mockResolvedValue(true);
  onPickPath.mockReset();
  history.onOpen.mockReset();
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** Keeps the expanded members, as the screens do. */
function Tree({ open: initial, canPick }: { open: readonly string[]; canPick: boolean }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(initial));
  return (
    <JsonTree
      value={ROWS}
      label="Results"
      open={open}
      onOpenChange={setOpen}
      onPickPath={canPick ? onPickPath : undefined}
      history={history}
    />
  );
}

function show({ open = [] as readonly string[], canPick = true } = {}) {
  render(<Tree open={open} canPick={canPick} />);
}
const tree = () => screen.getByRole('tree', { name: 'Results' });
const press = (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(tree(), { key });
};
/** Returns the JSON pointer of the active line, without the id of the tree. */
const active = () =>
  tree()
    .getAttribute('aria-activedescendant')
    ?.replace(/^[^/]*/, '');
const activeLine = () => document.getElementById(tree().getAttribute('aria-activedescendant') ?? '');

describe('JsonTree', () => {
  it('moves between lines with the arrow keys, Home and End, and stops at the ends', () => {
    show({ open: ['/0'] });
    const after = (...keys: string[]) =>
      keys.map((key) => {
        press(key);
        return active();
      });

    expect(active()).toBe('/0');
    expect(after('ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp')).toEqual([
      '/0',
      '/0/id',
      '/0/tags',
      '/1',
      '/1',
      '/0/tags',
    ]);
    expect(after('Home', 'End')).toEqual(['/0', '/1']);
  });

  it('expands a value with the right arrow key, and then enters it', () => {
    show();
    expect(activeLine()?.getAttribute('aria-expanded')).toBe('false');
    press('ArrowRight');
    expect(active()).toBe('/0');
    expect(activeLine()?.getAttribute('aria-expanded')).toBe('true');
    press('ArrowRight');
    expect(active()).toBe('/0/id');
    press('ArrowRight');
    expect(active()).toBe('/0/id');
  });

  it('moves to the parent with the left arrow key, and then collapses it', () => {
    show({ open: ['/0', '/0/tags'] });
    press('ArrowDown', 'ArrowDown', 'ArrowDown');
    expect(active()).toBe('/0/tags/0');
    press('ArrowLeft');
    expect(active()).toBe('/0/tags');
    press('ArrowLeft', 'ArrowLeft', 'ArrowLeft');
    expect(active()).toBe('/0');
    expect(activeLine()?.getAttribute('aria-expanded')).toBe('false');
    expect(screen.getAllByRole('treeitem')).toHaveLength(2);
  });

  it('inserts the field into the expression with Enter', () => {
    show({ open: ['/0', '/0/tags'] });
    press('ArrowDown', 'Enter');
    press('ArrowDown', 'Enter');
    expect(onPickPath.mock.calls).toEqual([['id'], ['tags']]);
  });

  it('expands an item of a list with Enter', () => {
    show();
    press('Enter');
    expect(activeLine()?.getAttribute('aria-expanded')).toBe('true');
    expect(onPickPath).not.toHaveBeenCalled();
  });

  it('expands a field with Enter when there is no expression to insert it into', () => {
    show({ open: ['/0'], canPick: false });
    press('ArrowDown', 'ArrowDown', 'Enter');
    expect(active()).toBe('/0/tags');
    expect(activeLine()?.getAttribute('aria-expanded')).toBe('true');
  });

  it('copies the value with C and the path with P', () => {
    show({ open: ['/0', '/0/tags'] });
    press('ArrowDown', 'ArrowDown', 'c');
    expect(copyText).toHaveBeenLastCalledWith(JSON.stringify(['x', 'y'], null, 2));
    press('ArrowDown', 'c');
    expect(copyText).toHaveBeenLastCalledWith('x');
    press('p');
    expect(copyText).toHaveBeenLastCalledWith('$[0].tags[0]');
  });

  it('opens the history of a record with H, but not of its fields', () => {
    show({ open: ['/0'] });
    press('h');
    expect(history.onOpen.mock.calls).toEqual([[ROWS[0]]]);
    press('ArrowDown', 'h', 'End', 'h');
    expect(history.onOpen).toHaveBeenCalledTimes(1);
  });

  it.each(['ctrlKey', 'metaKey', 'altKey'])('leaves keys pressed with %s to the browser', (modifier) => {
    show();
    expect(fireEvent.keyDown(tree(), { key: 'c', [modifier]: true })).toBe(true);
    expect(copyText).not.toHaveBeenCalled();
    expect(fireEvent.keyDown(tree(), { key: 'c' })).toBe(false);
  });
});
