import { formatCount } from '../../ui/duration.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { PushedDownLine } from '../expressions/pushed-down.tsx';
import type { Output } from './use-refinement.ts';

/** Returns the rows in words: `all 160 rows`, `the 20 rows of this page`. */
function rowsInWords({ rows, isOverAll }: Output): string {
  if (isOverAll) return rows === 1 ? 'the only row' : `all ${formatCount(rows)} rows`;
  return rows === 1 ? 'the one row of this page' : `the ${formatCount(rows)} rows of this page`;
}

function Summary({ output }: { output: Output }) {
  if (output.isPending)
    return (
      <span className="flex items-center gap-1.5">
        <Spinner size={12} /> Evaluating
      </span>
    );
  if (!output.hasValue) return null;
  const time = output.elapsedMs === undefined ? '' : ` in ${Math.max(1, Math.round(output.elapsedMs))} ms`;
  return (
    <span>
      Ran over {rowsInWords(output)}
      {time}
    </span>
  );
}

/** Says how the evaluation of the expression went: over which rows, or its error. */
export function OutputStatus({ output }: { output: Output }) {
  const { failure, advice } = output;
  return (
    <div className="flex flex-col gap-2">
      <div aria-live="polite" className="flex min-h-5 items-center text-12 text-ink-3 tabular-nums">
        <Summary output={output} />
      </div>
      {!failure && !output.isPending && output.pushedDown && (
        <PushedDownLine pushedDown={output.pushedDown} />
      )}
      {failure && (
        <p
          role="alert"
          className="break-words rounded-sm bg-error-soft px-3 py-2 font-mono text-12 text-error-text"
        >
          Error: {failure.message}
        </p>
      )}
      {failure && advice !== undefined && <p className="text-12 text-ink-2">{advice}</p>}
    </div>
  );
}
