import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { flatten } from './flatten.ts';
import { TreeRowContent } from './tree-row.tsx';

afterEach(cleanup);

const NO_ACTIONS = {
  onToggle: () => {},
  onCopyValue: () => {},
  onCopyPath: () => {},
  historyName: () => undefined,
  onHistory: () => {},
  onPick: undefined,
  preferred: ['number', 'title'],
};

function lineOf(value: unknown): string | null {
  const [row] = flatten({ it: value }, new Set());
  if (!row) return null;
  const { container } = render(<TreeRowContent row={row} isActive={false} actions={NO_ACTIONS} />);
  return container.textContent;
}

describe('TreeRowContent', () => {
  it.each([
    [{}, 'it:{}'],
    [{ a: 1, b: 'two' }, 'it:{a: 1, b: two}'],
    [{ a: 1, nested: {}, b: 2 }, 'it:{a: 1, b: 2, … 1 more}'],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5 }, 'it:{a: 1, b: 2, c: 3, … 2 more}'],
    // No plain values: show the names instead.
    [{ head: {}, base: [] }, 'it:{head, base}'],
    [{ head: {}, base: {}, user: {}, repo: {} }, 'it:{head, base, user, … 1 more}'],
    [[1, 2], 'it:[2]'],
    [{ a: '', b: null }, 'it:{a: "", b: null}'],
    // The most useful members come first.
    [
      { url: 'https://x', id: 7, title: 'Fix', number: 3 },
      'it:{number: 3, title: Fix, url: https://x, … 1 more}',
    ],
    [{ url: 'https://x', title: {} }, 'it:{url: https://x, … 1 more}'],
    // Right-to-left text is isolated.
    [{ a: 'שלום', b: 'two' }, 'it:{a: \u2068שלום\u2069, b: two}'],
  ])('previews the closed value %j as %s', (value, line) => {
    expect(lineOf(value)).toBe(line);
  });
});
