import { formatNumber } from '../../ui/charts/chart-labels.ts';
import { formatDate } from '../../ui/date-time.tsx';
import { useCurveQuery } from './curves-api.ts';

interface NumberChangeProps {
  viewId: string;
  /** Values of the view's parameters, as JSON. */
  parameters: string | undefined;
  /** The number that is shown. */
  value: number;
}

/** How the number of a view changed since the run before, if its history is kept and ends with this number; else nothing. */
export function NumberChange({ viewId, parameters, value }: NumberChangeProps) {
  const { data: curve } = useCurveQuery(viewId);
  if (!curve?.isKept || curve.parameters !== (parameters ?? null)) return null;
  const [before, last] = curve.points.slice(-2);
  const earlier = before?.values[''];
  if (!before || !last || last.isRedefined || earlier === undefined || last.values[''] !== value) return null;
  const difference = value - earlier;
  const text = difference === 0 ? '±0' : `${difference > 0 ? '+' : '−'}${formatNumber(Math.abs(difference))}`;
  return (
    <p className="text-13 text-ink-2 tabular-nums">
      {text} since {formatDate(before.at)}
    </p>
  );
}
