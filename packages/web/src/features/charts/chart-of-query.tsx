import type { Chart } from '@datadeck/contract';
import type { PickedMark } from '../../ui/charts/chart-figure.tsx';
import { useTimeZone } from '../sign-in/use-time-zone.ts';
import { ChartContent, type ChartContentProps } from './chart-content.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { type QueryChart, useQueryChartQuery } from './charts-api.ts';
import { useDrawn } from './use-drawn.ts';

interface QueryPictureProps extends Pick<ChartContentProps, 'title' | 'isTile' | 'height'> {
  /** The rows and the expression; `$` for the rows themselves. */
  query: Omit<QueryChart, 'chart' | 'timeZone'>;
  /** Settings; undefined: what the product proposes for the rows. */
  chart: Chart | undefined;
  onChart?: (chart: Chart) => void;
  /** Called with a mark that was clicked. */
  onPick?: (mark: PickedMark) => void;
  onData?: Parameters<typeof useDrawn>[1];
}

/** The picture of an expression over all rows of a template. */
export function QueryPicture(props: QueryPictureProps) {
  const { query, chart, onChart, onData, ...content } = props;
  const loaded = useQueryChartQuery({ ...query, ...(chart && { chart }), timeZone: useTimeZone() });
  useDrawn(loaded.currentData, onData);
  return (
    <ChartContent
      loaded={loaded}
      onPropose={onChart && (({ proposed }) => onChart(proposed))}
      pickHint="Click to filter by it"
      {...content}
    />
  );
}

/** The chart of an expression over all rows of a template, below the fields that change it. */
export function ChartOfQuery(props: QueryPictureProps & { onChart: (chart: Chart) => void }) {
  return (
    <ChartPanel onChart={props.onChart}>{(onData) => <QueryPicture {...props} onData={onData} />}</ChartPanel>
  );
}
