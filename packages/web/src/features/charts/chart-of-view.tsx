import type { Chart, ChartData } from '@datadeck/contract';
import type { PickedMark } from '../../ui/charts/chart-figure.tsx';
import { useTimeZone } from '../sign-in/use-time-zone.ts';
import { ChartContent, type ChartContentProps } from './chart-content.tsx';
import { useViewChartQuery, type ViewChart } from './charts-api.ts';
import { FirstRows } from './first-rows.tsx';
import { useDrawn } from './use-drawn.ts';

export interface ChartOfViewProps
  extends Pick<ViewChart, 'viewId' | 'parameters' | 'account' | 'filter'>,
    Pick<ChartContentProps, 'title' | 'height' | 'isTile' | 'pickHint' | 'change' | 'actions'> {
  /** Settings; undefined: what the product proposes for the rows. */
  chart?: Chart | undefined;
  /** Called with what is drawn, when it is another one. */
  onData?: ((data: ChartData) => void) | undefined;
  /** Called with the proposed settings when the reader asks for them. */
  onChart?: ((chart: Chart) => void) | undefined;
  /** Called when a mark is clicked, or Enter is pressed on it. */
  onPick?: ((mark: PickedMark) => void) | undefined;
}

/** The chart of all rows of a view. It loads itself, and again when the data change. */
export function ChartOfView(props: ChartOfViewProps) {
  const { viewId, chart, parameters, account, filter, onData, onChart, ...content } = props;
  const timeZone = useTimeZone();
  const loaded = useViewChartQuery({
    viewId,
    timeZone,
    ...(chart && { chart }),
    ...(parameters !== undefined && { parameters }),
    ...(account !== undefined && { account }),
    ...(filter !== undefined && { filter }),
  });
  useDrawn(loaded.currentData, onData);
  return (
    <ChartContent
      loaded={loaded}
      onPropose={onChart && (({ proposed }) => onChart(proposed))}
      renderRows={({ chart: { kind } }) => (
        <FirstRows
          viewId={viewId}
          title={content.title}
          isText={kind === 'text'}
          {...(parameters !== undefined && { parameters })}
          {...(account !== undefined && { account })}
        />
      )}
      {...content}
    />
  );
}
