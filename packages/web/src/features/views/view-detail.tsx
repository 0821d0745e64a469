import type { DownloadFormat } from '@datadeck/contract';
import { BellPlus, ChevronDown, Download, Ellipsis, LayoutDashboard, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { callOf } from '../../api/call-of.ts';
import { useDownload } from '../../api/download.ts';
import type { View } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { confirmDeletion, notice } from '../../ui/confirmation.tsx';
import { countOf, formatCount } from '../../ui/duration.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { RowSorting } from '../../ui/results/sort-header.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { offerUndo, toasts } from '../../ui/toast.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import type { OnPage } from '../../ui/use-last-page.ts';
import { givenParameters } from '../expressions/parameter-value.ts';
import { ShareButton } from '../sharing/share-button.tsx';
import type { Shared } from '../sharing/shared-subject.ts';
import { AddViewToBoard } from './add-view-to-board.tsx';
import { useCurveQuery } from './curves-api.ts';
import { UpdateViewDialog } from './update-view-dialog.tsx';
import { type AsOf, AsOfButton, ViewAsOf } from './view-as-of.tsx';
import { ViewBases } from './view-bases.tsx';
import { ViewDefinition } from './view-definition.tsx';
import { Dependees } from './view-dependees.tsx';
import type { RenderExpression } from './view-fields.tsx';
import { type ViewFilter, ViewFilterLine } from './view-filter.tsx';
import { KeepHistory, ViewHistory } from './view-history.tsx';
import { type ReadText, ViewInputs } from './view-inputs.tsx';
import { useHasResults, ViewResults } from './view-results.tsx';
import { useDeleteViewMutation, useRestoreViewMutation, type ViewPage } from './views-api.ts';

interface ViewDetailProps {
  view: View;
  /** The views of the list, among which its bases usually are; undefined while they are loading. */
  views: readonly View[] | undefined;
  /** Whether a search can select rows of the view's template. */
  isSearchable: boolean;
  renderExpression: RenderExpression;
  /** Renders the control that watches the view with values of its parameters, as JSON; or what is given in its place. */
  renderWatch: (
    view: View,
    parameters: string | undefined,
    inPlace?: (label: string, open: () => void) => ReactNode,
  ) => ReactNode;
  /** Number of alerts that watch the view; undefined while it is unknown. */
  alertCount?: number | undefined;
  /** Returns the text of a parameter's value in the URL. */
  parameterText: ReadText;
  onParameter: (name: string, text: string) => void;
  /** The account whose rows are shown; undefined: all. */
  account: string | undefined;
  page: number;
  onPage: OnPage;
  /** The order of the results. */
  sorting: RowSorting;
  filter: ViewFilter;
  asOf: AsOf;
  /** Whether the records of the entity have a reading view. */
  isReadable: boolean;
  /** Names of the most useful fields of whole records. */
  preferredColumns: readonly string[];
  /** Whether a row is marked as new, and what says so above the rows. */
  isNew?: ((row: unknown) => boolean) | undefined;
  newRowsLine?: ReactNode;
  onSelect: (viewId: string) => void;
  onDeleted: () => void;
}

/** Returns a function that saves all results of the view as a file. */
function useViewDownload({ id, title }: View, values: Pick<ViewPage, 'parameters' | 'account'>) {
  const download = useDownload();
  return async (format: DownloadFormat, exact?: 'true'): Promise<void> => {
    const query = { format, exact, ...values };
    const file = await download(callOf('downloadView', { params: { viewId: id }, query }));
    if (file) saveFile(file, `view_${title}.${format}`);
    else toasts.error('There was an error fetching the data');
  };
}

/** Says that the alerts on a view are deleted with it; nothing without alerts. */
function alertsWarning(count: number | undefined): string | undefined {
  if (count === 0) return undefined;
  if (count === undefined) return 'Alerts on it are deleted too. Undo does not restore them.';
  return count === 1
    ? 'Its alert is deleted too. Undo does not restore it.'
    : `Its ${formatCount(count)} alerts are deleted too. Undo does not restore them.`;
}

/** Says that the history of the view is deleted with it; nothing without one. */
function historyWarning(points: number | undefined): string | undefined {
  if (!points) return undefined;
  return `Its history of ${countOf(points, 'point')} is deleted too. Undo does not restore it.`;
}

/** Says what of the shown rows a link leaves out of account; undefined when it shows the same. */
function narrowedBy({ account, filter, asOf }: ViewDetailProps): string | undefined {
  if (asOf.run !== undefined) return 'The link shows the rows of now, not those of an earlier run.';
  if (filter.text !== '') return 'The link shows all rows, without the filter.';
  if (account !== undefined)
    return 'The link shows the rows of all your accounts, not only of the chosen one.';
  return undefined;
}

function Actions(props: ViewDetailProps) {
  const { view, account, page, onDeleted, parameterText, renderExpression, renderWatch, isSearchable } =
    props;
  const parameters = givenParameters(view.inputs, parameterText);
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [isUpdating, setIsUpdating] = useState(false);
  const [isAdding, setIsAdding] = useState(false);
  const { data: curve } = useCurveQuery(view.id);
  const [deleteView, { isLoading }] = useDeleteViewMutation();
  const [restoreView] = useRestoreViewMutation();
  const { sort } = props.sorting;
  // A download has the rows of now.
  const isNow = props.asOf.run === undefined;
  const hasRows = useHasResults({
    viewId: view.id,
    page,
    parameters,
    account,
    ...(sort !== '' && { sort }),
  });
  const hasResults = hasRows && isNow;
  const downloadView = useViewDownload(view, { parameters, account });

  async function restore(undo: string) {
    const { error } = await restoreView(undo);
    if (error) toasts.error('View creation was unsuccessful');
  }

  async function askDelete() {
    if (view.dependees.length > 0) {
      await notice('This view is used in other views. Remove dependees first.');
      return;
    }
    const message = 'Are you sure you want to delete this view?';
    const warnings = [alertsWarning(props.alertCount), historyWarning(curve?.count)];
    const detail = warnings.filter(Boolean).join(' ') || undefined;
    if (!(await confirmDeletion(`Delete "${view.title}"`, message, detail))) return;
    const { data, error } = await deleteView(view.id);
    if (error) {
      toasts.error('Failed deleting view');
      return;
    }
    toasts.success('View deleted successfully');
    if (data.undo) offerUndo(`"${view.title}" was deleted`, () => void restore(data.undo));
    onDeleted();
  }

  const others: [label: string, format: DownloadFormat, exact?: 'true'][] = [
    ['CSV', 'csv'],
    ['CSV for programs', 'csv', 'true'],
    ['NDJSON', 'ndjson'],
    ['XLSX', 'xlsx'],
    ['Parquet', 'parquet'],
  ];
  const formats = others.map(([label, format, exact]) => ({
    label,
    onSelect: () => void downloadView(format, exact),
  }));
  const json = { label: '.JSON', onSelect: () => void downloadView('json') };
  const isNarrow = useIsNarrow();
  const shared: Shared = {
    kind: 'view',
    id: view.id,
    title: view.title,
    inputs: view.inputs,
    textOf: parameterText,
    narrowed: narrowedBy(props),
  };

  return (
    <span className="flex flex-wrap items-center gap-2">
      {isNarrow ? (
        renderWatch(view, parameters, (label, open) => (
          <ShareButton shared={shared}>
            {(share) => (
              <Menu
                trigger={
                  <Button size="sm" busy={isLoading} icon={<Ellipsis size={14} />}>
                    Actions
                  </Button>
                }
                items={[
                  { label, icon: <BellPlus size={14} />, onSelect: open },
                  {
                    label: 'Add to board',
                    icon: <LayoutDashboard size={14} />,
                    disabled: !mayChange,
                    title: forbidden,
                    onSelect: () => setIsAdding(true),
                  },
                  ...(share ? [share] : []),
                  {
                    label: 'Update',
                    icon: <Pencil size={14} />,
                    disabled: !mayChange,
                    title: forbidden,
                    onSelect: () => setIsUpdating(true),
                  },
                  {
                    label: 'Delete',
                    icon: <Trash2 size={14} />,
                    danger: true,
                    onSelect: () => void askDelete(),
                  },
                  ...(hasResults ? [json, ...formats].map((item) => ({ ...item, group: 'Download' })) : []),
                ]}
              />
            )}
          </ShareButton>
        ))
      ) : (
        <>
          {hasResults && (
            <span className="flex items-center">
              <Button size="sm" icon={<Download size={14} />} onClick={json.onSelect}>
                .JSON
              </Button>
              <Menu
                trigger={<IconButton size="sm" label="Other formats" icon={<ChevronDown size={14} />} />}
                items={formats}
              />
            </span>
          )}
          {renderWatch(view, parameters)}
          <Button
            size="sm"
            icon={<LayoutDashboard size={14} />}
            disabled={!mayChange}
            title={forbidden}
            onClick={() => setIsAdding(true)}
          >
            Add to board
          </Button>
          <ShareButton size="sm" shared={shared} />
          <Button
            size="sm"
            variant="danger"
            icon={<Trash2 size={14} />}
            busy={isLoading}
            onClick={() => void askDelete()}
          >
            Delete
          </Button>
          <Button
            size="sm"
            icon={<Pencil size={14} />}
            disabled={!mayChange}
            title={forbidden}
            onClick={() => setIsUpdating(true)}
          >
            Update
          </Button>
        </>
      )}
      {isAdding && <AddViewToBoard view={view} onClose={() => setIsAdding(false)} />}
      {isUpdating && (
        <UpdateViewDialog
          view={view}
          isSearchable={isSearchable}
          renderExpression={renderExpression}
          onClose={() => setIsUpdating(false)}
        />
      )}
    </span>
  );
}

/** The selected view: its description, its base, its dependees, its data, and how it is computed. */
export function ViewDetail(props: ViewDetailProps) {
  const { view, onSelect, asOf } = props;
  const parameters = givenParameters(view.inputs, props.parameterText);
  const [isAsOfOpen, setIsAsOfOpen] = useState(asOf.run !== undefined);
  return (
    <Card flush title={view.title} actions={<Actions {...props} />}>
      <div className="flex flex-col gap-4 border-b p-4">
        <p dir="auto" className="text-left wrap-anywhere text-14 text-ink-2">
          {view.description}
        </p>
        <dl className="grid gap-4 sm:grid-cols-2">
          <ViewBases view={view} views={props.views} onSelect={onSelect} />
          {view.dependees.length > 0 && <Dependees key={view.id} view={view} onSelect={onSelect} />}
          {!isAsOfOpen && <AsOfButton onOpen={() => setIsAsOfOpen(true)} />}
        </dl>
        <ViewInputs view={view} textOf={props.parameterText} onChange={props.onParameter} />
      </div>
      <ViewHistory view={view} />
      {isAsOfOpen && (
        <ViewAsOf
          view={view}
          parameters={parameters}
          account={props.account}
          {...asOf}
          onClose={() => {
            setIsAsOfOpen(false);
            asOf.onChange(undefined);
          }}
        />
      )}
      {props.newRowsLine}
      {asOf.run === undefined && <ViewFilterLine {...props.filter} />}
      <ViewResults
        isNew={props.isNew}
        view={view}
        parameters={parameters}
        account={props.account}
        page={props.page}
        onPage={props.onPage}
        sorting={props.sorting}
        filter={props.filter}
        asOf={asOf.run}
        isReadable={props.isReadable}
        preferredColumns={props.preferredColumns}
      />
      <KeepHistory view={view} parameters={parameters} />
      <ViewDefinition view={view} />
    </Card>
  );
}
