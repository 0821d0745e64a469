import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHART_LIMITS, type Chart, type ChartData, chartDataSchema } from '@datadeck/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { drawChart } from './draw-chart.ts';

const folder = makeTemporaryFolder('datadeck-charts-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Draws rows, read from a file as the product does. */
function draw(rows: readonly unknown[], chart?: Chart, timeZone = 'UTC'): ChartData {
  const path = join(folder, 'rows');
  const text = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  writeFileSync(path, text);
  const descriptor = openSync(path, 'r');
  try {
    const data = drawChart({ file: { descriptor, bytes: text.length }, rows: rows.length, chart, timeZone });
    return chartDataSchema.parse(data);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the numbers by group and series: `{ amy: { open: 2 } }`, or by group if there is one series. */
function numbersOf({ groups, series }: ChartData): Record<string, unknown> {
  return Object.fromEntries(
    groups.map((group, index) => [
      String(group),
      series.length === 1
        ? series[0]?.values[index]
        : Object.fromEntries(series.map(({ key, values }) => [String(key), values[index]])),
    ]),
  );
}

const COUNT = { measure: 'count' } as const;
const PULLS = [
  { author: 'amy', state: 'open', size: 5, at: '2026-03-01T23:30:00Z' },
  { author: 'bo', state: 'open', size: 1, at: '2026-03-04T08:00:00Z' },
  { author: 'amy', state: 'closed', size: -2, at: '2026-03-04T08:30:00Z' },
  { author: null, state: 'open', size: null, at: null },
];

describe('groups of a chart', () => {
  it('count rows, the largest group first, with one for rows without a value', () => {
    const data = draw(PULLS, { kind: 'bars', x: 'author', ...COUNT });
    expect(Object.entries(numbersOf(data))).toEqual([
      ['amy', 2],
      ['bo', 1],
      ['null', 1],
    ]);
    expect(data).toMatchObject({ axis: 'groups', rows: 4, missing: 0, problem: null, combinedGroups: 0 });
  });

  it('are split by a second field', () => {
    const data = draw(PULLS, { kind: 'bars', x: 'author', series: 'state', ...COUNT });
    expect(numbersOf(data)).toMatchObject({ amy: { open: 1, closed: 1 }, bo: { open: 1, closed: 0 } });
  });

  it('add numbers up, negative ones too, and have none where no row has one', () => {
    const data = draw(PULLS, { kind: 'bars', x: 'author', measure: 'sum', y: 'size' });
    expect(numbersOf(data)).toEqual({ amy: 3, bo: 1, null: null });
    expect(data.missing).toBe(1);
  });

  it('are read from fields of objects and from plain values', () => {
    const nested = [{ user: { login: 'a' } }, { user: { login: 'a' } }, { user: null }];
    expect(numbersOf(draw(nested, { kind: 'bars', x: 'user.login', ...COUNT }))).toEqual({ a: 2, null: 1 });
    expect(numbersOf(draw(['x', 'y', 'x'], { kind: 'bars', x: '$', ...COUNT }))).toEqual({ x: 2, y: 1 });
  });

  it('combine all but the largest, so that the sum is that of all rows', () => {
    const rows = Array.from({ length: 300 }, (_, index) => ({ k: `k${index % 30}`, n: index % 30 }));
    const data = draw(rows, { kind: 'bars', x: 'k', measure: 'sum', y: 'n', order: 'name', top: 5 });
    expect(data.groups).toEqual(['k25', 'k26', 'k27', 'k28', 'k29', null]);
    expect(data.combinedGroups).toBe(25);
    const total = data.series[0]?.values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
    expect(total).toBe(rows.reduce((sum, { n }) => sum + n, 0));
  });

  it('keep the order of the rows, of names with numbers, or of weekdays', () => {
    const rows = ['w10', 'w9', 'w2', 'w9'].map((w) => ({ w }));
    expect(draw(rows, { kind: 'bars', x: 'w', ...COUNT, order: 'rows' }).groups).toEqual(['w10', 'w9', 'w2']);
    expect(draw(rows, { kind: 'bars', x: 'w', ...COUNT, order: 'name' }).groups).toEqual(['w2', 'w9', 'w10']);
    const days = ['Sunday', 'Monday', 'Friday'].map((day) => ({ day }));
    expect(draw(days, { kind: 'bars', x: 'day', ...COUNT }).groups).toEqual(['Monday', 'Friday', 'Sunday']);
  });

  it('are bounded: further ones are combined, and it says so', () => {
    const rows = Array.from({ length: CHART_LIMITS.comparedGroups + 500 }, (_, id) => ({ id: `id ${id}` }));
    const data = draw(rows, { kind: 'bars', x: 'id', ...COUNT, top: 3 });
    expect(data.groups).toHaveLength(4);
    expect(data.series[0]?.values).toEqual([1, 1, 1, rows.length - 3]);
    expect(data.isPartial).toBe(true);
    const series = draw(rows, { kind: 'bars', series: 'id', ...COUNT }).series;
    expect(series).toHaveLength(CHART_LIMITS.series + 1);
  });

  it('have names of a bounded length', () => {
    const data = draw([{ t: 'x'.repeat(100_000) }], { kind: 'bars', x: 't', ...COUNT });
    expect(String(data.groups[0])).toHaveLength(CHART_LIMITS.label);
  });

  it('have no number for sums that are too large', () => {
    const rows = [1e308, 1e308].map((n) => ({ k: 'a', n }));
    expect(
      draw([...rows, { k: 'b', n: 1 }], { kind: 'bars', x: 'k', measure: 'sum', y: 'n' }).series,
    ).toEqual([{ key: null, values: [1, null] }]);
  });
});

describe('a time axis', () => {
  const byDay: Chart = { kind: 'line', x: 'at', ...COUNT, bucket: 'day' };

  it('has a group for each day of the time zone, also without rows', () => {
    expect(numbersOf(draw(PULLS, byDay))).toEqual({
      '2026-03-01': 1,
      '2026-03-02': 0,
      '2026-03-03': 0,
      '2026-03-04': 2,
    });
    const berlin = draw(PULLS, byDay, 'Europe/Berlin');
    expect(berlin).toMatchObject({ groups: ['2026-03-02', '2026-03-03', '2026-03-04'], missing: 1 });
    expect(berlin.timeZone).toBe('Europe/Berlin');
  });

  it('has gaps where no row has a number', () => {
    const sums = draw(PULLS, { ...byDay, measure: 'sum', y: 'size' });
    expect(sums.series[0]?.values).toEqual([5, null, null, -1]);
  });

  it.each([
    ['hours', ['2026-03-04T08:10:00Z', '2026-03-04T12:00:00Z'], 'hour', '2026-03-04T08:00'],
    ['days', ['2026-03-04T08:10:00Z', '2026-04-04T12:00:00Z'], 'day', '2026-03-04'],
    ['weeks', ['2026-03-04T08:10:00Z', '2027-03-04T12:00:00Z'], 'week', '2026-03-02'],
    ['months', ['2026-03-04T08:10:00Z', '2031-03-04T12:00:00Z'], 'month', '2026-03-01'],
    ['years', ['1970-01-01T00:00:00Z', '2026-03-04T12:00:00Z'], 'year', '1970-01-01'],
    ['months for texts of months', ['2026-01', '2026-02', '2026-04'], 'month', '2026-01-01'],
    ['weeks for texts of weeks', ['2026-W01', '2026-W03'], 'week', '2025-12-29'],
    ['quarters for texts of quarters', ['2025-Q4', '2026-Q2'], 'quarter', '2025-10-01'],
  ])('chooses %s by the range and the texts', (_name, times, bucket, first) => {
    const data = draw(
      times.map((at) => ({ at })),
      { kind: 'bars', x: 'at', ...COUNT },
    );
    expect(data.bucket).toBe(bucket);
    expect(data.groups[0]).toBe(first);
    expect(data.groups.length).toBeLessThanOrEqual(CHART_LIMITS.times);
  });

  it('is bounded over any range, and counts all rows', () => {
    const rows = Array.from({ length: 6000 }, (_, index) => ({
      at: new Date(index * 7 * 3_600_000 * 31).toISOString(),
    }));
    const data = draw(rows, { ...byDay, bucket: 'hour' });
    expect(data.groups.length).toBeLessThanOrEqual(CHART_LIMITS.times);
    expect(data.series[0]?.values.reduce<number>((sum, value) => sum + (value ?? 0), 0)).toBe(rows.length);
    const far = draw([{ at: '0001-01-01' }, { at: '9999-01-01' }], byDay);
    expect(far).toMatchObject({ bucket: 'year', missing: 1 });
    expect(far.groups).toHaveLength(CHART_LIMITS.times);
  });

  it('becomes a heat map of weekdays and hours', () => {
    const map = draw(PULLS, { kind: 'heat-map', x: 'at', ...COUNT }, 'Europe/Berlin');
    expect(map.groups).toHaveLength(24);
    expect(map.series.map(({ key }) => key)[0]).toBe('Monday');
    // 23:30 of a Sunday in UTC.
    expect(map.series[0]?.values[0]).toBe(1);
    expect(map.series[2]?.values[9]).toBe(2);
  });
});

describe('the texts of a time axis', () => {
  it.each([
    ['instants', ['2026-03-04T08:10:00Z', '2026-03-05T08:10:00.000Z'], 'instants'],
    ['instants with another offset', ['2026-03-04T08:10:00Z', '2026-03-04T08:10:00+02:00'], undefined],
    ['months that are drawn as such', ['2026-01', '2026-03'], 'periods'],
    ['months and days', ['2026-01', '2026-03-01'], undefined],
  ])('are known, so that a group leads to its rows: %s', (_name, times, wanted) => {
    const rows = times.map((at) => ({ at }));
    expect(draw(rows, { kind: 'bars', x: 'at', ...COUNT }).times).toBe(wanted);
  });
});

describe('a distribution', () => {
  it('counts each number once, in bins with round edges', () => {
    const rows = [0, 1, 1, 2, 47, null, 'x'];
    const data = draw(rows, { kind: 'distribution', x: '$', ...COUNT });
    expect(data).toMatchObject({ axis: 'bins', binWidth: 2, missing: 2 });
    expect(data.series[0]?.values.slice(0, 2)).toEqual([3, 1]);
    expect(data.series[0]?.values.at(-1)).toBe(1);
    expect(data.groups.at(-1)).toBe(46);
  });

  it.each([
    ['equal', [7, 7], 2],
    ['negative', [-3.5, -0.25, 4], 3],
    ['huge', [-1e308, 1e308], 2],
    ['tiny', [1e-300, 3e-300], 2],
    ['close', [1e15, 1e15 + 1], 2],
  ])('draws %s numbers', (_name, numbers, count) => {
    const { groups, series } = draw(numbers, { kind: 'distribution', x: '$', ...COUNT });
    expect(groups.length).toBeLessThanOrEqual(CHART_LIMITS.bins + 1);
    expect(series[0]?.values.reduce<number>((sum, value) => sum + (value ?? 0), 0)).toBe(count);
  });
});

describe('a chart that cannot be drawn', () => {
  it.each<[string, readonly unknown[], Chart, string]>([
    ['without rows', [], { kind: 'bars', x: 'a', ...COUNT }, 'no-rows'],
    ['without its field', [{ b: 1 }], { kind: 'bars', x: 'a', ...COUNT }, 'no-field'],
    [
      'without the field of its series',
      [{ a: 1 }],
      { kind: 'bars', x: 'a', series: 'b', ...COUNT },
      'no-field',
    ],
    ['without numbers', [{ a: 'x' }], { kind: 'bars', x: 'a', measure: 'sum', y: 'a' }, 'no-numbers'],
    ['without times', [{ a: 'x' }], { kind: 'line', ...COUNT }, 'no-groups'],
    ['as a distribution of texts', [{ a: 'x' }], { kind: 'distribution', x: 'a', ...COUNT }, 'no-numbers'],
  ])('says why: %s', (_name, rows, chart, problem) => {
    expect(draw(rows, chart)).toMatchObject({ problem, groups: [], series: [] });
  });
});

describe('the proposed chart', () => {
  it.each<[string, readonly unknown[], Partial<Chart>]>([
    ['a number', [43], { kind: 'number', y: '$' }],
    ['a number in an object', [{ open: 3 }], { kind: 'number', y: 'open' }],
    ['a text', ['Hello'], { kind: 'text' }],
    ['groups of one object', [{ amy: 3, bo: 1 }], { kind: 'bars', x: 'name', y: 'value' }],
    ['plain numbers', [1, 5, 9], { kind: 'distribution', x: '$' }],
    ['repeated texts', ['a', 'b', 'a'], { kind: 'bars', x: '$', measure: 'count' }],
    [
      'groups with a statistic',
      [
        { author: 'amy', count: 3, medianHours: 7 },
        { author: 'bo', count: 2, medianHours: 9 },
      ],
      { kind: 'bars', x: 'author', measure: 'sum', y: 'medianHours', order: 'rows' },
    ],
    ['months', ['2026-01', '2026-02'].map((month) => ({ month, opened: 2 })), { kind: 'line', x: 'month' }],
    [
      'months of repositories',
      ['2026-01', '2026-01'].map((month, index) => ({ month, repo: `r${index}`, n: 2 })),
      { kind: 'bars', x: 'repo' },
    ],
    [
      'weekdays and hours',
      [0, 1, 2].map((hour) => ({ weekday: 1, day: 'Monday', hour, messages: 4 })),
      { kind: 'heat-map', x: 'hour', series: 'day', y: 'messages' },
    ],
    [
      'whole records',
      [1, 2].map((number) => ({
        ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}`, `v${number}`])),
        state: number === 1 ? 'open' : 'closed',
        created_at: '2026-01-01T00:00:00Z',
      })),
      { kind: 'bars', x: 'created_at', series: 'state', measure: 'count' },
    ],
    ['objects without anything to draw', [{ a: [] }, { a: {} }], { kind: 'table' }],
  ])('fits %s', (_name, rows, chart) => {
    expect(draw(rows).chart).toMatchObject(chart);
  });

  it('draws the members of one object as rows', () => {
    expect(numbersOf(draw([{ amy: 3, bo: 1 }]))).toEqual({ amy: 3, bo: 1 });
  });
});
