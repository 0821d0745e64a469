import type { Chart } from '@datadeck/contract';
import type { Sync } from '../../api/models.ts';
import { Card } from '../../ui/card.tsx';
import { knownChart } from '../../ui/charts/known-chart.ts';
import { LazyChartFigure } from '../../ui/charts/lazy-chart-figure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

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

/** Shows the duration of the page's syncs, the oldest first. */
export function HistoryChart({ syncs, titles }: HistoryChartProps) {
  const timed = syncs.filter(({ summary }) => summary.seconds !== undefined).toReversed();
  if (timed.length < 2) return null;
  const data = knownChart({
    chart: CHART,
    groups: timed.map(({ number, entityLabel }) => `#${number} ${titles.get(entityLabel) ?? entityLabel}`),
    series: [{ key: null, values: timed.map(({ summary }) => summary.seconds ?? null) }],
  });
  return (
    <Card title="Duration">
      <LazyChartFigure
        data={data}
        title="Synchronizations of this page"
        isTile
        fallback={<Skeleton className="h-40" />}
      />
    </Card>
  );
}
