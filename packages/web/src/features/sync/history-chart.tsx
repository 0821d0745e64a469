import type { Chart, ChartData } from '@datadeck/contract';
import { lazy, Suspense } from 'react';
import type { Sync } from '../../api/models.ts';
import { Card } from '../../ui/card.tsx';
import { fetchCode } from '../../ui/fetch-code.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

const ChartFigure = lazy(async () => ({
  default: await fetchCode(async () => (await import('../../ui/charts/chart-figure.tsx')).ChartFigure),
}));

interface HistoryChartProps {
  syncs: readonly Sync[];
  /** Titles of entities by label. */
  titles: ReadonlyMap<string, string>;
}

const CHART: Chart = {
  kind: 'bars',
  x: 'synchronization',
  measure: 'sum',
  y: 'time elapsed',
  unit: 'seconds',
};

/** Returns the durations of syncs, the oldest first. */
function durationsOf({ syncs, titles }: HistoryChartProps): ChartData {
  const timed = syncs.filter(({ summary }) => summary.seconds !== undefined).toReversed();
  return {
    chart: CHART,
    proposed: CHART,
    columns: [],
    rows: timed.length,
    missing: 0,
    problem: null,
    axis: 'groups',
    bucket: null,
    binWidth: null,
    timeZone: 'UTC',
    groups: timed.map(({ number, entityLabel }) => `#${number} ${titles.get(entityLabel) ?? entityLabel}`),
    combinedGroups: 0,
    series: [{ key: null, values: timed.map(({ summary }) => summary.seconds ?? null) }],
    combinedSeries: 0,
    isPartial: false,
  };
}

/** Shows the duration of the page's syncs. */
export function HistoryChart(props: HistoryChartProps) {
  const data = durationsOf(props);
  if (data.groups.length < 2) return null;
  return (
    <Card title="Duration">
      <Suspense fallback={<Skeleton className="h-40" />}>
        <ChartFigure data={data} title="Synchronizations of this page" isTile />
      </Suspense>
    </Card>
  );
}
