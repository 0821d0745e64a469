import {
  ChartNoAxesColumn,
  ChevronsDownUp,
  ChevronsUpDown,
  Download,
  ListTree,
  Rows3,
  Table,
} from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { CopyButton } from '../copy-button.tsx';
import { IconButton } from '../icon-button.tsx';
import { openable } from '../json-tree/flatten.ts';
import { JsonTree } from '../json-tree/json-tree.tsx';
import { Menu, type MenuItem } from '../menu.tsx';
import type { RowHistory } from '../row-history.ts';
import { saveFile } from '../save-file.ts';
import { Segmented } from '../segmented.tsx';
import { useIsNarrow } from '../use-is-narrow.ts';
import type { ColumnChoice } from './arranged-columns.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { DataTable } from './data-table.tsx';
import { RecordList } from './record-list.tsx';
import { toCsv, toNdjson } from './rows-as-text.ts';
import type { RowSorting } from './sort-header.tsx';

const MODES = [
  { value: 'tree', label: 'Tree', icon: <ListTree aria-hidden="true" size={14} /> },
  { value: 'table', label: 'Table', icon: <Table aria-hidden="true" size={14} /> },
  { value: 'chart', label: 'Chart', icon: <ChartNoAxesColumn aria-hidden="true" size={14} /> },
] as const;
export type Mode = (typeof MODES)[number]['value'];
/** The mode that replaces the table on phones. */
const LIST = { value: 'table', label: 'List', icon: <Rows3 aria-hidden="true" size={14} /> } as const;

interface ResultsViewProps {
  /** An array is shown as rows, any other value as one row. */
  value: unknown;
  label: string;
  /** File name of the downloads, without extension. Without it, there are no downloads. */
  fileName?: string | undefined;
  /** Set when the values are one page of a longer result: its downloads replace those of the page. */
  wholeDownloads?: readonly MenuItem[] | undefined;
  /** Names of the most useful fields: the first columns of the table and the first members of a collapsed tree row. */
  preferredColumns?: readonly string[] | undefined;
  /** Names of fields that are no column while all rows have the same value. */
  hiddenColumns?: readonly string[] | undefined;
  onPickPath?: ((path: string) => void) | undefined;
  /** Called with the condition that a row has the value of a cell; absent if rows cannot be filtered. */
  onFilter?: ((condition: string) => void) | undefined;
  /** Set when rows have a history. */
  history?: RowHistory | undefined;
  /** Whether a row is marked as new; the marks are in the table. */
  isNew?: ((row: unknown) => boolean) | undefined;
  /** How the results are shown. */
  mode: Mode;
  onMode: (mode: Mode) => void;
  /** Set when all results can be sorted. */
  sorting?: RowSorting | undefined;
  /** Set when the reader can choose the columns. */
  columnChoice?: ColumnChoice | undefined;
  /** What is shown as the chart, of all results; absent if there is none. */
  chart?: ReactNode;
  /** Further controls beside the choice of the picture. */
  actions?: ReactNode;
  className?: string;
}

function Downloads({ rows, fileName }: { rows: readonly unknown[]; fileName: string }) {
  const save = (text: string, type: string, extension: string) =>
    saveFile(new Blob([text], { type }), `${fileName}.${extension}`);
  return (
    <Menu
      trigger={<IconButton label="Download this page" icon={<Download size={16} />} />}
      items={[
        { label: 'CSV', onSelect: () => save(toCsv(rows), 'text/csv', 'csv') },
        { label: 'CSV for programs', onSelect: () => save(toCsv(rows, true), 'text/csv', 'csv') },
        { label: 'NDJSON', onSelect: () => save(toNdjson(rows), 'application/x-ndjson', 'ndjson') },
        { label: 'JSON', onSelect: () => save(JSON.stringify(rows, null, 2), 'application/json', 'json') },
      ]}
    />
  );
}

function WholeDownloads({ items }: { items: readonly MenuItem[] }) {
  return (
    <Menu
      trigger={<IconButton label="Download all results" icon={<Download size={16} />} />}
      items={[...items]}
    />
  );
}

/** Returns true for a value without members: a plain value, an empty list or an empty object. */
function isSingle(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

function SingleValue({ value, label }: { value: unknown; label: string }) {
  // An empty value would otherwise render as nothing.
  const text = typeof value === 'object' || value === '' ? JSON.stringify(value) : String(value);
  return (
    <section aria-label={label} className="flex items-start gap-2 p-4">
      <p className="min-w-0 flex-1 whitespace-pre-wrap break-words font-mono text-14 tabular-nums">{text}</p>
      <CopyButton text={text} label="Copy value" />
    </section>
  );
}

/** Shows a result as a tree, a table (a list on phones) or a chart. */
export function ResultsView({
  value,
  label,
  fileName,
  wholeDownloads,
  preferredColumns,
  hiddenColumns,
  onPickPath,
  onFilter,
  history,
  isNew,
  mode,
  onMode,
  sorting,
  columnChoice,
  chart,
  actions,
  className,
}: ResultsViewProps) {
  const rows = useMemo(() => (Array.isArray(value) ? value : [value]), [value]);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(['/0']));
  const shown = mode === 'chart' && chart === undefined ? 'table' : mode;
  const isNarrow = useIsNarrow();
  const Rows = isNarrow ? RecordList : DataTable;
  if (isSingle(value)) return <SingleValue value={value} label={label} />;
  return (
    <div className="flex min-w-0 flex-col">
      <div className="flex flex-wrap items-center gap-1 border-b px-3 py-2 max-sm:px-2">
        <Segmented
          label={`${label} display`}
          value={shown}
          options={MODES.filter(({ value }) => value !== 'chart' || chart !== undefined).map((option) =>
            isNarrow && option.value === 'table' ? LIST : option,
          )}
          onChange={onMode}
        />
        <span className="ml-auto flex items-center gap-1 max-sm:gap-0">
          {actions}
          {shown === 'tree' && (
            <>
              <IconButton
                label="Expand all"
                icon={<ChevronsUpDown size={16} />}
                onClick={() => setOpen(openable(value))}
              />
              <IconButton
                label="Collapse all"
                icon={<ChevronsDownUp size={16} />}
                onClick={() => setOpen(new Set())}
              />
            </>
          )}
          {shown === 'table' && columnChoice && (
            <ColumnsMenu
              rows={rows}
              {...(preferredColumns && { preferred: preferredColumns })}
              hidden={hiddenColumns}
              choice={columnChoice}
            />
          )}
          {wholeDownloads && <WholeDownloads items={wholeDownloads} />}
          {!wholeDownloads && fileName !== undefined && <Downloads rows={rows} fileName={fileName} />}
        </span>
      </div>
      {shown === 'tree' && (
        <JsonTree
          value={value}
          label={label}
          open={open}
          onOpenChange={setOpen}
          onPickPath={onPickPath}
          history={history}
          preferred={preferredColumns}
          {...(className && { className })}
        />
      )}
      {shown === 'table' && (
        <Rows
          rows={rows}
          label={label}
          {...(preferredColumns && { preferred: preferredColumns })}
          hidden={hiddenColumns}
          onPickColumn={onPickPath}
          onFilter={onFilter}
          history={history}
          isNew={isNew}
          sorting={sorting}
          columnChoice={columnChoice}
          {...(className && { className })}
        />
      )}
      {shown === 'chart' && chart}
    </div>
  );
}
