import type { ChartData } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { CHART_DATA } from '../../../test-support/chart.ts';
import { conditionOfMark } from './mark-condition.ts';

/** Returns the condition of the group of a time axis that begins at a local time. */
const ofTime = (start: string, part: Partial<ChartData>) =>
  conditionOfMark(
    {
      ...CHART_DATA,
      chart: { kind: 'bars', x: 'at', measure: 'count' },
      axis: 'times',
      times: 'instants',
      timeZone: 'Europe/Berlin',
      groups: [start],
      combinedGroups: 0,
      ...part,
    },
    { group: 0, series: null },
  );

describe('the condition of a group of times', () => {
  it.each<[string, Partial<ChartData>, string | undefined]>([
    ['2026-03-29', { bucket: 'day' }, 'at >= "2026-03-28T23:00:00.000Z" and at < "2026-03-29T22:00:00.000Z"'],
    [
      '2026-01-31T23:00',
      { bucket: 'hour' },
      'at >= "2026-01-31T22:00:00.000Z" and at < "2026-01-31T23:00:00.000Z"',
    ],
    [
      '2026-10-01',
      { bucket: 'quarter' },
      'at >= "2026-09-30T22:00:00.000Z" and at < "2026-12-31T23:00:00.000Z"',
    ],
    [
      '2026-03-01',
      { bucket: 'month', missing: 2, timeZone: 'UTC' },
      '$type(at) = "string" and at >= "2026-03-01T00:00:00.000Z" and at < "2026-04-01T00:00:00.000Z"',
    ],
    ['2026-03-01', { bucket: 'month', times: 'periods' }, 'at = "2026-03"'],
    ['2026-10-01', { bucket: 'quarter', times: 'periods' }, 'at = "2026-Q4"'],
    ['2026-03-01', { bucket: 'month', times: undefined }, undefined],
  ])('selects its rows: %s by %j', (start, part, condition) => {
    expect(ofTime(start, part)).toBe(condition);
  });
});

describe('the condition of a mark', () => {
  it('is one of both fields for a cell of a heat map', () => {
    const data: ChartData = { ...CHART_DATA, chart: { ...CHART_DATA.chart, kind: 'heat-map' } };
    expect(conditionOfMark(data, { group: 0, series: 1 })).toBe('author = "amy" and state = "closed"');
  });

  it('is a range for a bar of a distribution', () => {
    const data: ChartData = {
      ...CHART_DATA,
      axis: 'bins',
      binWidth: 5,
      groups: [10],
      chart: { kind: 'distribution', x: 'size', measure: 'count' },
    };
    expect(conditionOfMark(data, { group: 0, series: null })).toBe('size >= 10 and size < 15');
  });
});
