import { parseSearch } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import {
  addFilter,
  addMonth,
  hasFilter,
  hasMonth,
  removeAllFilters,
  removeFilter,
  removeMonth,
} from './search-text.ts';

describe('filters in the text of a search', () => {
  it.each([
    ['', 'amy@example.org', 'from:amy@example.org'],
    ['annual report', 'amy@example.org', 'from:amy@example.org annual report'],
    ['x', 'Amy Smith', 'from:"Amy Smith" x'],
    ['"annual rep', 'amy', 'from:amy "annual rep'],
    ['x', '-5', 'from:"-5" x'],
    ['x', 'OR', 'from:"OR" x'],
    ['x', 'a:b', 'from:a:b x'],
    ['x', 'to:b', 'from:"to:b" x'],
    ['x', '(a)', 'from:"(a)" x'],
    ['x', 'say "hi"', 'from:"say  hi" x'],
  ])('adds to %j the value %j', (text, value, expected) => {
    const added = addFilter(text, 'from', value);

    expect(added).toBe(expected);
    expect(hasFilter(added, 'from', value.replaceAll('"', ' ').trim())).toBe(true);
    expect(parseSearch(added).problems.filter(({ isError }) => isError)).toEqual([]);
    expect(removeFilter(added, 'from', value.replaceAll('"', ' ').trim())).toBe(text);
  });

  it('recognises a filter in any case, and no filter that does not narrow the whole search', () => {
    expect(hasFilter('FROM:Amy x', 'from', 'amy')).toBe(true);
    expect(hasFilter('-from:amy x', 'from', 'amy')).toBe(false);
    expect(hasFilter('from:amy OR from:bob', 'from', 'amy')).toBe(false);
    expect(hasFilter('from:amy OR from:bob', 'from', 'bob')).toBe(false);
    expect(hasFilter('(from:amy) x', 'from', 'amy')).toBe(false);
    expect(hasFilter('"from:amy"', 'from', 'amy')).toBe(false);
  });

  it('narrows to a month, which replaces another one', () => {
    expect(addMonth('x', '2026-12')).toBe('after:2026-12 before:2027-01 x');
    expect(addMonth('after:2026-12 before:2027-01 x', '2026-03')).toBe('after:2026-03 before:2026-04 x');
    expect(hasMonth('after:2026-12 before:2027-01 x', '2026-12')).toBe(true);
    expect(hasMonth('after:2026-12 x', '2026-12')).toBe(false);
    expect(removeMonth('after:2026-12 before:2027-01 x', '2026-12')).toBe('x');
  });

  it('removes all filters and keeps the words', () => {
    expect(removeAllFilters('from:amy annual -label:old is:unread "the report" after:2026')).toBe(
      'annual -label:old "the report"',
    );
  });
});
