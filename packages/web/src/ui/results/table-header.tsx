import { useState } from 'react';
import { classNames } from '../class-names.ts';
import { fieldBelow } from '../field-name.ts';
import { type ArrangedColumn, type ColumnChoice, withPlace, withWidth } from './arranged-columns.ts';
import type { RowsProps } from './rows-props.ts';
import { directionOf, SortButton } from './sort-header.tsx';
import { WidthHandle } from './width-handle.tsx';

interface TableHeaderProps extends Pick<RowsProps, 'columnChoice' | 'onPickColumn' | 'sorting'> {
  /** All columns, of which those in `columns` are shown. */
  all: readonly ArrangedColumn[];
  columns: readonly ArrangedColumn[];
  hasHistory: boolean;
  /** Called with the width of a column while it changes; null at the end. */
  onDragWidth: (drag: { name: string; width: number } | null) => void;
}

/** Returns the size of a cell of a column whose width was chosen. */
export function sizeOf(width: number | undefined) {
  return width === undefined ? undefined : { width, minWidth: width, maxWidth: width };
}

/** What a header contains: its name, which may be a button, and the button that sorts. */
function HeaderContent({
  column: { name, path, isNumeric, isNested },
  onPickColumn,
  sorting,
}: Pick<TableHeaderProps, 'onPickColumn' | 'sorting'> & { column: ArrangedColumn }) {
  return (
    <>
      {onPickColumn ? (
        <button
          type="button"
          title="Insert this field into the expression"
          className={classNames(
            'h-6 min-w-6 align-middle hover:text-accent-text',
            isNumeric ? 'text-right' : 'text-left',
          )}
          onClick={() => onPickColumn(fieldBelow(path))}
        >
          {name}
        </button>
      ) : (
        (!sorting || isNested) && name
      )}
      {sorting && !isNested && (
        <SortButton
          name={name}
          path={path}
          showsName={!onPickColumn}
          startsWithArrow={isNumeric}
          {...sorting}
        />
      )}
    </>
  );
}

/** The header of a table, whose columns are dragged to another place and to another width. */
export function TableHeader(props: TableHeaderProps) {
  const { all, columns, columnChoice, sorting, hasHistory, onDragWidth } = props;
  const [dragged, setDragged] = useState('');
  const [target, setTarget] = useState('');
  const handleFor = (choice: ColumnChoice, name: string | undefined) =>
    name !== undefined && (
      <WidthHandle
        name={name}
        onDrag={(width) => onDragWidth({ name, width })}
        onWidth={(width) => {
          onDragWidth(null);
          choice.onLayout(withWidth(all, choice.layout, [name, width]));
        }}
      />
    );
  const endDrag = () => {
    setDragged('');
    setTarget('');
  };
  const placing = (choice: ColumnChoice, name: string) => ({
    draggable: true,
    onDragStart: (event: React.DragEvent) => {
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', name);
      setDragged(name);
    },
    onDragOver: (event: React.DragEvent) => {
      if (dragged === '') return;
      event.preventDefault();
      setTarget(name);
    },
    onDrop: (event: React.DragEvent) => {
      event.preventDefault();
      if (dragged !== '' && dragged !== name) choice.onLayout(withPlace(all, choice.layout, [dragged, name]));
      endDrag();
    },
    onDragEnd: endDrag,
  });
  return (
    <thead>
      <tr>
        {hasHistory && (
          <th scope="col" className="sticky top-0 left-0 z-10 w-8 border-b bg-surface">
            <span className="sr-only">History</span>
          </th>
        )}
        {columns.map((column, index) => (
          <th
            key={column.name}
            scope="col"
            // Without the names of its buttons: a screen reader says it with each cell.
            aria-label={column.name}
            aria-sort={sorting && directionOf(sorting.sort, column.path)}
            style={sizeOf(column.width)}
            className={classNames(
              'sticky top-0 whitespace-nowrap border-b bg-surface px-3 py-2 text-12 font-medium text-ink-3',
              column.isNumeric ? 'text-right' : 'text-left',
              target === column.name && dragged !== column.name && 'bg-accent-soft',
              dragged === column.name && 'opacity-50',
            )}
            {...(columnChoice && placing(columnChoice, column.name))}
          >
            {columnChoice && handleFor(columnChoice, columns[index - 1]?.name)}
            <span className={classNames(column.width !== undefined && 'block overflow-hidden')}>
              <HeaderContent column={column} onPickColumn={props.onPickColumn} sorting={sorting} />
            </span>
          </th>
        ))}
        {columnChoice && (
          // Takes the room that columns with a chosen width leave.
          <td className="sticky top-0 border-b bg-surface p-0">
            {handleFor(columnChoice, columns.at(-1)?.name)}
          </td>
        )}
      </tr>
    </thead>
  );
}
