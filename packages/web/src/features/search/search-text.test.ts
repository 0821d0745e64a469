import { type FacetName, parseSearch, partsOfSearch, type SearchCondition } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import {
  addFilter,
  choicesIn,
  hasValue,
  periodIn,
  removeAllFilters,
  removeFilter,
  toggleValue,
  valuesIn,
  withPeriod,
} from './search-text.ts';

describe('values of facets in the text of a search', () => {
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
    const added = toggleValue(text, 'from', value);

    expect(added).toBe(expected);
    expect(hasValue(added, 'from', value)).toBe(true);
    expect(parseSearch(added).problems.filter(({ isError }) => isError)).toEqual([]);
    expect(toggleValue(added, 'from', value)).toBe(text);
    expect(addFilter(text, 'from', value)).toBe(expected);
  });

  it.each([
    ['label:a x', 'b', 'label:{a b} x'],
    ['label:{a b} x', 'to do', 'label:{a b "to do"} x'],
    ['label:{a b} x', 'B', 'label:a x'],
    ['x label:a y', 'a', 'x y'],
    ['{label:a label:b} x', 'a', 'label:b x'],
    ['x label:a OR label:b', 'a', 'x label:b'],
    ['x label:a OR label:b', 'c', 'label:{a b c} x'],
    ['label:a label:b', 'c', 'label:{a b c}'],
    ['(label:a) x', 'a', 'x'],
    ['label:(a OR b) x', 'b', 'label:a x'],
    ['label:{a b', 'b', 'label:a'],
    ['label:a OR', 'a', ''],
    ['-label:a x', 'a', 'label:a -label:a x'],
    ['label:a OR x', 'a', 'label:a label:a OR x'],
    ['in:inbox is:unread', 'a', 'label:a in:inbox is:unread'],
  ])('turns %j with %j into %j', (text, value, expected) => {
    expect(toggleValue(text, 'label', value)).toBe(expected);
  });

  it('writes states with the operator that finds them', () => {
    expect(toggleValue('is:unread is:open', 'state', 'merged')).toBe('is:{open merged} is:unread');
    expect(valuesIn('is:{open unread} is:Draft', 'state')).toEqual(['Draft']);
    expect(toggleValue('x', 'has', 'attachment')).toBe('has:attachment x');
  });

  it('narrows to a period, which replaces another one', () => {
    const month = { after: '2026-12', before: '2027-01' };
    expect(withPeriod('x', month)).toBe('after:2026-12 before:2027-01 x');
    expect(withPeriod('after:2025 y before:2026-06-01 x', month)).toBe('after:2026-12 before:2027-01 y x');
    expect(periodIn('x after:2026-12 before:2027-01')).toEqual(month);
    expect(periodIn('x after:2026-12')).toEqual({ after: '2026-12', before: undefined });
    expect(periodIn('x newer_than:7d -after:2026')).toBeUndefined();
    expect(withPeriod('after:2026-12 newer_than:7d before:2027-01 x', undefined)).toBe('newer_than:7d x');
  });

  it('removes all filters and keeps the words', () => {
    expect(removeAllFilters('from:amy annual -label:old is:unread "the report" after:2026 label:{a b}')).toBe(
      'annual -label:old "the report"',
    );
  });

  it('change nothing but themselves, in any text', () => {
    const pieces = [
      'label:',
      'is:open ',
      'a ',
      '"b c" ',
      '(',
      ')',
      '{',
      '}',
      ' OR ',
      '-',
      ' AND ',
      'to:x ',
      'x ',
    ];
    let seed = 3;
    const show = (part: SearchCondition): string => {
      if (part.kind === 'words') return part.text;
      if (part.kind === 'filter') return `${part.name}:${part.value}`;
      return `${part.kind}(${part.kind === 'not' ? show(part.of) : part.of.map(show).join(' ')})`;
    };
    const others = (text: string, facet: FacetName) => {
      const own = choicesIn(text).filter((choice) => choice.facet === facet);
      const froms = new Set(own.flatMap(({ filters }) => filters.map(({ from }) => from)));
      return partsOfSearch(parseSearch(text).condition)
        .filter((part) => {
          const first = part.kind === 'any' ? part.of[0] : part;
          return !(first?.kind === 'filter' && froms.has(first.from));
        })
        .map(show)
        .sort();
    };
    for (let round = 0; round < 3000; round++) {
      let text = '';
      for (let length = 0; length < 9; length++) {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        text += pieces[seed % pieces.length];
      }
      const toggled = toggleValue(text, 'label', 'new');
      expect(valuesIn(toggled, 'label').sort(), text).toEqual([...valuesIn(text, 'label'), 'new'].sort());
      expect(others(toggled, 'label'), text).toEqual(others(text, 'label'));
      for (const { filters } of choicesIn(text))
        for (const filter of filters) {
          const left = choicesIn(removeFilter(text, filter)).flatMap((choice) => choice.filters);
          const all = choicesIn(text).flatMap((choice) => choice.filters);
          expect(left.length, `${text} | ${filter.from}`).toBe(all.length - 1);
        }
    }
  });
});
