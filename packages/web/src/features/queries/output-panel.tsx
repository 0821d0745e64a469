import { PAGE_SIZES } from '@datadeck/contract';
import { preferredInResult } from '@datadeck/contract/table-columns';
import { CircleAlert, SearchX, Sigma } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { ResultsView } from '../../ui/results/results-view.tsx';
import { LoadingResult } from '../../ui/skeleton.tsx';
import type { Output } from './use-refinement.ts';
import type { ResultDisplay } from './use-result-display.ts';

interface OutputPanelProps {
  output: Output;
  display: ResultDisplay;
  /** The chart of all results. */
  chart: ReactNode;
  /** Called with the condition that a row has the value of a cell. */
  onFilter?: (condition: string) => void;
  /** Names of the most useful fields of whole records. */
  preferredColumns?: readonly string[];
  /** Names of fields that are no column while all rows have the same value. */
  hiddenColumns?: readonly string[] | undefined;
  /** Height while the result loads. */
  loadingHeight: string;
}

function NoOutput({ output }: { output: Output }) {
  const { failure, hasValue, isOverAll } = output;
  if (failure)
    return (
      <EmptyState
        icon={<CircleAlert size={20} />}
        title="The expression failed"
        hint="Its error is shown below the expression."
      />
    );
  if (hasValue)
    return (
      <EmptyState
        icon={<SearchX size={20} />}
        title="The expression matched nothing."
        hint={
          isOverAll
            ? 'No row contains a matching value.'
            : 'No row of this page contains a matching value. Turn on All results to search every row.'
        }
      />
    );
  return (
    <EmptyState
      icon={<Sigma size={20} />}
      title="Nothing to show yet"
      hint={`Write an expression, or choose one of the examples. It runs over ${isOverAll ? 'all results' : 'the results of this page'} as you type.`}
    />
  );
}

/** Shows the result of the expression. */
export function OutputPanel({
  output,
  display,
  chart,
  onFilter,
  preferredColumns = [],
  hiddenColumns,
  loadingHeight,
}: OutputPanelProps) {
  const { failure, hasValue, value, paging } = output;
  if (failure || !hasValue || value === undefined)
    return output.isPending && !failure && !hasValue ? (
      <LoadingResult className={loadingHeight} />
    ) : (
      <NoOutput output={output} />
    );
  return (
    <>
      <ResultsView
        {...display}
        value={value}
        sorting={output.sorting}
        onFilter={onFilter}
        label="Query output"
        chart={chart}
        fileName="query-output"
        wholeDownloads={output.downloads}
        preferredColumns={preferredInResult(value, preferredColumns)}
        hiddenColumns={hiddenColumns}
      />
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
    </>
  );
}
