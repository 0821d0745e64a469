import type { Column } from '@datadeck/contract/table-columns';
import { BookOpen, ChevronDown, History } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { classNames } from '../class-names.ts';
import { fieldBelow } from '../field-name.ts';
import { IconButton } from '../icon-button.tsx';
import { NoFields } from '../no-fields.tsx';
import { arrange, visibleOf } from './arranged-columns.ts';
import { FilterButton } from './filter-button.tsx';
import { NewMark } from './new-mark.tsx';
import type { RowsProps } from './rows-props.ts';
import { shownColumns } from './shown-columns.ts';
import { SortBar } from './sort-bar.tsx';
import { Cell } from './table-cell.tsx';
import { conditionOf } from './value-filter.ts';

const NONE: readonly string[] = [];

/** Maximum fields of a collapsed row without preferred fields. */
const MAX_SHOWN = 5;
/** Maximum fields of a collapsed row if the reader chose the columns. */
const MAX_CHOSEN = 8;
/** If a row has this many preferred fields, only those are shown. */
const MIN_PREFERRED = 3;

interface EntryProps extends Pick<RowsProps, 'onPickColumn' | 'onFilter' | 'history' | 'isNew'> {
  row: unknown;
  columns: readonly Column[];
  preferred: readonly string[];
  /** Whether the reader chose the columns and their order. */
  isChosen: boolean;
  isOpen: boolean;
  onToggle: () => void;
}

const isFilled = (value: unknown) => value !== null && value !== undefined && value !== '';

/** Returns the fields that identify a row. */
function identifyingColumns({
  row,
  columns,
  preferred,
  isChosen,
}: Pick<EntryProps, 'row' | 'columns' | 'preferred' | 'isChosen'>): Column[] {
  const filled = columns.filter(({ read }) => isFilled(read(row)));
  if (isChosen && filled.length > 0) return filled.slice(0, MAX_CHOSEN);
  const preferredColumns = filled.filter(({ name }) => preferred.includes(name));
  if (preferredColumns.length >= MIN_PREFERRED) return preferredColumns;
  // A row without values shows its empty fields.
  return (filled.length > 0 ? filled : columns).slice(0, MAX_SHOWN);
}

function Entry(props: EntryProps) {
  const { row, columns, isOpen, onToggle, onPickColumn, onFilter, history, isNew } = props;
  const fieldsId = useId();
  const first = identifyingColumns(props);
  const shown = isOpen ? columns : first;
  const name = history?.nameOf(row);
  const hasMore = first.length < columns.length;
  const canOpen = hasMore || onFilter !== undefined;
  const closedLabel = hasMore ? `All ${columns.length} fields` : 'Filter by a value';
  // The fields of a collapsed row stay close together.
  const conditionIn = (column: Column) =>
    onFilter && isOpen ? conditionOf(column.path, column.read(row)) : undefined;
  const padding = onFilter && isOpen && 'py-2.5';
  return (
    <li className="border-b px-4 py-3 last:border-b-0">
      <dl
        id={fieldsId}
        className={classNames(
          'grid grid-cols-[minmax(0,2fr)_minmax(0,5fr)] gap-x-3 text-13',
          !padding && 'gap-y-1',
        )}
      >
        {shown.map((column) => {
          const condition = conditionIn(column);
          return (
            <div key={column.name} className="contents">
              <dt
                title={column.name}
                className={classNames('truncate text-12 leading-5 text-ink-3', padding)}
              >
                {onPickColumn ? (
                  <button
                    type="button"
                    title="Insert this field into the expression"
                    className="max-w-full truncate text-left hover:text-accent-text"
                    onClick={() => onPickColumn(fieldBelow(column.path))}
                  >
                    {column.name}
                  </button>
                ) : (
                  column.name
                )}
              </dt>
              <dd className={classNames('flex min-w-0', padding)}>
                <span
                  dir="auto"
                  className={classNames(
                    'min-w-0 flex-1 text-left wrap-anywhere tabular-nums',
                    column === first[0] && 'font-medium',
                    isOpen ? 'line-clamp-6' : 'line-clamp-2',
                  )}
                >
                  {column === first[0] && isNew?.(row) && <NewMark />}
                  <Cell value={column.read(row)} column={column.name} />
                </span>
                {condition !== undefined && (
                  <FilterButton
                    column={column.name}
                    value={column.read(row)}
                    className="-my-2.5 -mr-2 max-sm:size-10"
                    onClick={() => onFilter?.(condition)}
                  />
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      {(canOpen || (history && name !== undefined)) && (
        <div className="mt-1 flex items-center justify-between">
          {canOpen ? (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={fieldsId}
              onClick={onToggle}
              className="-ml-1 flex h-8 items-center gap-1 rounded-sm px-1 text-12 max-sm:h-10 font-medium text-ink-3 hover:text-ink"
            >
              <ChevronDown
                aria-hidden="true"
                size={14}
                className={classNames('transition-transform duration-100', isOpen && 'rotate-180')}
              />
              {isOpen ? (hasMore ? 'Fewer fields' : 'Done') : closedLabel}
            </button>
          ) : (
            <span />
          )}
          {history?.onRead && name !== undefined && (
            <IconButton
              className="ml-auto max-sm:size-10"
              label={`Read ${name}`}
              icon={<BookOpen size={14} />}
              onClick={() => history.onRead?.(row)}
            />
          )}
          {history && name !== undefined && (
            <IconButton
              className="max-sm:size-10"
              label={`History of ${name}`}
              icon={<History size={14} />}
              onClick={() => history.onOpen(row)}
            />
          )}
        </div>
      )}
    </li>
  );
}

/** Shows rows as a list of labels and values, for screens too narrow for a table. */
export function RecordList({
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
  const found = useMemo(() => shownColumns(rows, preferred, hidden), [rows, preferred, hidden]);
  const layout = columnChoice?.layout;
  const columns = useMemo(() => visibleOf(arrange(found, layout)), [found, layout]);
  // Indexes are valid for these rows only, so keep the rows with them.
  const [opened, setOpened] = useState<{ rows: readonly unknown[]; indexes: ReadonlySet<number> }>({
    rows,
    indexes: new Set(),
  });
  const indexes = opened.rows === rows ? opened.indexes : new Set<number>();

  function toggle(index: number) {
    const next = new Set(indexes);
    if (!next.delete(index)) next.add(index);
    setOpened({ rows, indexes: next });
  }

  if (columns.length === 0) return <NoFields />;
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className={classNames('overflow-y-auto focus-visible:-outline-offset-2', className)}
    >
      {sorting && <SortBar columns={found} sorting={sorting} />}
      <ul>
        {rows.map((row, index) => (
          <Entry
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a page have no other identity
            key={index}
            isOpen={indexes.has(index)}
            onToggle={() => toggle(index)}
            row={row}
            columns={columns}
            preferred={preferred}
            isChosen={layout !== undefined && layout.length > 0}
            onPickColumn={onPickColumn}
            onFilter={onFilter}
            history={history}
            isNew={isNew}
          />
        ))}
      </ul>
    </section>
  );
}
