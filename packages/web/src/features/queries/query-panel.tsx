import type { Bindings, Parameter } from '@datadeck/contract';
import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useEffect, useState } from 'react';
import type { Template } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import type { CodeEditorHandle } from '../../ui/code-editor.tsx';
import { fetchCode } from '../../ui/fetch-code.ts';
import { Switch } from '../../ui/switch.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { EditorSkeleton } from '../expressions/editor-skeleton.tsx';
import { useEvaluation } from '../expressions/evaluation/use-evaluation.ts';
import type { ExpressionAnalysis } from '../expressions/jsonata-editor.tsx';
import { type Output, OutputPanel } from './output-panel.tsx';
import { QueriesSelect } from './queries-select.tsx';
import { QueryInputs } from './query-inputs.tsx';
import { SaveQueryDialog } from './save-query-dialog.tsx';
import { useAllResults } from './use-all-results.ts';
import { useExpressionWriter } from './use-expression-writer.ts';
import { useQueryDownloadItems } from './use-query-download-items.ts';
import { type KnownInputs, useQueryInputs } from './use-query-inputs.ts';

const JsonataEditor = lazy(() => fetchCode(() => import('../expressions/jsonata-editor.tsx')));

/** Debounce delay before the expression runs, ms. */
const EXPRESSION_DEBOUNCE = 1000;

interface QueryPanelProps {
  template: Template | undefined;
  /** The template's `templateName`. */
  templateId: string;
  /** Selects rows of the template; empty: all. */
  search: string;
  /** Its rows alone are read; empty: all accounts. */
  account: string;
  /** The rows of the page; undefined before the template has run. */
  rows: readonly unknown[] | undefined;
  /** The expression. */
  query: string;
  onQueryChange: (query: string) => void;
  /** The values of the expression's variables. */
  knownInputs: KnownInputs;
  /** Called with the expression's variables as parameters of a view. */
  onParametersChange?: (parameters: readonly Parameter[]) => void;
  editor: RefObject<CodeEditorHandle | null>;
  /** Names of the fields to show first in whole records. */
  preferredColumns?: readonly string[];
  hiddenColumns?: readonly string[] | undefined;
  /** Further actions next to Save. */
  actions?: ReactNode;
}

interface Run {
  settled: string;
  overAll: boolean;
  bindings: Bindings;
  advice: string | undefined;
}

function useOutput(props: QueryPanelProps, { settled, overAll, bindings, advice }: Run): Output {
  const { template, search, account, rows, query } = props;
  const live = useEvaluation(settled, overAll ? undefined : rows, bindings);
  const all = useAllResults({
    isOn: overAll,
    expression: settled,
    entity: template?.entity ?? '',
    templateKey: template?.templateKey ?? '',
    search,
    account,
    bindings,
  });
  const downloads = useQueryDownloadItems({
    entity: template?.entity ?? '',
    templateKey: template?.templateKey ?? '',
    expression: settled,
    ...(search !== '' && { search }),
    ...(account !== '' && { account }),
    ...(Object.keys(bindings).length > 0 && { parameters: bindings }),
  });
  const isTyping = settled !== query;
  if (overAll) {
    const { answer } = all;
    return {
      value: answer && (answer.isArray ? answer.results : answer.results[0]),
      hasValue: answer !== undefined,
      failure: all.failure,
      advice,
      isPending: all.isRunning || isTyping,
      rows: answer?.rows ?? 0,
      isOverAll: true,
      elapsedMs: answer?.elapsedMs,
      pushedDown: answer?.pushedDown,
      downloads: answer?.isArray ? downloads : undefined,
      paging: answer?.isArray ? { page: all.page, count: answer.count, onChange: all.setPage } : undefined,
      sorting: answer?.isArray ? all.sorting : undefined,
    };
  }
  const { evaluation } = live;
  return {
    value: evaluation?.ok ? evaluation.result : undefined,
    hasValue: evaluation?.ok === true,
    failure: evaluation && !evaluation.ok ? evaluation.failure : undefined,
    advice,
    isPending: live.isRunning || (isTyping && rows !== undefined),
    rows: rows?.length ?? 0,
    isOverAll: false,
    elapsedMs: evaluation?.ok ? evaluation.elapsedMs : undefined,
  };
}

const NO_ANALYSIS: ExpressionAnalysis = { advice: undefined, inputs: [] };

function isSame(one: ExpressionAnalysis, other: ExpressionAnalysis): boolean {
  return one.advice === other.advice && one.inputs.join() === other.inputs.join();
}

/** The expression editor with the saved queries, and the result over the rows. */
export function QueryPanel(props: QueryPanelProps) {
  const { rows, query, onQueryChange, knownInputs, onParametersChange, editor, actions } = props;
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const { replace, filterResult } = useExpressionWriter({ query, onQueryChange, editor });
  const [isSaving, setIsSaving] = useState(false);
  const [overAll, setOverAll] = useState(false);
  const [settled, settleNow] = useSettled(query, EXPRESSION_DEBOUNCE);
  const [analysis, setAnalysis] = useState(NO_ANALYSIS);
  const takeAnalysis = useCallback(
    (next: ExpressionAnalysis) => setAnalysis((before) => (isSame(before, next) ? before : next)),
    [],
  );
  const { inputs, change, bindings, parameters } = useQueryInputs(analysis.inputs, knownInputs);
  useEffect(() => onParametersChange?.(parameters), [onParametersChange, parameters]);
  const output = useOutput(props, { settled, overAll, bindings, advice: analysis.advice });

  return (
    <Card
      flush
      title="Query"
      actions={
        <span className="flex items-center gap-2">
          {actions}
          <Button
            size="sm"
            variant="primary"
            disabled={!mayChange || query.trim() === ''}
            title={forbidden}
            onClick={() => setIsSaving(true)}
          >
            Save
          </Button>
        </span>
      }
    >
      <div className="flex flex-col gap-3 border-b p-4">
        <QueriesSelect query={query} onPick={({ expression }) => void replace(expression)} />
        <Suspense fallback={<EditorSkeleton />}>
          <JsonataEditor
            label="Query expression"
            placeholder="A JSONata expression over the rows, such as $count($)"
            value={query}
            onChange={onQueryChange}
            onSubmit={settleNow}
            rows={rows}
            isSample={overAll}
            bindings={bindings}
            failure={output.failure}
            onAnalysis={takeAnalysis}
            handle={editor}
          />
        </Suspense>
        <QueryInputs inputs={inputs} onChange={change} />
        <Switch label="All results" checked={overAll} onChange={setOverAll} disabled={rows === undefined} />
      </div>
      <OutputPanel
        output={output}
        templateId={props.templateId}
        onFilter={filterResult}
        hiddenColumns={props.hiddenColumns}
        {...(props.preferredColumns && { preferredColumns: props.preferredColumns })}
      />
      {isSaving && <SaveQueryDialog query={query} onClose={() => setIsSaving(false)} />}
    </Card>
  );
}
