import { describe, expect, it } from 'vitest';
import { distributionOf, MAX_BARS } from './distribution.ts';

/** Returns the measure and the bars as text: `amy: 3`. */
function draw(value: unknown, wanted?: string): [string, string[]] | null {
  const found = distributionOf(value, wanted);
  return found && [found.measure, found.bars.map(({ labels, value }) => `${labels.join(' ')}: ${value}`)];
}

describe('distributionOf', () => {
  it.each<[string, unknown, ReturnType<typeof draw>]>([
    [
      'hours of weekdays, not the numbers of the weekdays',
      [
        { weekday: 1, day: 'Monday', hour: 9, messages: 4 },
        { weekday: 1, day: 'Monday', hour: 10, messages: 6 },
        { weekday: 2, day: 'Tuesday', hour: 9, messages: 5 },
      ],
      ['messages', ['Monday 9:00: 4', 'Monday 10:00: 6', 'Tuesday 9:00: 5']],
    ],
    [
      'parts of dates as numbers, oldest first',
      [
        { year: 2026, month: 2, n: 1 },
        { year: 2026, month: 1, n: 2 },
        { year: 2025, month: 12, n: 3 },
      ],
      ['n', ['2025 12: 3', '2026 1: 2', '2026 2: 1']],
    ],
    [
      'the median of a group instead of its size',
      [
        { month: '2026-11', merged: 9, medianHours: 12.5, p90Hours: 40 },
        { month: '2026-10', merged: 4, medianHours: null, p90Hours: 30 },
      ],
      ['medianHours', ['2026-10: null', '2026-11: 12.5']],
    ],
    [
      'months within repositories, oldest first',
      [
        { repository: 'lab/a', month: '2026-11', opened: 3 },
        { repository: 'lab/b', month: '2026-11', opened: 2 },
        { repository: 'lab/a', month: '2026-10', opened: 1 },
      ],
      ['opened', ['lab/a 2026-10: 1', 'lab/a 2026-11: 3', 'lab/b 2026-11: 2']],
    ],
    [
      'people in the order of the rows, without their dates and ids',
      [
        { id: 7, sender: 'amy', name: 'Amy', messages: 3, first: '2026-11-02T10:00:00Z' },
        { id: 8, sender: 'bo', name: 'Bo', messages: 9, first: '2026-01-02T10:00:00Z' },
      ],
      ['messages', ['amy: 3', 'bo: 9']],
    ],
    [
      'ages of records with a number',
      [
        { number: 12, title: 'Fix', ageDays: 3, draft: false },
        { number: 11, title: 'Add', ageDays: 30, draft: true },
      ],
      ['ageDays', ['Fix: 3', 'Add: 30']],
    ],
    ['groups', { amy: 3, bo: 9 }, ['', ['amy: 3', 'bo: 9']]],
    ['groups by month', { '2026-11': 1, '2026-09': 2 }, ['', ['2026-09: 2', '2026-11: 1']]],
    ['groups by name of day', { Sun: 1, Mon: 2 }, ['', ['Mon: 2', 'Sun: 1']]],
    [
      'moments',
      [
        { at: '2026-11-02T10:00:00Z', n: 1 },
        { at: '2026-11-01T10:00:00Z', n: 2 },
      ],
      ['n', ['2026-11-01T10:00:00Z: 2', '2026-11-02T10:00:00Z: 1']],
    ],
    [
      'flags and missing names',
      [
        { draft: true, n: 1 },
        { draft: null, n: 2 },
      ],
      ['n', ['draft: true: 1', '–: 2']],
    ],
    [
      'names that are years in words only',
      [
        { year: 'first', n: 1 },
        { year: 'second', n: -2 },
      ],
      ['n', ['first: 1', 'second: -2']],
    ],
  ])('draws %s', (_, value, expected) => {
    expect(draw(value)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['one row', [{ a: 'x', n: 1 }]],
    ['one group', { amy: 1 }],
    ['numbers alone', [1, 2, 3]],
    ['rows without numbers', [{ a: 'x' }, { a: 'y' }]],
    ['rows without names', [{ n: 1 }, { n: 2 }]],
    [
      'numbers that are ids',
      [
        { a: 'x', id: 1 },
        { a: 'y', id: 2 },
      ],
    ],
    [
      'mixed values',
      [
        { a: 'x', n: 1 },
        { a: 'y', n: 'two' },
      ],
    ],
    ['groups of lists', { amy: [1], bo: [2] }],
    ['an empty list', []],
    ['text', 'text'],
    ['nothing', null],
  ])('draws no chart of %s', (_, value) => {
    expect(draw(value)).toBeNull();
  });

  it('draws another numeric field on request', () => {
    const rows = [
      { month: '2026-11', merged: 9, medianHours: 12.5 },
      { month: '2026-10', merged: 4, medianHours: 8 },
    ];
    expect(distributionOf(rows)?.measures).toEqual(['merged', 'medianHours']);
    expect(draw(rows, 'merged')).toEqual(['merged', ['2026-10: 4', '2026-11: 9']]);
  });

  it('keeps the first bars of many, the newest of a time axis, and counts all', () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ name: `n${index}`, n: index }));
    expect(distributionOf(many)).toMatchObject({ count: 100 });
    expect(distributionOf(many)?.bars.map(({ value }) => value)).toEqual(
      Array.from({ length: MAX_BARS }, (_, index) => index),
    );
    const years = many.map(({ n }) => ({ month: String(2000 + n), n }));
    expect(distributionOf(years)?.bars.at(-1)).toEqual({ labels: ['2099'], value: 99 });
  });
});
