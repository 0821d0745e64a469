import { lazy, type ReactNode, type RefObject, Suspense, useState } from 'react';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import type { CodeEditorHandle } from '../../ui/code-editor.tsx';
import { fetchCode } from '../../ui/fetch-code.ts';
import { Switch } from '../../ui/switch.tsx';
import { EditorSkeleton } from '../expressions/editor-skeleton.tsx';
import { OutputStatus } from './output-status.tsx';
import { QueriesSelect } from './queries-select.tsx';
import { QueryInputs } from './query-inputs.tsx';
import { SaveQueryDialog } from './save-query-dialog.tsx';
import type { ExpressionWriter } from './use-expression-writer.ts';
import type { Refinement } from './use-refinement.ts';

const JsonataEditor = lazy(() => fetchCode(() => import('../expressions/jsonata-editor.tsx')));
const ExpressionTools = lazy(() => fetchCode(() => import('../expressions/builder/expression-tools.tsx')));

interface QueryPanelProps {
  /** The rows of the page; undefined before the template has run. */
  rows: readonly unknown[] | undefined;
  /** The expression. */
  query: string;
  onQueryChange: (query: string) => void;
  writer: ExpressionWriter;
  refinement: Refinement;
  editor: RefObject<CodeEditorHandle | null>;
  /** Goes to the result, which is above the editor on narrow screens. */
  onShowResult: () => void;
  /** Names of the fields to show first in whole records. */
  preferredColumns: readonly string[];
  /** Further actions next to Save. */
  actions?: ReactNode;
}

/** The expression editor with saved queries, examples and the builder; below it how the evaluation went. */
export function QueryPanel(props: QueryPanelProps) {
  const { rows, query, onQueryChange, writer, refinement, editor, preferredColumns, actions } = props;
  const { output, isOverAll } = refinement;
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [isSaving, setIsSaving] = useState(false);

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
      <div className="flex flex-col gap-3 p-4">
        <QueriesSelect query={query} onPick={({ expression }) => void writer.replace(expression)} />
        <Suspense fallback={<EditorSkeleton />}>
          <JsonataEditor
            label="Query expression"
            placeholder="A JSONata expression over the rows, such as $count($)"
            value={query}
            onChange={onQueryChange}
            onSubmit={refinement.settleNow}
            rows={rows}
            isSample={isOverAll}
            bindings={refinement.bindings}
            failure={output.failure}
            onAnalysis={refinement.takeAnalysis}
            handle={editor}
          />
          <ExpressionTools
            expression={query}
            rows={rows}
            preferredColumns={preferredColumns}
            onWrite={writer.write}
            onReplace={(expression) => void writer.replace(expression)}
          />
        </Suspense>
        <QueryInputs inputs={refinement.inputs} onChange={refinement.changeInput} />
        <Switch
          label="All results"
          checked={isOverAll}
          onChange={refinement.setOverAll}
          disabled={rows === undefined}
        />
        <OutputStatus output={output} />
        {output.hasValue && (
          <Button size="sm" className="self-start lg:hidden" onClick={props.onShowResult}>
            Show result
          </Button>
        )}
      </div>
      {isSaving && <SaveQueryDialog query={query} onClose={() => setIsSaving(false)} />}
    </Card>
  );
}
