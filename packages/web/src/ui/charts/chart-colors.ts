import type { ChartData } from '@datadeck/contract';

/** Fills and strokes of series in their order; distinguishable by colour-blind people in both schemes (chart-colors.test.ts). */
const FILLS = [
  'fill-chart-1',
  'fill-chart-2',
  'fill-chart-3',
  'fill-chart-4',
  'fill-chart-5',
  'fill-chart-6',
  'fill-chart-7',
  'fill-chart-8',
] as const;
const STROKES = [
  'stroke-chart-1',
  'stroke-chart-2',
  'stroke-chart-3',
  'stroke-chart-4',
  'stroke-chart-5',
  'stroke-chart-6',
  'stroke-chart-7',
  'stroke-chart-8',
] as const;
const OTHERS = { fill: 'fill-chart-others', stroke: 'stroke-chart-others' } as const;

/** Returns the classes of a series; those that are combined are grey. */
export function colorOf(
  { series, combinedSeries }: ChartData,
  index: number,
): { fill: string; stroke: string } {
  if (combinedSeries > 0 && index === series.length - 1) return OTHERS;
  return { fill: FILLS[index % FILLS.length] ?? '', stroke: STROKES[index % STROKES.length] ?? '' };
}

/** Dashes of lines, so that colour is not the only difference. */
const DASHES = [undefined, '6 3', '2 3', '8 3 2 3'] as const;

/** Returns the dashes of a line; undefined for a continuous one. */
export function dashOf(index: number): string | undefined {
  return DASHES[index % DASHES.length];
}
