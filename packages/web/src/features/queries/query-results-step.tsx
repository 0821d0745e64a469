import { LIMITS, PAGE_SIZES, type Parameter } from '@datadeck/contract';
import { SearchX, TableProperties } from 'lucide-react';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
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
import { ResultsView } from '../../ui/results/results-view.tsx';
import type { RowSorting } from '../../ui/results/sort-header.tsx';
import { LoadingResult } from '../../ui/skeleton.tsx';
import { type OnPage, useLastPage } from '../../ui/use-last-page.ts';
import { type AccountChoices, AccountFilter } from '../connections/account-filter.tsx';
import { useAccountColumns } from '../connections/use-account-columns.ts';
import { useRecordRows } from '../records/use-record-rows.tsx';
import { useAggregationQuery } from '../templates/templates-api.ts';
import { useColumnChoice } from '../templates/use-column-choice.ts';
import { useResultMode } from '../templates/use-result-mode.ts';
import { useUnsortable } from '../templates/use-sorting.ts';
import { ALL_ROWS, SaveAsViewDialog } from '../views/save-as-view-dialog.tsx';
import { useOfferView } from '../views/use-offer-view.ts';
import { QueryPanel } from './query-panel.tsx';
import { RowSearchField } from './row-search-field.tsx';
import { useExpressionWriter } from './use-expression-writer.ts';
import type { KnownInputs } from './use-query-inputs.ts';

/** Height of the results, also while they load. */
const HEIGHT = 'h-[32rem]';
const NO_COLUMNS: readonly string[] = [];

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

/** Step 1 of the Query screen: the results of the template on the left, the expression that refines them on the right. */
export function QueryResultsStep(props: QueryResultsStepProps) {
  const { template, hasRun, page, query, search, sorting } = props;
  const { options, account } = props.accounts;
  const { preferredColumns, hiddenColumns } = useAccountColumns(template?.columns ?? NO_COLUMNS);
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const editor = useRef<CodeEditorHandle>(null);
  const insertPath = (path: string) => {
    if (editor.current) editor.current.insert(path);
    // The editor's code still loads; it starts with the text.
    else props.onQueryChange(query + path);
  };
  const { filterRows } = useExpressionWriter({ query, onQueryChange: props.onQueryChange, editor });
  const mode = useResultMode('query');
  const offerView = useOfferView();
  const [isSavingView, setIsSavingView] = useState(props.startsSaving);
  const [parameters, setParameters] = useState<readonly Parameter[]>([]);
  const columnChoice = useColumnChoice(props.templateId);
  const results = useResults(props);
  useUnsortable(results.error, sorting);
  // Keep showing the previous page while the next one loads.
  const data = hasRun ? (results.currentData ?? results.data) : undefined;
  const records = useRecordRows({
    providerId: template?.providerId ?? '',
    entityLabel: template?.entity ?? '',
    rows: data?.results ?? NO_COLUMNS,
    isReadable: template?.isSearchable ?? false,
  });
  const total = pageCount(data?.count ?? 0, PAGE_SIZES.results);
  const known = hasRun ? results.currentData : undefined;
  const isBeyond = useLastPage(page, known && pageCount(known.count, PAGE_SIZES.results), props.onPage);
  const failure =
    hasRun && results.isError
      ? { sentence: causeOf(results.error), onRetry: results.refetch }
      : props.templateFailure;
  const isLoading = props.isLoadingTemplate || isBeyond || (hasRun && !data && results.isFetching);

  return (
    <div className="grid items-start gap-6 lg:grid-cols-2 xl:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]">
      <Card
        flush
        title={template ? template.title : 'Results'}
        actions={
          data && <span className="text-12 text-ink-3 tabular-nums">{countOf(data.count, 'result')}</span>
        }
      >
        {hasRun && (template?.isSearchable || options.length > 0) && (
          <div className="flex flex-wrap gap-3 border-b p-4 *:flex-[1_1_12rem]">
            {template?.isSearchable && (
              <div>
                <RowSearchField search={search} onChange={props.onSearch} />
              </div>
            )}
            <AccountFilter provider={template?.providerId ?? ''} />
          </div>
        )}
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
        {data && !results.isError && !isBeyond && (
          <>
            {data.count === 0 && search !== '' && (
              <EmptyState
                icon={<SearchX size={20} />}
                title="No record matches this search"
                hint="Here only whole words count: misspelled names are not corrected, and parts of words are not found."
                action={<Button onClick={() => props.onSearch('')}>Show all records</Button>}
              />
            )}
            {data.count === 0 && search === '' && (
              <EmptyState
                icon={<TableProperties size={20} />}
                title="The template returned no rows"
                hint={
                  props.isConnected
                    ? 'No synchronized record matches this template. Run a sync to get the latest data.'
                    : `${props.providerTitle} is not connected. Connect it, then synchronize its data.`
                }
                action={
                  props.isConnected ? (
                    <Button
                      onClick={() =>
                        void navigate(withSearch(PATHS.syncs, { details: template?.entity ?? '' }))
                      }
                    >
                      Go to Synchronizations
                    </Button>
                  ) : (
                    <Button onClick={() => void navigate(PATHS.providers)}>Go to Providers</Button>
                  )
                }
              />
            )}
            {data.count > 0 && (
              <ResultsView
                {...mode}
                sorting={sorting}
                columnChoice={columnChoice}
                value={data.results}
                label="Results"
                total={data.count}
                fileName={`${template?.templateKey ?? 'results'}-page-${page}`}
                preferredColumns={preferredColumns}
                hiddenColumns={hiddenColumns}
                onPickPath={insertPath}
                onFilter={filterRows}
                history={template?.isOfRecords ? records.history : undefined}
                className={HEIGHT}
              />
            )}
            <div className="flex items-center justify-end border-t p-2">
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
          </>
        )}
      </Card>
      <QueryPanel
        template={template}
        templateId={props.templateId}
        search={search}
        account={account}
        rows={hasRun ? results.currentData?.results : undefined}
        query={query}
        onQueryChange={props.onQueryChange}
        knownInputs={props.knownInputs}
        onParametersChange={setParameters}
        editor={editor}
        preferredColumns={preferredColumns}
        hiddenColumns={hiddenColumns}
        actions={
          <Button size="sm" disabled={!mayChange} title={forbidden} onClick={() => setIsSavingView(true)}>
            Save as View
          </Button>
        }
      />
      {records.dialogs}
      {isSavingView && (
        <SaveAsViewDialog
          template={template}
          // A link opens the dialog before an expression was written.
          query={props.startsSaving && query.trim() === '' ? ALL_ROWS : query}
          {...(props.startsSaving && template && { suggested: textsOf(template) })}
          onSaved={offerView}
          search={template?.isSearchable ? inAccount(search, account) : search}
          parameters={parameters}
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
