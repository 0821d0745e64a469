import type { ChartData } from '@datadeck/contract';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CHART_DATA } from '../../../test-support/chart.ts';
import { ChartFigure } from './chart-figure.tsx';
import { formatValue } from './chart-labels.ts';

afterEach(cleanup);

const show = (data: Partial<ChartData> = {}, onPick?: () => void) =>
  render(<ChartFigure data={{ ...CHART_DATA, ...data }} title="Pulls" onPick={onPick} />);
const picture = () => screen.getByRole('group', { name: /^Pulls: / });
const marksOf = (series: number) => document.querySelectorAll(`[data-series="${series}"]`);
/** What the live region says. */
const spoken = () => document.querySelector('[aria-live]')?.textContent;

const TIMES: Partial<ChartData> = {
  axis: 'times',
  bucket: 'day',
  groups: ['2026-03-01', '2026-03-02', '2026-03-03'],
  combinedGroups: 0,
  series: [{ key: null, values: [3, null, -4] }],
};
const CHART = { x: 'at', measure: 'sum', y: 'waitHours' } as const;

describe('a chart', () => {
  it.each<[string, Partial<ChartData>]>([
    ['bars', {}],
    ['bars beside each other', { chart: { ...CHART_DATA.chart, layout: 'beside' } }],
    ['columns', { ...TIMES, chart: { kind: 'bars', ...CHART } }],
    ['a line', { ...TIMES, chart: { kind: 'line', ...CHART } }],
    ['an area', { ...TIMES, chart: { kind: 'area', ...CHART } }],
    ['a heat map', { chart: { ...CHART_DATA.chart, kind: 'heat-map' } }],
    [
      'a distribution',
      {
        axis: 'bins',
        binWidth: 2,
        groups: [0, 2],
        combinedGroups: 0,
        series: [{ key: null, values: [1, 9] }],
        chart: { kind: 'distribution', x: 'n', measure: 'count' },
      },
    ],
    [
      'huge numbers',
      { ...TIMES, series: [{ key: null, values: [1e308, -1e308, 0] }], chart: { kind: 'line', ...CHART } },
    ],
    [
      'a number',
      {
        axis: 'none',
        groups: [null],
        combinedGroups: 0,
        series: [{ key: null, values: [43] }],
        chart: { kind: 'number', measure: 'count' },
      },
    ],
  ])('has a table with the numbers behind it: %s', (_name, part) => {
    show(part);
    const { groups, series, chart } = { ...CHART_DATA, ...part };
    const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      ),
    ).toEqual(groups.map((_, group) => series.map(({ values }) => formatValue({ chart }, values[group]))));
    expect(document.body.innerHTML).not.toContain('NaN');
  });

  it('names its groups, series, units and what is combined', () => {
    show({ chart: { ...CHART_DATA.chart, measure: 'sum', y: 'waitHours' } });
    expect(screen.getByRole('rowheader', { name: 'Others (7)' })).toBeTruthy();
    expect(screen.getByRole('rowheader', { name: 'No value' })).toBeTruthy();
    expect(screen.getByRole('cell', { name: '1,500 hours' })).toBeTruthy();
    expect(screen.getAllByText('Sum of waitHours (hours)').length).toBeGreaterThan(0);
    expect(screen.getByText(/Over all 1,234 rows/)).toBeTruthy();
    expect(screen.getByText(/7 groups combined/)).toBeTruthy();
  });

  it('names the time zone, and has a gap where a number is missing', () => {
    show({ ...TIMES, timeZone: 'Europe/Berlin', chart: { kind: 'line', ...CHART } });
    expect(screen.getByText(/time zone Europe\/Berlin/)).toBeTruthy();
    expect(screen.getByRole('cell', { name: 'no number' })).toBeTruthy();
    // Two points without a line between them.
    expect(document.querySelectorAll('circle')).toHaveLength(2);
  });

  it('hides and shows series by its legend', () => {
    show();
    expect(marksOf(1)).toHaveLength(2);
    fireEvent.click(screen.getByRole('button', { name: 'closed', pressed: true }));
    expect(marksOf(1)).toHaveLength(0);
    expect(marksOf(0)).toHaveLength(4);
    fireEvent.click(screen.getByRole('button', { name: 'closed', pressed: false }));
    expect(marksOf(1)).toHaveLength(2);
  });

  it('reports its numbers by arrow keys', () => {
    show();
    fireEvent.keyDown(picture(), { key: 'ArrowRight' });
    expect(spoken()).toBe('amy: open 5, closed 2');
    fireEvent.keyDown(picture(), { key: 'ArrowDown' });
    expect(spoken()).toBe('bo: open 3, closed no number');
    fireEvent.keyDown(picture(), { key: 'End' });
    expect(spoken()).toBe('Others (7): open 40, closed 1,500');
    fireEvent.keyDown(picture(), { key: 'Escape' });
    expect(spoken()).toBe('');
  });

  it('reports the cells of a heat map by row and column', () => {
    show({ chart: { ...CHART_DATA.chart, kind: 'heat-map' } });
    fireEvent.keyDown(picture(), { key: 'ArrowRight' });
    fireEvent.keyDown(picture(), { key: 'ArrowDown' });
    fireEvent.keyDown(picture(), { key: 'ArrowRight' });
    expect(spoken()).toBe('bo: closed no number');
  });

  it('reports the mark that is pointed at, and the condition of the one that is chosen', () => {
    const onPick = vi.fn();
    show({}, onPick);
    const marks = [...document.querySelectorAll('[data-group]')];
    fireEvent.pointerMove(marks[1] as Element);
    expect(spoken()).toBe('bo: open 3, closed no number');
    for (const mark of marks) fireEvent.click(mark);
    expect(onPick.mock.calls.map(([{ condition }]) => condition)).toEqual([
      'author = "amy"',
      'author = "bo"',
      '($not($exists(author)) or author = null or author = "")',
      undefined,
    ]);
  });
});
