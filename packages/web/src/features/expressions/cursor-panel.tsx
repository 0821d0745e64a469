import { useMemo } from 'react';
import { countOf } from '../../ui/duration.ts';
import { useSettled } from '../../ui/use-settled.ts';
import type { Variables } from './evaluation/protocol.ts';
import { useEvaluation } from './evaluation/use-evaluation.ts';
import { documentationAt } from './language/documentation.ts';
import type { TypeEnvironment } from './language/infer.ts';
import { type WatchExpression, watchExpressionAt } from './language/watch-expression.ts';

interface CursorPanelProps {
  text: string;
  /** Undefined until the cursor is placed in the text. */
  position: number | undefined;
  rows: readonly unknown[] | undefined;
  /** Whether the rows are only some of those that the expression runs over. */
  isSample: boolean;
  bindings: Variables | undefined;
  environment: TypeEnvironment;
}

/** Debounce delay of cursor moves, ms. */
const CURSOR_DEBOUNCE = 250;
/** Maximum number of values that are shown. */
const MAX_VALUES = 4;
/** Maximum length of a value, characters. */
const MAX_VALUE_LENGTH = 60;

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;
}

/** Returns the number of values and the first of them as text. */
function summaryOf(value: unknown): { count: string; values: string } {
  if (value === undefined) return { count: 'no value', values: '' };
  if (!Array.isArray(value)) return { count: '1 value', values: short(value) };
  const values = value.slice(0, MAX_VALUES).map(short).join(', ');
  return {
    count: countOf(value.length, 'value'),
    values: value.length > MAX_VALUES ? `${values}, …` : values,
  };
}

function Value({
  watch,
  rows,
  isSample,
  bindings,
}: {
  watch: WatchExpression;
} & Pick<CursorPanelProps, 'rows' | 'isSample' | 'bindings'>) {
  const { evaluation } = useEvaluation(watch.expression, rows, bindings);
  // An unfinished expression has no value; the editor already marks the error.
  if (!evaluation?.ok) return null;
  const { count, values } = summaryOf(evaluation.result);
  const counted = isSample ? `${count} in the ${countOf(rows?.length ?? 0, 'row')} loaded here` : count;
  return (
    <p className="flex gap-1.5 whitespace-nowrap">
      <code title={watch.label} className="max-w-1/2 shrink-0 truncate font-mono text-ink-2">
        {watch.label}
      </code>
      <span title={`${counted} ${values}`} className="min-w-0 truncate tabular-nums">
        {counted} <code className="font-mono text-ink-2">{values}</code>
      </span>
    </p>
  );
}

/** Describes the function, variable or field at the cursor, with its value over the loaded rows. */
export function CursorPanel({ text, position, rows, isSample, bindings, environment }: CursorPanelProps) {
  const cursorText = `${position ?? ''}`;
  const [settledCursor] = useSettled(cursorText, CURSOR_DEBOUNCE);
  const at = settledCursor === '' ? undefined : Math.min(Number(settledCursor), text.length);
  const documentation = useMemo(
    () => (at === undefined ? null : documentationAt(text, at, environment)),
    [text, at, environment],
  );
  const watch = useMemo(() => (at === undefined ? null : watchExpressionAt(text, at)), [text, at]);
  const isIdle = documentation === null && watch === null;
  return (
    <section
      aria-label="At the cursor"
      className="min-h-10 min-w-0 flex-1 pt-1 text-12 leading-[18px] text-ink-3"
    >
      {isIdle && rows !== undefined && <p>Put the cursor on a name to see its type and value.</p>}
      {documentation && (
        <p title={documentation.lines.slice(0, 2).join(' · ')} className="line-clamp-2">
          <code className="font-mono text-ink-2">{documentation.title}</code>{' '}
          <span>{documentation.lines.slice(0, 2).join(' · ')}</span>
        </p>
      )}
      {watch && rows !== undefined && (
        <Value watch={watch} rows={rows} isSample={isSample} bindings={bindings} />
      )}
    </section>
  );
}
