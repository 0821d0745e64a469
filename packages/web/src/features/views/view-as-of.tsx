import { AS_OF_LIMITS, type ReachableRun } from '@datadeck/contract';
import { useEffect, useRef, useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import type { View } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { formatDate } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/duration.ts';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { useViewRunsQuery } from './as-of-api.ts';
import { DifferenceToNow } from './view-difference.tsx';

/** Time after which a moved slider reads the view, ms. */
const SETTLE_MS = 250;

/** A view as of a run, which is in the address. */
export interface AsOf {
  /** Id of the run; undefined: now. */
  run: string | undefined;
  onChange: (run: string | undefined) => void;
}

/** Says what a run changed: `20 added, 3 updated`. */
function changesOf({ added, updated, removed }: ReachableRun): string {
  const parts = [
    [added, 'added'],
    [updated, 'updated'],
    [removed, 'removed'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`);
  return said.length === 0 ? 'nothing changed' : said.join(', ');
}

/** Says a position of the slider: a run, or now. */
function textOf(run: ReachableRun | undefined): string {
  return run ? `Run ${run.number} · ${formatDate(run.at)} · ${run.account}: ${changesOf(run)}` : 'Now';
}

interface RunSliderProps {
  /** Newest first. */
  runs: readonly ReachableRun[];
  chosen: string | undefined;
  onChange: AsOf['onChange'];
}

/** Chooses a run, from the oldest on the left to now on the right. */
function RunSlider({ runs, chosen, onChange }: RunSliderProps) {
  const positionOf = (run: string | undefined) => {
    const index = runs.findIndex(({ _id }) => _id === run);
    return index < 0 ? runs.length : runs.length - 1 - index;
  };
  const runAt = (position: number) => runs[runs.length - 1 - position];
  const [position, setPosition] = useState(() => positionOf(chosen));
  const timer = useRef<number>(undefined);
  // Back and Forward move the slider, too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other runs come with another slider
  useEffect(() => setPosition(positionOf(chosen)), [chosen]);
  useEffect(() => () => clearTimeout(timer.current), []);
  function move(to: number) {
    setPosition(to);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onChange(runAt(to)?._id), SETTLE_MS);
  }
  return (
    <label className="flex min-w-0 flex-1 flex-col gap-1">
      <span className="text-13 font-medium wrap-anywhere text-ink tabular-nums">
        {textOf(runAt(position))}
      </span>
      <input
        type="range"
        aria-label="As of a run"
        aria-valuetext={textOf(runAt(position))}
        min={0}
        max={runs.length}
        value={position}
        onChange={(event) => move(Number(event.target.value))}
        className="w-full accent-accent max-sm:h-10"
      />
    </label>
  );
}

interface ViewAsOfProps extends AsOf {
  view: View;
  parameters: string | undefined;
  account: string | undefined;
}

/** The slider of the runs as of which a view can be read, and the difference to now. */
function AsOfPanel({ view, parameters, account, run, onChange }: ViewAsOfProps) {
  const [page, setPage] = useState(1);
  const { data, isError, error, refetch } = useViewRunsQuery({ viewId: view.id, account, page });
  if (isError)
    return <LoadFailure sentence="The runs could not be loaded." detail={causeOf(error)} onRetry={refetch} />;
  if (!data) return <p className="text-12 text-ink-3">Loading runs…</p>;
  const { results, count, isCut } = data;
  if (results.length === 0)
    return <p className="text-13 text-ink-2">No run of this view's records has ended.</p>;
  const pages = Math.ceil(count / AS_OF_LIMITS.runsPage);
  const oldest = formatDate(results.at(-1)?.at ?? '');
  return (
    <div className="flex flex-col gap-2">
      <RunSlider key={page} runs={results} chosen={run} onChange={onChange} />
      <div className="flex flex-wrap items-center justify-between gap-2 text-12 text-ink-3">
        <span>
          {formatCount(count)} runs, {page === pages ? `back to ${oldest}.` : `these back to ${oldest}.`}
          {isCut && page === pages && ' What older runs changed is no longer kept.'}
        </span>
        {pages > 1 && (
          <span className="flex gap-2">
            <Button size="sm" disabled={page === pages} onClick={() => setPage(page + 1)}>
              Older runs
            </Button>
            <Button size="sm" disabled={page === 1} onClick={() => setPage(page - 1)}>
              Newer runs
            </Button>
          </span>
        )}
      </div>
      {run !== undefined && (
        <DifferenceToNow viewId={view.id} run={run} parameters={parameters} account={account} />
      )}
    </div>
  );
}

/** Opens the slider of runs, as a line of the view's description. */
export function AsOfButton({ onOpen }: { onOpen: () => void }) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-ink-3">Rows</dt>
      <dd className="text-13">
        Now, or{' '}
        <button type="button" className="text-accent-text hover:underline max-sm:py-2" onClick={onOpen}>
          as of a run
        </button>
      </dd>
    </div>
  );
}

/** The slider of runs of a view. */
export function ViewAsOf({ onClose, ...props }: ViewAsOfProps & { onClose: () => void }) {
  const { run } = props;
  return (
    <section
      aria-label="As of a run"
      className={`flex flex-col gap-2 border-b px-4 py-3 ${run === undefined ? '' : 'bg-accent-soft'}`}
    >
      <AsOfPanel {...props} />
      <div>
        <Button size="sm" onClick={onClose}>
          Back to now
        </Button>
      </div>
    </section>
  );
}
