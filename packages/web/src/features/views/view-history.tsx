import type { Curve } from '@datadeck/contract';
import { ChevronDown } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { useState } from 'react';
import { errorOf } from '../../api/failure.ts';
import type { View } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { countOf } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toasts } from '../../ui/toast.tsx';
import { CurveChart } from './curve-chart.tsx';
import { CurveDetails } from './curve-details.tsx';
import { formatChange, formatNumber, linesOf } from './curve-series.ts';
import { useCurveQuery, useKeepCurveMutation } from './curves-api.ts';

const KIND_NAMES = { number: 'Number', rows: 'Rows', groups: 'Groups' } as const;

/** The last number of a curve, and what changed since the point before. */
function LastNumbers({ curve: { kind, points } }: { curve: Curve }) {
  const { lines } = linesOf(points);
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-4 gap-y-1">
      {lines.slice(0, 3).map(({ name, numbers }) => {
        const [before, now] = [numbers.at(-2), numbers.at(-1)];
        if (now === undefined) return null;
        return (
          <span key={name} className="flex min-w-0 items-baseline gap-2">
            <span dir="auto" className="truncate text-12 text-ink-3">
              {name || KIND_NAMES[kind ?? 'number']}
            </span>
            <span className="text-20 font-semibold text-ink tabular-nums">{formatNumber(now)}</span>
            {before !== undefined && (
              <span className="text-12 text-ink-2 tabular-nums" title="Change since the point before">
                {formatChange(now - before)}
              </span>
            )}
          </span>
        );
      })}
    </span>
  );
}

/** The curve of a view whose history is kept: its last number, a small drawing, and on request all of it. */
export function ViewHistory({ view }: { view: View }) {
  const { data: curve } = useCurveQuery(view.id);
  const [isOpen, setIsOpen] = useState(false);
  if (!curve?.isKept) return null;
  if (curve.points.length === 0)
    return (
      <div className="border-b px-4 py-2 text-12 text-ink-3">
        {curve.problem === null ? (
          'The first point of the history is being read.'
        ) : (
          <NoticeLine tone="error">{curve.problem}</NoticeLine>
        )}
      </div>
    );
  return (
    <Collapsible.Root open={isOpen} onOpenChange={setIsOpen} className="border-b">
      <Collapsible.Trigger className="group flex min-h-12 w-full items-center gap-4 px-4 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2">
        <LastNumbers curve={curve} />
        <CurveChart
          points={curve.points}
          lines={linesOf(curve.points).lines}
          className="h-8 max-w-72 min-w-16 flex-1"
        />
        <span className="ml-auto flex shrink-0 items-center gap-2 text-13 font-medium text-ink-2">
          History
          <ChevronDown
            aria-hidden="true"
            size={14}
            className="-rotate-90 text-ink-3 transition-transform duration-100 group-data-[state=open]:rotate-0"
          />
        </span>
      </Collapsible.Trigger>
      {curve.problem !== null && (
        <div className="px-4 pb-3">
          <NoticeLine tone="error">The last point could not be read. {curve.problem}</NoticeLine>
        </div>
      )}
      <Collapsible.Content>
        <CurveDetails view={view} curve={curve} />
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

/** Begins or ends the history of a view. @param parameters values of its parameters, as JSON */
export function KeepHistory({ view, parameters }: { view: View; parameters: string | undefined }) {
  const { data: curve } = useCurveQuery(view.id);
  const [keepCurve, { isLoading }] = useKeepCurveMutation();
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  if (!curve) return null;
  const { isKept, since, count } = curve;
  async function change(wanted: boolean) {
    const message = `Are you sure you want to end the history of "${view.title}"?`;
    const detail = `Its ${countOf(count, 'point')} are deleted. Download them first to keep them.`;
    if (!wanted && count > 1 && !(await confirmDeletion('End the history', message, detail))) return;
    const { error } = await keepCurve({ viewId: view.id, isKept: wanted, ...(wanted && { parameters }) });
    if (error) toasts.error(errorOf(error)?.message ?? 'The history could not be changed');
  }
  return (
    <div
      title={mayChange ? undefined : forbidden}
      className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 border-t px-4 py-2"
    >
      <Switch
        label="Keep history"
        checked={isKept}
        disabled={!mayChange || isLoading}
        onChange={(wanted) => void change(wanted)}
      />
      <span className="text-12 text-ink-3">
        {since === null ? (
          'Stores the number of this view, or its number of rows, after each run from now on.'
        ) : (
          <>
            Since <DateTime iso={since} />
          </>
        )}
      </span>
    </div>
  );
}
