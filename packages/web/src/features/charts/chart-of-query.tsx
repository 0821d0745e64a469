import type { Chart } from '@datadeck/contract';
import type { PickedMark } from '../../ui/charts/chart-figure.tsx';
import { useTimeZone } from '../sign-in/use-time-zone.ts';
import { ChartContent } from './chart-content.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { type QueryChart, useQueryChartQuery } from './charts-api.ts';
import { useDrawn } from './use-drawn.ts';

interface ChartOfQueryProps {
  /** The rows and the expression; `$` for the rows themselves. */
  query: Omit<QueryChart, 'chart' | 'timeZone'>;
  title: string;
  /** Settings; undefined: what the product proposes for the rows. */
  chart: Chart | undefined;
  onChart: (chart: Chart) => void;
  /** Called with a mark that was clicked. */
  onPick: (mark: PickedMark) => void;
}

function Picture(props: ChartOfQueryProps & { onData: Parameters<typeof useDrawn>[1] }) {
  const { query, title, chart, onChart, onPick, onData } = props;
  const loaded = useQueryChartQuery({ ...query, ...(chart && { chart }), timeZone: useTimeZone() });
  useDrawn(loaded.currentData, onData);
  return (
    <ChartContent
      loaded={loaded}
      title={title}
      onPropose={({ proposed }) => onChart(proposed)}
      onPick={onPick}
      pickHint="Click to filter by it"
    />
  );
}

/** The chart of an expression over all rows of a template, below the fields that change it. */
export function ChartOfQuery(props: ChartOfQueryProps) {
  return (
    <ChartPanel onChart={props.onChart}>{(onData) => <Picture {...props} onData={onData} />}</ChartPanel>
  );
}
