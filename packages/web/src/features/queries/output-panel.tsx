import { PAGE_SIZES, type PushedDown } from '@datadeck/contract';
import { preferredInResult } from '@datadeck/contract/table-columns';
import { SearchX, Sigma } from 'lucide-react';
import { formatCount } from '../../ui/duration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { ResultsView } from '../../ui/results/results-view.tsx';
import type { RowSorting } from '../../ui/results/sort-header.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { EvaluationFailure } from '../expressions/evaluation/protocol.ts';
import { PushedDownLine } from '../expressions/pushed-down.tsx';
import { useColumnChoice } from '../templates/use-column-choice.ts';
import { useResultMode } from '../templates/use-result-mode.ts';

export interface Output {
  /** Undefined when nothing was evaluated. */
  value: unknown;
  hasValue: boolean;
  failure: EvaluationFailure | undefined;
  /** A sentence that helps to correct the failure. */
  advice?: string | undefined;
  isPending: boolean;
  /** Number of rows that the expression ran over. */
  rows: number;
  /** Whether these are all rows of the template, not only those of the page. */
  isOverAll: boolean;
  elapsedMs: number | undefined;
  /** The part of the expression that the database evaluated. */
  pushedDown?: PushedDown | undefined;
  /** Pages of an array result over all rows. */
  paging?: { page: number; count: number; onChange: (page: number) => void } | undefined;
  /** The order of an array result over all rows. */
  sorting?: RowSorting | undefined;
  /** Downloads of the whole result over all rows. */
  downloads?: readonly MenuItem[] | undefined;
}

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

interface OutputPanelProps {
  output: Output;
  /** The template's `templateName`. */
  templateId: string;
  /** Called with the condition that a row has the value of a cell. */
  onFilter?: (condition: string) => void;
  /** Names of the most useful fields of whole records. */
  preferredColumns?: readonly string[];
  /** Names of fields that are no column while all rows have the same value. */
  hiddenColumns?: readonly string[] | undefined;
}

/** Shows the result of the expression, or its error. */
export function OutputPanel({
  output,
  templateId,
  onFilter,
  preferredColumns = [],
  hiddenColumns,
}: OutputPanelProps) {
  const { failure, advice, hasValue, value, paging } = output;
  const mode = useResultMode('output');
  const columnChoice = useColumnChoice(`output/${templateId}`);
  return (
    <div className="flex min-w-0 flex-col">
      <div aria-live="polite" className="flex h-8 items-center px-4 text-12 text-ink-3 tabular-nums">
        <Summary output={output} />
      </div>
      {!failure && !output.isPending && output.pushedDown && (
        <div className="px-4 pb-3">
          <PushedDownLine pushedDown={output.pushedDown} />
        </div>
      )}
      {failure && (
        <p
          role="alert"
          className="mx-4 mb-4 break-words rounded-sm bg-error-soft px-3 py-2 font-mono text-12 text-error-text"
        >
          Error: {failure.message}
        </p>
      )}
      {failure && advice !== undefined && <p className="mx-4 -mt-2 mb-4 text-12 text-ink-2">{advice}</p>}
      {!failure && !hasValue && !output.isPending && (
        <EmptyState
          icon={<Sigma size={20} />}
          title="Nothing to show yet"
          hint={`Write an expression above. It runs over ${output.isOverAll ? 'all results' : 'the results of this page'} as you type.`}
        />
      )}
      {!failure && hasValue && value === undefined && (
        <EmptyState
          icon={<SearchX size={20} />}
          title="The expression matched nothing."
          hint={
            output.isOverAll
              ? 'No row contains a matching value.'
              : 'No row of this page contains a matching value. Turn on All results to search every row.'
          }
        />
      )}
      {!failure && hasValue && value !== undefined && (
        <div className="border-t">
          <ResultsView
            {...mode}
            value={value}
            sorting={output.sorting}
            columnChoice={columnChoice}
            onFilter={onFilter}
            label="Query output"
            fileName="query-output"
            wholeDownloads={output.downloads}
            total={paging?.count}
            preferredColumns={preferredInResult(value, preferredColumns)}
            hiddenColumns={hiddenColumns}
          />
        </div>
      )}
      {paging && paging.count > PAGE_SIZES.results && (
        <div className="flex justify-end border-t p-2">
          <Pagination
            label="Output pages"
            page={paging.page}
            total={pageCount(paging.count, PAGE_SIZES.results)}
            onChange={paging.onChange}
          />
        </div>
      )}
    </div>
  );
}
