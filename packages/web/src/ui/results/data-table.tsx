import type { Column } from '@datadeck/contract/table-columns';
import { BookOpen, History } from 'lucide-react';
import { useMemo, useState } from 'react';
import { classNames } from '../class-names.ts';
import { IconButton } from '../icon-button.tsx';
import { NoFields } from '../no-fields.tsx';
import type { RowHistory } from '../row-history.ts';
import { type ArrangedColumn, arrange, visibleOf } from './arranged-columns.ts';
import { NewMark } from './new-mark.tsx';
import type { RowsProps } from './rows-props.ts';
import { shownColumns } from './shown-columns.ts';
import { SortBar } from './sort-bar.tsx';
import { directionOf } from './sort-header.tsx';
import { Cell } from './table-cell.tsx';
import { sizeOf, TableHeader } from './table-header.tsx';

const NONE: readonly string[] = [];

/** Maximum number of columns that are shown. */
const MAX_COLUMNS = 40;

/** Returns the width class of a column. Preferred columns stay narrow, so that all are visible without scrolling. */
function widthOf({ name, isNested }: Column, preferred: readonly string[]): string {
  if (!preferred.includes(name)) return 'max-w-80';
  return isNested ? 'max-w-40' : 'max-w-52';
}

function HistoryCell({ row, history }: { row: unknown; history: RowHistory }) {
  const name = history.nameOf(row);
  return (
    <td className="sticky left-0 border-b bg-surface px-1 whitespace-nowrap">
      {name !== undefined && history.onRead && (
        <IconButton
          size="sm"
          label={`Read ${name}`}
          icon={<BookOpen size={14} />}
          onClick={() => history.onRead?.(row)}
        />
      )}
      {name !== undefined && (
        <IconButton
          size="sm"
          label={`History of ${name}`}
          icon={<History size={14} />}
          onClick={() => history.onOpen(row)}
        />
      )}
    </td>
  );
}

interface RowProps {
  row: unknown;
  columns: readonly ArrangedColumn[];
  preferred: readonly string[];
  history: RowHistory | undefined;
  isNew: boolean;
  /** Whether a last cell takes the room that the others leave. */
  isFilled: boolean;
}

function Row({ row, columns, preferred, history, isNew, isFilled }: RowProps) {
  return (
    <tr className="hover:bg-hover">
      {history && <HistoryCell row={row} history={history} />}
      {columns.map((column, index) => (
        <td
          key={column.name}
          // The text's direction determines which end is cut off.
          dir="auto"
          style={sizeOf(column.width)}
          className={classNames(
            'truncate border-b px-3 py-1.5',
            column.isNumeric
              ? 'text-right tabular-nums'
              : classNames('text-left', column.width === undefined && widthOf(column, preferred)),
          )}
        >
          {index === 0 && isNew && <NewMark />}
          <Cell value={column.read(row)} column={column.name} />
        </td>
      ))}
      {isFilled && <td aria-hidden="true" className="border-b p-0" />}
    </tr>
  );
}

/** Shows rows as a table, with a column for each field of any row, or those that the reader chose. */
export function DataTable({
  rows,
  label,
  preferred = NONE,
  hidden = NONE,
  columnChoice,
  onPickColumn,
  history,
  isNew,
  sorting,
  className = 'max-h-[28rem]',
}: RowsProps) {
  const [drag, setDrag] = useState<{ name: string; width: number } | null>(null);
  const found = useMemo(() => shownColumns(rows, preferred, hidden), [rows, preferred, hidden]);
  const all = useMemo(() => arrange(found, columnChoice?.layout), [found, columnChoice?.layout]);
  const visible = visibleOf(all);
  const columns = visible
    .slice(0, MAX_COLUMNS)
    .map((column) => (column.name === drag?.name ? { ...column, width: drag.width } : column));
  if (columns.length === 0) return <NoFields />;
  const isSortShown = columns.some(({ path }) => directionOf(sorting?.sort ?? '', path));
  return (
    <>
      {sorting && sorting.sort !== '' && !isSortShown && <SortBar columns={found} sorting={sorting} />}
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        className={classNames('overflow-auto focus-visible:-outline-offset-2', className)}
      >
        <table className="w-full border-separate border-spacing-0 text-13">
          <TableHeader
            all={all}
            columns={columns}
            columnChoice={columnChoice}
            onPickColumn={onPickColumn}
            sorting={sorting}
            hasHistory={history !== undefined}
            onDragWidth={setDrag}
          />
          <tbody>
            {rows.map((row, index) => (
              <Row
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a page have no other identity
                key={index}
                row={row}
                columns={columns}
                preferred={preferred}
                history={history}
                isNew={isNew?.(row) ?? false}
                isFilled={columnChoice !== undefined}
              />
            ))}
          </tbody>
        </table>
        {visible.length > columns.length && (
          <p className="sticky left-0 px-3 py-2 text-12 text-ink-3">
            The first {columns.length} of {visible.length} columns. The tree and the downloads have all of
            them.
          </p>
        )}
      </section>
    </>
  );
}
