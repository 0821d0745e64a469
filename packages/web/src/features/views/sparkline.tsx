import { CurveChart } from './curve-chart.tsx';
import { formatChange, formatNumber, linesOf } from './curve-series.ts';
import { useCurveQuery } from './curves-api.ts';

interface SparklineProps {
  viewId: string;
  /** Values of the view's parameters, as JSON. */
  parameters: string | undefined;
}

/** The kept history of a view's number with its last change; nothing without one for the same values. */
export function Sparkline({ viewId, parameters }: SparklineProps) {
  const { currentData: curve } = useCurveQuery(viewId);
  if (!curve?.isKept || curve.points.length < 2 || (curve.parameters ?? undefined) !== parameters)
    return null;
  const { lines } = linesOf(curve.points);
  const [first] = lines;
  const [before, now] = [first?.numbers.at(-2), first?.numbers.at(-1)];
  const isSingle = lines.length === 1 && before !== undefined && now !== undefined;
  const text = isSingle ? `${formatNumber(now)}, ${formatChange(now - before)} since the point before` : '';
  return (
    <span className="flex shrink-0 items-center gap-2" title={text || 'History'}>
      <CurveChart points={curve.points} lines={lines} className="h-5 w-16" />
      {isSingle && (
        <span className="text-12 text-ink-2 tabular-nums">
          <span className="sr-only">Change since the point before: </span>
          {formatChange(now - before)}
        </span>
      )}
    </span>
  );
}
