import { PAGE_SIZES } from '@datadeck/contract';
import { preferredInResult } from '@datadeck/contract/table-columns';
import { SearchX } from 'lucide-react';
import { causeOf, errorOf, isUnreachable } from '../../api/failure.ts';
import type { View } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/duration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { clampPage, pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { ResultsView } from '../../ui/results/results-view.tsx';
import type { RowSorting } from '../../ui/results/sort-header.tsx';
import { LoadingResult } from '../../ui/skeleton.tsx';
import { type OnPage, useLastPage } from '../../ui/use-last-page.ts';
import { ChartOfView } from '../charts/chart-of-view.tsx';
import { ChartPanel } from '../charts/chart-panel.tsx';
import { useAccountColumns } from '../connections/use-account-columns.ts';
import { PushedDownLine } from '../expressions/pushed-down.tsx';
import { useRecordRows } from '../records/use-record-rows.tsx';
import { wholeRecordName } from '../records/whole-records.ts';
import { useUnsortable } from '../templates/use-sorting.ts';
import { NumberChange } from './number-change.tsx';
import { SaveDisplay } from './save-display.tsx';
import { useViewDisplay } from './use-view-display.ts';
import type { ViewFilter } from './view-filter.tsx';
import { useViewResultsQuery, type ViewPage } from './views-api.ts';

const NO_ROWS: readonly unknown[] = [];

interface ViewResultsProps {
  view: View;
  /** Values of the view's parameters, as JSON. */
  parameters: string | undefined;
  /** Its rows alone are read; undefined: all accounts. */
  account: string | undefined;
  page: number;
  onPage: OnPage;
  /** The order of the results. */
  sorting: RowSorting;
  filter: ViewFilter;
  /** Id of the run as of whose end the view is shown, without a filter; undefined: now. */
  asOf: string | undefined;
  /** Whether the records of the entity have a reading view. */
  isReadable: boolean;
  /** Names of the most useful fields of whole records. */
  preferredColumns: readonly string[];
  /** Whether a row is marked as new. */
  isNew?: ((row: unknown) => boolean) | undefined;
}

/** Returns why there is no data. Errors of the expression have the same text as in a query's results. */
function reasonOf(error: unknown): string {
  const code = errorOf(error)?.code;
  const isOfExpression = code === 'expression-invalid' || code === 'expression-failed';
  return `${isOfExpression ? 'Error' : 'Reason'}: ${causeOf(error)}`;
}

/** The data of a view, in pages. */
export function ViewResults({ view, parameters, account, page, onPage, ...props }: ViewResultsProps) {
  const { preferredColumns, hiddenColumns } = useAccountColumns(props.preferredColumns);
  const { sorting, filter, asOf } = props;
  const { changed, onUndo, chart, onChart, ...display } = useViewDisplay({
    view,
    sorting,
    // A filter asks for rows, such as those of a mark on a board.
    showsRows: props.isNew !== undefined || filter.text !== '',
  });
  const { data, currentData, isFetching, isError, error, refetch } = useViewResultsQuery({
    viewId: view.id,
    page,
    parameters,
    account,
    ...(sorting.sort !== '' && { sort: sorting.sort }),
    ...(asOf === undefined ? filter.text !== '' && { filter: filter.text } : { asOf }),
  });
  useUnsortable(error, sorting);
  const shown = currentData ?? (isFetching ? data : undefined);
  const records = useRecordRows({
    providerId: view.providerId,
    entityLabel: view.entityLabel,
    rows: shown?.results ?? NO_ROWS,
    isReadable: props.isReadable,
    nameOf: wholeRecordName,
    isOpenedByRow: true,
  });
  const known = currentData && pageCount(currentData.count, PAGE_SIZES.results);
  const isBeyond = useLastPage(page, known, onPage);
  if (isError)
    return (
      <div className="p-4">
        <LoadFailure
          sentence={
            isUnreachable(error)
              ? 'Failed fetching view data.'
              : 'Failed fetching view data. Query might be too complex.'
          }
          detail={reasonOf(error)}
          onRetry={refetch}
        />
      </div>
    );
  if (!shown || isBeyond) return <LoadingResult className="h-[28rem]" />;
  if (shown.results.length === 0 && filter.text !== '')
    return (
      <EmptyState
        icon={<SearchX size={20} />}
        title="No row matches the filter."
        action={<Button onClick={filter.onClear}>Show all rows</Button>}
      />
    );
  if (shown.results.length === 0)
    return (
      <EmptyState
        icon={<SearchX size={20} />}
        title="The view is empty."
        hint={
          asOf === undefined
            ? 'Its query matches none of the synchronized records.'
            : 'Its query matched none of the records at the end of this run.'
        }
      />
    );
  const total = pageCount(shown.count, PAGE_SIZES.results);
  return (
    <>
      <ResultsView
        isNew={props.isNew}
        {...display}
        sorting={shown.isArray ? sorting : undefined}
        actions={changed && <SaveDisplay view={view} display={changed} onUndo={onUndo} />}
        onFilter={asOf === undefined ? filter.onFilter : undefined}
        history={
          shown.results.some((row) => wholeRecordName(row) !== undefined) ? records.history : undefined
        }
        value={shown.isArray ? shown.results : shown.results[0]}
        label="View data"
        chart={
          asOf === undefined ? (
            <ChartPanel onChart={onChart}>
              {(onData) => (
                <ChartOfView
                  viewId={view.id}
                  title={view.title}
                  chart={chart}
                  parameters={parameters}
                  account={account}
                  filter={filter.text === '' ? undefined : filter.text}
                  onData={onData}
                  onChart={onChart}
                  pickHint="Click to see the rows"
                  change={
                    account === undefined && filter.text === ''
                      ? (value) => <NumberChange viewId={view.id} parameters={parameters} value={value} />
                      : undefined
                  }
                  onPick={({ condition }) => {
                    if (condition === undefined || !shown.isArray) return;
                    filter.onFilter(condition);
                    display.onMode('table');
                  }}
                />
              )}
            </ChartPanel>
          ) : (
            <p className="p-4 text-13 text-ink-2">
              Charts show now. Choose Table to see the rows as of the run.
            </p>
          )
        }
        preferredColumns={preferredInResult(shown.results, preferredColumns)}
        hiddenColumns={hiddenColumns}
      />
      {records.dialogs}
      {shown.pushedDown && (
        <div className="border-t px-4 pt-2">
          <PushedDownLine pushedDown={shown.pushedDown} />
        </div>
      )}
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t px-4 py-2 [div+&]:border-t-0">
        <span className="text-12 text-ink-3 tabular-nums">{countOf(shown.count, 'result')}</span>
        {shown.isArray && display.mode !== 'chart' && (
          <Pagination
            label="View data pages"
            page={clampPage(page, total)}
            total={total}
            onChange={(next) => {
              if (!isFetching) onPage(next);
            }}
          />
        )}
      </div>
    </>
  );
}

/** Returns whether the view has results; the downloads need them. */
export function useHasResults(request: ViewPage): boolean {
  const { currentData } = useViewResultsQuery(request);
  return (currentData?.results.length ?? 0) > 0;
}
