import { LIMITS, PAGE_SIZES } from '@datadeck/contract';
import { TableProperties } from 'lucide-react';
import { useRef, useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import type { Template } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import type { CodeEditorHandle } from '../../ui/code-editor.tsx';
import { countOf } from '../../ui/duration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { clampPage, pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import type { RowSorting } from '../../ui/results/sort-header.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { LoadingResult } from '../../ui/skeleton.tsx';
import { type OnPage, useLastPage } from '../../ui/use-last-page.ts';
import { ChartOfQuery } from '../charts/chart-of-query.tsx';
import { type AccountChoices, AccountFilter } from '../connections/account-filter.tsx';
import { useAccountColumns } from '../connections/use-account-columns.ts';
import { useRecordRows } from '../records/use-record-rows.tsx';
import { useAggregationQuery } from '../templates/templates-api.ts';
import { useUnsortable } from '../templates/use-sorting.ts';
import { ALL_ROWS, SaveAsViewDialog } from '../views/save-as-view-dialog.tsx';
import { useOfferView } from '../views/use-offer-view.tsx';
import { OutputPanel } from './output-panel.tsx';
import { QueryPanel } from './query-panel.tsx';
import { RowSearchField } from './row-search-field.tsx';
import { RowsPanel } from './rows-panel.tsx';
import { useExpressionWriter } from './use-expression-writer.ts';
import type { KnownInputs } from './use-query-inputs.ts';
import { useRefinement } from './use-refinement.ts';
import { displayForNewView, type ResultDisplay, useResultDisplay } from './use-result-display.ts';

/** Height of the rows, also while they or the result load. */
const HEIGHT = 'h-[32rem]';
const NO_COLUMNS: readonly string[] = [];

/** What the pane on the left shows: the rows of the template, or the result of the expression over them. */
const PANES = [
  { value: 'rows', label: 'Rows' },
  { value: 'result', label: 'Result' },
] as const;
type Pane = (typeof PANES)[number]['value'];

/** Returns the texts that the dialog suggests for a view of all rows of a template. */
function textsOf({ title, description }: Template) {
  return {
    title: title.slice(0, LIMITS.viewTitle).trim(),
    description: description.slice(0, LIMITS.viewDescription).trim(),
  };
}

/** Adds an account to a search, so that a view keeps it. */
function inAccount(search: string, account: string): string {
  return account === '' ? search : `account:"${account.replaceAll('"', ' ')}" ${search}`.trim();
}

interface QueryResultsStepProps {
  template: Template | undefined;
  isLoadingTemplate: boolean;
  /** Set when the selected template could not be loaded. */
  templateFailure: { sentence: string; onRetry: () => unknown } | undefined;
  /** Whether the user ran the template; without it, no results are loaded. */
  hasRun: boolean;
  page: number;
  onPage: OnPage;
  /** The order of the results. */
  sorting: RowSorting;
  /** The template's `templateName`. */
  templateId: string;
  /** Selects rows of the template; empty: all. */
  search: string;
  onSearch: (search: string) => void;
  /** The chosen account, and the field that chooses it. */
  accounts: AccountChoices;
  /** Goes back to the choice of templates, step 0. */
  onTemplates: () => void;
  query: string;
  onQueryChange: (query: string) => void;
  knownInputs: KnownInputs;
  providerTitle: string;
  /** Whether the template's provider is connected. */
  isConnected: boolean;
  /** Whether the dialog that saves a view is open at first. */
  startsSaving: boolean;
  onSavingClosed: () => void;
}

/** Loads one page of the template's results. Loads nothing until the template has run. */
function useResults({
  template,
  hasRun,
  page,
  search,
  accounts: { account },
  sorting: { sort },
}: QueryResultsStepProps) {
  return useAggregationQuery(
    {
      entity: template?.entity ?? '',
      templateKey: template?.templateKey ?? '',
      page,
      ...(search !== '' && { search }),
      ...(account !== '' && { account }),
      ...(sort !== '' && { sort }),
    },
    { skip: !hasRun || !template },
  );
}

/** The filters of the rows, which hold for the result too. */
function RowFilters({ template, search, onSearch, accounts }: QueryResultsStepProps) {
  if (!template?.isSearchable && accounts.options.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-3 border-b p-4 *:flex-[1_1_12rem]">
      {template?.isSearchable && (
        <div>
          <RowSearchField search={search} onChange={onSearch} />
        </div>
      )}
      <AccountFilter provider={template?.providerId ?? ''} />
    </div>
  );
}

/**
 * Shows the rows in the pane until an expression is written; then its result. Fields that are picked from the rows keep the
 * rows, as more of them may follow.
 */
function usePane(query: string, onQueryChange: (query: string) => void) {
  const [pane, setPane] = useState<Pane>(query.trim() === '' ? 'rows' : 'result');
  const editor = useRef<CodeEditorHandle>(null);
  const isPicking = useRef(false);
  const changeQuery = (next: string) => {
    onQueryChange(next);
    if (!isPicking.current) setPane('result');
  };
  const pickPath = (path: string) => {
    isPicking.current = true;
    if (editor.current) editor.current.insert(path);
    // The editor's code still loads; it starts with the text.
    else onQueryChange(query + path);
    isPicking.current = false;
  };
  return { pane, setPane, editor, changeQuery, pickPath };
}

/** Step 1 of the Query screen: on the left the template's rows or the result, on the right the expression that refines them. */
export function QueryResultsStep(props: QueryResultsStepProps) {
  const { template, hasRun, page, query, search, sorting, templateId } = props;
  const { account } = props.accounts;
  const columns = useAccountColumns(template?.columns ?? NO_COLUMNS);
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const { pane, setPane, editor, changeQuery, pickPath } = usePane(query, props.onQueryChange);
  const writer = useExpressionWriter({ query, onQueryChange: changeQuery, editor });
  const rowsDisplay = useResultDisplay('query', templateId);
  const outputDisplay = useResultDisplay('output', templateId);
  const { offerView, boardDialog } = useOfferView();
  const top = useRef<HTMLDivElement>(null);
  const showResult = () => {
    setPane('result');
    top.current?.scrollIntoView({ block: 'start' });
  };
  const [isSavingView, setIsSavingView] = useState(props.startsSaving);
  const results = useResults(props);
  useUnsortable(results.error, sorting);
  // Keep showing the previous page while the next one loads.
  const data = hasRun ? (results.currentData ?? results.data) : undefined;
  const known = hasRun ? results.currentData : undefined;
  const rows = known?.results;
  const refinement = useRefinement({
    template,
    search,
    account,
    rows,
    query,
    knownInputs: props.knownInputs,
  });
  const records = useRecordRows({
    providerId: template?.providerId ?? '',
    entityLabel: template?.entity ?? '',
    rows: data?.results ?? NO_COLUMNS,
    isReadable: template?.isSearchable ?? false,
  });
  const isBeyond = useLastPage(page, known && pageCount(known.count, PAGE_SIZES.results), props.onPage);
  const failure =
    hasRun && results.isError
      ? { sentence: causeOf(results.error), onRetry: results.refetch }
      : props.templateFailure;
  const isLoading = props.isLoadingTemplate || isBeyond || (hasRun && !data && results.isFetching);
  const isShown = data !== undefined && !results.isError && !isBeyond;
  const shown = data?.count === 0 ? 'rows' : pane;
  const total = pageCount(data?.count ?? 0, PAGE_SIZES.results);
  const { bindings } = refinement;
  const chartOf = (display: ResultDisplay, expression: string, onFilter: (condition: string) => void) => (
    <ChartOfQuery
      query={{
        entity: template?.entity ?? '',
        templateKey: template?.templateKey ?? '',
        expression,
        ...(search !== '' && { search }),
        ...(account !== '' && { account }),
        ...(Object.keys(bindings).length > 0 && { parameters: bindings }),
      }}
      title={template?.title ?? ''}
      chart={display.chartSettings}
      onChart={display.onChartSettings}
      onPick={({ condition }) => condition !== undefined && onFilter(condition)}
    />
  );

  return (
    <div
      ref={top}
      className="grid items-start gap-6 lg:grid-cols-2 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
    >
      <Card
        flush
        title={template ? template.title : 'Results'}
        actions={
          // There while the rows load, so that the header keeps its height.
          hasRun && (
            <span className="flex items-center gap-3">
              <span className="text-12 text-ink-3 tabular-nums">{data && countOf(data.count, 'result')}</span>
              <Segmented
                label="Shown"
                value={shown}
                options={PANES}
                onChange={setPane}
                disabled={!data || data.count === 0}
              />
            </span>
          )
        }
      >
        {hasRun && <RowFilters {...props} />}
        {isLoading && <LoadingResult className={HEIGHT} />}
        {failure && !isLoading && (
          <div className="p-4">
            <LoadFailure {...failure} />
          </div>
        )}
        {!hasRun && !isLoading && !failure && (
          <EmptyState
            icon={<TableProperties size={20} />}
            title="No results. Please select a template and run the query."
            action={<Button onClick={props.onTemplates}>Go to Templates</Button>}
          />
        )}
        {isShown && shown === 'rows' && (
          <RowsPanel
            {...columns}
            template={template}
            display={rowsDisplay}
            chart={chartOf(rowsDisplay, '$', writer.filterRows)}
            rows={data}
            page={page}
            sorting={sorting}
            search={search}
            onShowAll={() => props.onSearch('')}
            onPickPath={pickPath}
            onFilter={writer.filterRows}
            history={template?.isOfRecords ? records.history : undefined}
            providerTitle={props.providerTitle}
            isConnected={props.isConnected}
            className={HEIGHT}
          />
        )}
        {isShown && shown === 'result' && (
          <OutputPanel
            {...columns}
            output={refinement.output}
            display={outputDisplay}
            chart={chartOf(outputDisplay, refinement.settled, writer.filterResult)}
            onFilter={writer.filterResult}
            loadingHeight={HEIGHT}
          />
        )}
        {isShown && (shown === 'rows' || !refinement.isOverAll) && (
          <div className="flex flex-wrap items-center justify-end gap-2 border-t p-2">
            {shown === 'result' && <span className="mr-auto pl-2 text-12 text-ink-3">Rows it runs over</span>}
            <Pagination
              label="Results pages"
              page={clampPage(page, total)}
              total={total}
              onChange={(next) => {
                // Ignore page changes while a page is loading.
                if (!results.isFetching) props.onPage(next);
              }}
            />
          </div>
        )}
      </Card>
      <QueryPanel
        rows={rows}
        query={query}
        onQueryChange={changeQuery}
        writer={writer}
        refinement={refinement}
        editor={editor}
        onShowResult={showResult}
        preferredColumns={columns.preferredColumns}
        actions={
          <Button size="sm" disabled={!mayChange} title={forbidden} onClick={() => setIsSavingView(true)}>
            Save as View
          </Button>
        }
      />
      {records.dialogs}
      {boardDialog}
      {isSavingView && (
        <SaveAsViewDialog
          template={template}
          // A link opens the dialog before an expression was written.
          query={props.startsSaving && query.trim() === '' ? ALL_ROWS : query}
          {...(props.startsSaving && template && { suggested: textsOf(template) })}
          onSaved={offerView}
          search={template?.isSearchable ? inAccount(search, account) : search}
          parameters={refinement.parameters}
          display={displayForNewView(query.trim() === '' ? rowsDisplay : outputDisplay)}
          providerTitle={props.providerTitle}
          onClose={() => {
            setIsSavingView(false);
            props.onSavingClosed();
          }}
        />
      )}
    </div>
  );
}
