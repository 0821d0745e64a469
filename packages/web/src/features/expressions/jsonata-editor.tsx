import { AlignLeft } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CodeEditor, type CodeEditorHandle, type CodeEditorProps } from '../../ui/code-editor.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { CursorPanel } from './cursor-panel.tsx';
import type { EvaluationFailure, Variables } from './evaluation/protocol.ts';
import { type JsonataLanguage, jsonataLanguage } from './language/codemirror.ts';
import { format } from './language/format.ts';
import { freeVariables } from './language/free-variables.ts';
import { adviceOn, diagnosticsIn } from './language/lint.ts';
import { shapeOfRows, shapeOfValue } from './language/shape.ts';

/** Debounce delay before the text is checked, ms. */
const LINT_DEBOUNCE = 300;

/** What the editor finds out about an expression, for the components around it. */
export interface ExpressionAnalysis {
  /** A sentence that helps to correct the error. */
  advice: string | undefined;
  /** Names of variables that the expression does not bind. */
  inputs: readonly string[];
}

interface JsonataEditorProps extends Omit<CodeEditorProps, 'extensions' | 'diagnostics' | 'onCursor'> {
  /** The rows that the expression runs over; undefined while there are none. */
  rows: readonly unknown[] | undefined;
  /** Whether the rows are only some of those that the expression runs over. */
  isSample: boolean;
  /** Values of variables. */
  bindings?: Variables | undefined;
  /** The error of the last evaluation. */
  failure?: EvaluationFailure | undefined;
  onAnalysis?: (analysis: ExpressionAnalysis) => void;
  /** Shown directly below the editor: errors and results. */
  note?: ReactNode;
}

function useTypeEnvironment(rows: readonly unknown[] | undefined, bindings: Variables | undefined) {
  const root = useMemo(() => (rows && rows.length > 0 ? shapeOfRows(rows) : undefined), [rows]);
  return useMemo(
    () => ({
      root,
      parameters: new Map(
        Object.entries(bindings ?? {}).map(([name, value]) => [
          name,
          value === undefined ? undefined : shapeOfValue(value),
        ]),
      ),
    }),
    [root, bindings],
  );
}

/** The expression editor, with completion and checks based on the data. Its code loads on first use. */
export default function JsonataEditor({
  rows,
  isSample,
  bindings,
  failure,
  onAnalysis,
  note,
  handle,
  ...rest
}: JsonataEditorProps) {
  const { value } = rest;
  const environment = useTypeEnvironment(rows, bindings);
  const current = useRef(environment);
  current.current = environment;
  const ownHandle = useRef<CodeEditorHandle>(null);
  const usedHandle = handle ?? ownHandle;
  const [cursor, setCursor] = useState<number>();
  const [settled] = useSettled(value, LINT_DEBOUNCE);
  const diagnostics = useMemo(() => diagnosticsIn(settled, environment), [settled, environment]);
  const marks = useMemo(() => {
    const { position, message } = failure ?? {};
    // Mark the engine's error only if the checks found nothing.
    if (position === undefined || message === undefined || diagnostics.length > 0) return diagnostics;
    return [{ from: Math.max(0, position - 1), to: position, severity: 'error' as const, message }];
  }, [diagnostics, failure]);

  useEffect(() => {
    onAnalysis?.({
      advice: failure && adviceOn(settled, failure, environment),
      inputs: freeVariables(settled),
    });
  }, [settled, failure, environment, onAnalysis]);

  function formatNow() {
    const result = format(value);
    if (result.ok) usedHandle.current?.replace(result.text);
    else toasts.error(result.reason);
  }
  const formatLatest = useRef(formatNow);
  formatLatest.current = formatNow;
  const language = useRef<JsonataLanguage>(null);
  language.current ??= jsonataLanguage(() => current.current);
  const isKnown = environment.root !== undefined;
  useEffect(() => {
    if (isKnown) language.current?.completeAgain();
  }, [isKnown]);
  const keys = useRef({ 'Shift-Alt-f': () => formatLatest.current() });

  return (
    <div className="flex min-w-0 flex-col gap-2">
      <CodeEditor
        {...rest}
        handle={usedHandle}
        extensions={language.current.extensions}
        keys={keys.current}
        diagnostics={marks}
        onCursor={setCursor}
      />
      {note}
      <div className="flex items-start justify-between gap-3">
        <CursorPanel
          text={settled}
          position={cursor}
          rows={rows}
          isSample={isSample}
          bindings={bindings}
          environment={environment}
        />
        <Button
          size="sm"
          variant="ghost"
          className="-mr-2.5"
          icon={<AlignLeft size={14} />}
          title="Format the expression (Shift Alt F)"
          disabled={value.trim() === ''}
          onClick={formatNow}
        >
          Format
        </Button>
      </div>
    </div>
  );
}
