import type { Column } from '@datadeck/contract/table-columns';
import { BookOpen, History } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { classNames } from '../class-names.ts';
import { IconButton } from '../icon-button.tsx';
import { NoFields } from '../no-fields.tsx';
import type { RowHistory } from '../row-history.ts';
import { type ArrangedColumn, arrange, visibleOf } from './arranged-columns.ts';
import { FilterButton } from './filter-button.tsx';
import { NewMark } from './new-mark.tsx';
import type { RowsProps } from './rows-props.ts';
import { shownColumns } from './shown-columns.ts';
import { SortBar } from './sort-bar.tsx';
import { directionOf } from './sort-header.tsx';
import { Cell } from './table-cell.tsx';
import { sizeOf, TableHeader } from './table-header.tsx';
import { useActiveCell } from './use-active-cell.ts';
import { conditionOf } from './value-filter.ts';

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
  index: number;
  row: unknown;
  columns: readonly ArrangedColumn[];
  preferred: readonly string[];
  history: RowHistory | undefined;
  isNew: boolean;
  /** Whether a last cell takes the room that the others leave. */
  isFilled: boolean;
  /** The column whose cell has the button that filters; undefined: none of this row. */
  active: number | undefined;
  onFilter: RowsProps['onFilter'];
}

/** Filters by the value of the active cell. It covers what is below it, at the end where the text does not begin. */
function CellFilter({
  row,
  column,
  onFilter,
}: { row: unknown; column: ArrangedColumn } & Pick<RowsProps, 'onFilter'>) {
  const value = column.read(row);
  const condition = conditionOf(column.path, value);
  if (condition === undefined) return null;
  return (
    <FilterButton
      column={column.name}
      value={value}
      onClick={() => onFilter?.(condition)}
      className={classNames(
        'absolute inset-y-0 my-auto bg-raised opacity-0 shadow-low group-hover/cell:opacity-100 focus-visible:opacity-100',
        column.isNumeric ? 'left-1' : 'right-1',
      )}
    />
  );
}

/** A row, which is not rendered again when the pointer moves over another one. */
const Row = memo(function Row(props: RowProps) {
  const { index: rowIndex, row, columns, preferred, history, active, onFilter } = props;
  const onRead = history?.isOpenedByRow && history.nameOf(row) !== undefined ? history.onRead : undefined;
  return (
    <tr
      className={classNames('hover:bg-hover', onRead && 'cursor-pointer')}
      onClick={({ target }) => {
        const isOnControl = target instanceof Element && target.closest('button, a') !== null;
        // The end of a selection is no click.
        if (!isOnControl && window.getSelection()?.isCollapsed !== false) onRead?.(row);
      }}
    >
      {history && <HistoryCell row={row} history={history} />}
      {columns.map((column, index) => (
        <td
          key={column.name}
          data-row={rowIndex}
          data-column={index}
          // The text's direction determines which end is cut off.
          dir="auto"
          style={sizeOf(column.width)}
          className={classNames(
            'group/cell relative truncate border-b px-3 py-1.5',
            column.isNumeric
              ? 'text-right tabular-nums'
              : classNames('text-left', column.width === undefined && widthOf(column, preferred)),
          )}
        >
          {index === 0 && props.isNew && <NewMark />}
          <Cell value={column.read(row)} column={column.name} />
          {index === active && <CellFilter row={row} column={column} onFilter={onFilter} />}
        </td>
      ))}
      {props.isFilled && <td aria-hidden="true" className="border-b p-0" />}
    </tr>
  );
});

/** Shows rows as a table, with a column for each field of any row, or those that the reader chose. */
export function DataTable({
  rows,
  label,
  preferred = NONE,
  hidden = NONE,
  columnChoice,
  onPickColumn,
  onFilter,
  history,
  isNew,
  sorting,
  className = 'max-h-[28rem]',
}: RowsProps) {
  const [drag, setDrag] = useState<{ name: string; width: number } | null>(null);
  const found = useMemo(() => shownColumns(rows, preferred, hidden), [rows, preferred, hidden]);
  const all = useMemo(() => arrange(found, columnChoice?.layout), [found, columnChoice?.layout]);
  const visible = useMemo(() => visibleOf(all), [all]);
  const columns = useMemo(
    () =>
      visible
        .slice(0, MAX_COLUMNS)
        .map((column) => (column.name === drag?.name ? { ...column, width: drag.width } : column)),
    [visible, drag],
  );
  const { active, body } = useActiveCell({
    rows: onFilter ? rows.length : 0,
    columns: columns.length,
    isUsable: ({ row, column }) => {
      const found = columns[column];
      return found !== undefined && conditionOf(found.path, found.read(rows[row])) !== undefined;
    },
  });
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
          <tbody {...body}>
            {rows.map((row, index) => (
              <Row
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a page have no other identity
                key={index}
                index={index}
                row={row}
                columns={columns}
                preferred={preferred}
                history={history}
                isNew={isNew?.(row) ?? false}
                isFilled={columnChoice !== undefined}
                active={active?.row === index ? active.column : undefined}
                onFilter={onFilter}
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
