import type { Sync } from '../../api/models.ts';
import { Card } from '../../ui/card.tsx';
import { formatDuration } from '../../ui/duration.ts';
import { BarChart } from '../../ui/results/bar-chart.tsx';

interface HistoryChartProps {
  syncs: readonly Sync[];
  /** Titles of entities by label. */
  titles: ReadonlyMap<string, string>;
}

/** Shows the duration of the page's syncs. */
export function HistoryChart({ syncs, titles }: HistoryChartProps) {
  const bars = syncs.flatMap(({ number, entityLabel, summary }) =>
    summary.seconds === undefined
      ? []
      : [{ labels: [`#${number} ${titles.get(entityLabel) ?? entityLabel}`], value: summary.seconds }],
  );
  if (bars.length < 2) return null;
  // The list is newest first; a time axis is oldest first.
  bars.reverse();
  return (
    <Card title="Duration" flush>
      <BarChart
        label="Synchronizations of this page"
        distribution={{ measure: 'time elapsed', measures: [], bars, count: bars.length }}
        format={formatDuration}
      />
    </Card>
  );
}
