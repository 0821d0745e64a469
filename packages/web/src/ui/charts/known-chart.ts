import type { Chart, ChartData, GroupKey } from '@datadeck/contract';

interface KnownNumbers extends Partial<Pick<ChartData, 'axis' | 'bucket' | 'timeZone'>> {
  chart: Chart;
  groups: readonly GroupKey[];
  series: readonly { key: GroupKey; values: readonly (number | null)[] }[];
}

/** Returns what a chart draws of numbers that the app has already. */
export function knownChart({ chart, groups, series, ...rest }: KnownNumbers): ChartData {
  return {
    chart,
    proposed: chart,
    columns: [],
    rows: groups.length,
    missing: 0,
    problem: null,
    axis: 'groups',
    bucket: null,
    binWidth: null,
    timeZone: 'UTC',
    combinedGroups: 0,
    combinedSeries: 0,
    isPartial: false,
    ...rest,
    groups: [...groups],
    series: series.map(({ key, values }) => ({ key, values: [...values] })),
  };
}
