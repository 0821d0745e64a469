import type { Chart, ChartKind } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { CHART_DATA } from '../../../test-support/chart.ts';
import { isSameChart, withKind } from './chart-kinds.ts';

const { columns } = CHART_DATA;
const BARS: Chart = { kind: 'bars', x: 'author', series: 'state', measure: 'sum', y: 'size', order: 'name' };

describe('another kind of chart', () => {
  it.each<[ChartKind, Partial<Chart>]>([
    ['line', { x: 'author', series: 'state', measure: 'sum', y: 'size' }],
    ['number', { x: undefined, series: undefined, measure: 'sum', y: 'size' }],
    ['distribution', { x: 'size', measure: 'count', series: undefined }],
    ['heat-map', { x: 'author', series: 'state' }],
  ])('keeps what fits a %s', (kind, wanted) => {
    const chart = withKind(BARS, kind, columns);
    expect({ x: chart.x, series: chart.series, ...chart }).toMatchObject({ kind, ...wanted });
  });

  it('chooses fields where the kind before had none', () => {
    expect(withKind({ kind: 'number', measure: 'count' }, 'bars', columns).x).toBe('created_at');
    expect(withKind({ kind: 'distribution', x: 'size', measure: 'count' }, 'line', columns).x).toBe(
      'created_at',
    );
    expect(withKind({ kind: 'number', measure: 'count' }, 'heat-map', columns)).toMatchObject({
      x: 'created_at',
    });
  });
});

it('compares settings without regard to their order', () => {
  expect(isSameChart(BARS, { ...Object.fromEntries(Object.entries(BARS).reverse()) } as Chart)).toBe(true);
  expect(isSameChart(BARS, { ...BARS, top: 5 })).toBe(false);
  expect(isSameChart(undefined, BARS)).toBe(false);
});
