import type { ChartData } from '@datadeck/contract';
import { ChartNoAxesColumn } from 'lucide-react';
import type { ReactNode } from 'react';
import { causeOf } from '../../api/failure.ts';
import type { ChartFigureProps } from '../../ui/charts/chart-figure.tsx';
import { LazyChartFigure } from '../../ui/charts/lazy-chart-figure.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ChartProblem } from './chart-problem.tsx';

/** Heights of the bars of a placeholder. */
const BARS = ['h-1/3', 'h-2/3', 'h-1/2', 'h-full', 'h-3/5', 'h-2/5', 'h-4/5', 'h-1/2'];

function LoadingChart({ height = 280 }: { height?: number | undefined }) {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="text-12 text-ink-3">Loading...</span>
      <div className="flex items-end gap-3" style={{ height }}>
        {BARS.map((bar, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <Skeleton key={index} className={classNames('flex-1', bar)} />
        ))}
      </div>
    </div>
  );
}

/** Says that nothing is proposed for rows that are shown elsewhere. */
function NoPicture() {
  return (
    <EmptyState
      icon={<ChartNoAxesColumn size={20} />}
      title="No picture fits these rows better than a table."
      hint="Choose a picture and a field above, or show the rows as a table."
    />
  );
}

/** An answer of the server, or why there is none yet. */
export interface LoadedChart {
  /** The last answer, also while another one is loading. */
  data?: ChartData | undefined;
  isFetching: boolean;
  isError: boolean;
  error?: unknown;
  refetch: () => unknown;
}

export interface ChartContentProps extends Omit<ChartFigureProps, 'data'> {
  loaded: LoadedChart;
  /** Draws what is proposed. */
  onPropose?: ((data: ChartData) => void) | undefined;
  /** Draws kinds that are no chart: a table, a text. */
  renderRows?: (data: ChartData) => ReactNode;
}

/** Shows a chart; the last picture stays while another one is loading. */
export function ChartContent({ loaded, onPropose, renderRows, ...figure }: ChartContentProps) {
  const { data, isFetching, isError, error, refetch } = loaded;
  if (isError && !isFetching)
    return <LoadFailure sentence="The chart could not be drawn." detail={causeOf(error)} onRetry={refetch} />;
  if (!data) return <LoadingChart height={figure.height} />;
  if (data.problem !== null)
    return (
      <ChartProblem
        data={data}
        problem={data.problem}
        onPropose={onPropose && data.proposed.kind !== 'table' ? () => onPropose(data) : undefined}
      />
    );
  if (data.chart.kind === 'table' || data.chart.kind === 'text') return renderRows?.(data) ?? <NoPicture />;
  return (
    <div aria-busy={isFetching} className={classNames('min-w-0', isFetching && 'opacity-60')}>
      <LazyChartFigure data={data} {...figure} fallback={<LoadingChart height={figure.height} />} />
    </div>
  );
}
