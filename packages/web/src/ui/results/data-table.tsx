import { type Column, isRecord } from '@datadeck/contract/table-columns';
import { BookOpen, History } from 'lucide-react';
import { useMemo } from 'react';
import { classNames } from '../class-names.ts';
import { IconButton } from '../icon-button.tsx';
import { NoFields } from '../no-fields.tsx';
import type { RowHistory } from '../row-history.ts';
import { NewMark } from './new-mark.tsx';
import type { RowsProps } from './rows-props.ts';
import { shownColumns } from './shown-columns.ts';
import { directionOf, SortButton } from './sort-header.tsx';
import { Cell } from './table-cell.tsx';

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

/** Shows rows as a table, with a column for each field of any row. */
export function DataTable({
  rows,
  label,
  preferred = NONE,
  hidden = NONE,
  onPickColumn,
  history,
  isNew,
  sorting,
  className = 'max-h-[28rem]',
}: RowsProps) {
  const all = useMemo(() => shownColumns(rows, preferred, hidden), [rows, preferred, hidden]);
  const columns = all.slice(0, MAX_COLUMNS);
  const haveFields = useMemo(() => rows.some(isRecord), [rows]);
  if (columns.length === 0) return <NoFields />;
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className={classNames('overflow-auto focus-visible:-outline-offset-2', className)}
    >
      <table className="w-full border-separate border-spacing-0 text-13">
        <thead>
          <tr>
            {history && (
              <th scope="col" className="sticky top-0 left-0 z-10 w-8 border-b bg-surface">
                <span className="sr-only">History</span>
              </th>
            )}
            {columns.map(({ name, isNumeric, isNested }) => (
              <th
                key={name}
                scope="col"
                // Without the names of its buttons: a screen reader says it with each cell.
                aria-label={name}
                aria-sort={sorting && directionOf(sorting.sort, haveFields ? [name] : [])}
                className={classNames(
                  'sticky top-0 whitespace-nowrap border-b bg-surface px-3 py-2 text-12 font-medium text-ink-3',
                  isNumeric ? 'text-right' : 'text-left',
                )}
              >
                {onPickColumn ? (
                  <button
                    type="button"
                    title="Insert this field into the expression"
                    className={classNames(
                      'h-6 min-w-6 align-middle hover:text-accent-text',
                      isNumeric ? 'text-right' : 'text-left',
                    )}
                    onClick={() => onPickColumn(name)}
                  >
                    {name}
                  </button>
                ) : (
                  (!sorting || isNested) && name
                )}
                {sorting && !isNested && (
                  <SortButton
                    name={name}
                    path={haveFields ? [name] : []}
                    showsName={!onPickColumn}
                    startsWithArrow={isNumeric}
                    {...sorting}
                  />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a page have no other identity
            <tr key={index} className="hover:bg-hover">
              {history && <HistoryCell row={row} history={history} />}
              {columns.map((column) => (
                <td
                  key={column.name}
                  // The text's direction determines which end is cut off.
                  dir="auto"
                  className={classNames(
                    'truncate border-b px-3 py-1.5',
                    column.isNumeric
                      ? 'text-right tabular-nums'
                      : classNames('text-left', widthOf(column, preferred)),
                  )}
                >
                  {column === columns[0] && isNew?.(row) && <NewMark />}
                  <Cell value={column.read(row)} column={column.name} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {all.length > columns.length && (
        <p className="sticky left-0 px-3 py-2 text-12 text-ink-3">
          The first {columns.length} of {all.length} columns. The tree and the downloads have all of them.
        </p>
      )}
    </section>
  );
}
