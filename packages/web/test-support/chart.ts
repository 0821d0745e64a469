import type { ChartData } from '@datadeck/contract';

/** A chart of the states of pull requests by author. */
export const CHART_DATA: ChartData = {
  chart: { kind: 'bars', x: 'author', series: 'state', measure: 'count' },
  proposed: { kind: 'bars', x: 'author', measure: 'count', order: 'value' },
  columns: [
    { name: 'author', type: 'text', distinct: 3, missing: 0 },
    { name: 'state', type: 'text', distinct: 2, missing: 0 },
    { name: 'size', type: 'number', distinct: 9, missing: 0 },
    { name: 'created_at', type: 'time', distinct: 9, missing: 0 },
  ],
  rows: 1234,
  missing: 0,
  problem: null,
  axis: 'groups',
  bucket: null,
  binWidth: null,
  timeZone: 'UTC',
  groups: ['amy', 'bo', null, null],
  combinedGroups: 7,
  series: [
    { key: 'open', values: [5, 3, 1, 40] },
    { key: 'closed', values: [2, null, 0, 1500] },
  ],
  combinedSeries: 0,
  isPartial: false,
};
