import { SearchX, TableProperties } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import type { Template } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ResultsView } from '../../ui/results/results-view.tsx';
import type { RowSorting } from '../../ui/results/sort-header.tsx';
import type { RowHistory } from '../../ui/row-history.ts';
import type { ResultDisplay } from './use-result-display.ts';

interface RowsPanelProps {
  template: Template | undefined;
  display: ResultDisplay;
  /** The chart of all rows. */
  chart: ReactNode;
  /** One page of the rows, and the number of all. */
  rows: { results: readonly unknown[]; count: number };
  page: number;
  sorting: RowSorting;
  /** Selects rows of the template; empty: all. */
  search: string;
  onShowAll: () => void;
  /** Called with the path of a chosen field. */
  onPickPath: (path: string) => void;
  /** Called with the condition that a row has the value of a cell. */
  onFilter: (condition: string) => void;
  history: RowHistory | undefined;
  preferredColumns: readonly string[];
  hiddenColumns: readonly string[] | undefined;
  providerTitle: string;
  /** Whether the template's provider is connected. */
  isConnected: boolean;
  /** Height of the rows. */
  className: string;
}

function NoRows({ template, search, onShowAll, providerTitle, isConnected }: RowsPanelProps) {
  const navigate = useNavigate();
  if (search !== '')
    return (
      <EmptyState
        icon={<SearchX size={20} />}
        title="No record matches this search"
        hint="Here only whole words count: misspelled names are not corrected, and parts of words are not found."
        action={<Button onClick={onShowAll}>Show all records</Button>}
      />
    );
  const syncs = withSearch(PATHS.syncs, { details: template?.entity ?? '' });
  return (
    <EmptyState
      icon={<TableProperties size={20} />}
      title="The template returned no rows"
      hint={
        isConnected
          ? 'No synchronized record matches this template. Run a sync to get the latest data.'
          : `${providerTitle} is not connected. Connect it, then synchronize its data.`
      }
      action={
        <Button onClick={() => void navigate(isConnected ? syncs : PATHS.providers)}>
          {isConnected ? 'Go to Synchronizations' : 'Go to Providers'}
        </Button>
      }
    />
  );
}

/** Shows a page of the rows of a template. */
export function RowsPanel(props: RowsPanelProps) {
  const { rows, page } = props;
  if (rows.count === 0) return <NoRows {...props} />;
  return (
    <ResultsView
      {...props.display}
      sorting={props.sorting}
      value={rows.results}
      label="Results"
      chart={props.chart}
      fileName={`${props.template?.templateKey ?? 'results'}-page-${page}`}
      preferredColumns={props.preferredColumns}
      hiddenColumns={props.hiddenColumns}
      onPickPath={props.onPickPath}
      onFilter={props.onFilter}
      history={props.history}
      className={props.className}
    />
  );
}
