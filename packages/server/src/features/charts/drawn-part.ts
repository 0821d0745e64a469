import type { ChartData } from '@datadeck/contract';

/** What a kind of chart adds to the answer. */
export type DrawnPart = Pick<ChartData, 'axis' | 'groups' | 'series'> &
  Partial<Omit<ChartData, 'axis' | 'groups' | 'series'>>;

/** What a row adds to a chart. */
export interface RowValue {
  group: unknown;
  series: unknown;
  /** Undefined if the row has none, or is only counted. */
  number: number | undefined;
}
export type RowValues = Iterable<RowValue>;
