import { lazy, Suspense, useCallback, useId, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { fetchCode } from '../../ui/fetch-code.ts';
import { RequiredMark } from '../../ui/field.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { EditorSkeleton } from './editor-skeleton.tsx';
import type { Variables } from './evaluation/protocol.ts';
import { useEvaluation } from './evaluation/use-evaluation.ts';
import type { ExpressionAnalysis } from './jsonata-editor.tsx';

const JsonataEditor = lazy(() => fetchCode(() => import('./jsonata-editor.tsx')));

/** Debounce delay before the expression runs over the sample, ms. */
const SAMPLE_DEBOUNCE = 500;

interface ExpressionFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
  /** The form's validation message. */
  error: string | undefined;
  /** A sample of the rows that the expression will run over. */
  rows: readonly unknown[] | undefined;
  /** Values of the expression's variables. */
  bindings: Variables;
}

/** The expression editor as a form field. It evaluates the expression over sample rows. */
export function ExpressionField({ label, error, onBlur, ...editor }: ExpressionFieldProps) {
  const { value, rows, bindings } = editor;
  const labelId = useId();
  const [settled] = useSettled(value, SAMPLE_DEBOUNCE);
  const { evaluation } = useEvaluation(settled, rows, bindings);
  const failure = evaluation && !evaluation.ok ? evaluation.failure : undefined;
  const [advice, setAdvice] = useState<string>();
  const takeAnalysis = useCallback((analysis: ExpressionAnalysis) => setAdvice(analysis.advice), []);
  const note = error ?? (failure && [failure.message, advice].filter(Boolean).join(' '));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handler only notices when the focus leaves the editor
    <div className="flex min-w-0 flex-col gap-1.5" onBlur={onBlur}>
      <div id={labelId} className="flex min-h-5 items-center gap-1 text-13 font-medium text-ink-2">
        {label}
        <RequiredMark />
      </div>
      <Suspense fallback={<EditorSkeleton />}>
        <JsonataEditor
          label={label}
          {...editor}
          isSample
          isInvalid={error !== undefined}
          failure={failure}
          onAnalysis={takeAnalysis}
          note={
            <p
              role="status"
              className={classNames(
                'text-12 empty:hidden',
                error !== undefined ? 'text-error-text' : 'text-ink-2',
              )}
            >
              {note}
            </p>
          }
        />
      </Suspense>
    </div>
  );
}
