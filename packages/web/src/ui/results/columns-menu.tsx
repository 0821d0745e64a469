import { COLUMN_BOUNDS } from '@datadeck/contract';
import { ArrowDown, ArrowUp, Columns3, RotateCcw } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { IconButton } from '../icon-button.tsx';
import { ListSearchBox, useListSearch } from '../list-search.tsx';
import {
  type ArrangedColumn,
  arrange,
  type ColumnChoice,
  canKeep,
  isSameLayout,
  plainLayout,
  withHidden,
  withPlace,
} from './arranged-columns.ts';
import type { RowsProps } from './rows-props.ts';
import { shownColumns } from './shown-columns.ts';

const NONE: readonly string[] = [];

interface ColumnRowProps {
  column: ArrangedColumn;
  /** Whether it can be hidden: not the only column that is shown, nor one that no layout keeps. */
  canHide: boolean;
  onShow: (isShown: boolean) => void;
  /** Moves it; undefined at the end. */
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
}

function ColumnRow({ column, canHide, onShow, onUp, onDown }: ColumnRowProps) {
  const { name, isHidden } = column;
  const move = (label: string, icon: typeof ArrowUp, onMove: (() => void) | undefined) => {
    const Icon = icon;
    return (
      <IconButton
        label={label}
        icon={<Icon size={14} />}
        // Not disabled: a button at the end keeps the focus of the key that moved its column there.
        aria-disabled={!onMove}
        onClick={onMove}
        className={classNames('max-sm:size-10', !onMove && 'opacity-40')}
      />
    );
  };
  return (
    <li className="flex items-center rounded-sm hover:bg-hover">
      <label className="flex min-h-8 min-w-0 flex-1 cursor-pointer items-center gap-2 px-2 text-13 max-sm:min-h-10">
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-accent"
          checked={!isHidden}
          disabled={!canHide}
          onChange={({ target }) => onShow(target.checked)}
        />
        <bdi title={name} className={classNames('truncate', isHidden && 'text-ink-3')}>
          {name}
        </bdi>
      </label>
      {move(`Move ${name} up`, ArrowUp, onUp)}
      {move(`Move ${name} down`, ArrowDown, onDown)}
    </li>
  );
}

interface ColumnListProps extends Pick<RowsProps, 'rows' | 'preferred' | 'hidden'> {
  choice: ColumnChoice;
}

function ColumnList({ rows, preferred = NONE, hidden = NONE, choice }: ColumnListProps) {
  const { layout, onLayout, isStored = false } = choice;
  const found = useMemo(() => shownColumns(rows, preferred, hidden), [rows, preferred, hidden]);
  const all = useMemo(() => arrange(found, layout), [found, layout]);
  const plain = plainLayout(found);
  const { shown, box } = useListSearch(all, ({ name }) => name);
  const [moved, setMoved] = useState('');
  // Moving its row in the document takes the focus from the pressed button.
  const pressed = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (layout.length > 0) pressed.current?.focus();
    pressed.current = null;
  }, [layout]);
  const moverTo = (name: string, from: number, at: number) => {
    const target = all[at];
    if (!target || Math.max(from, at) >= COLUMN_BOUNDS.columns) return undefined;
    return () => {
      pressed.current = document.activeElement as HTMLElement | null;
      onLayout(withPlace(all, layout, [name, target.name]));
      setMoved(`${name} is column ${at + 1} of ${all.length}.`);
    };
  };
  const isOnly = all.filter(({ isHidden }) => !isHidden).length === 1;
  return (
    <>
      <header className="flex h-12 shrink-0 items-center justify-between gap-2 border-b px-4">
        <h2 className="text-13 font-semibold">Columns</h2>
        {layout.length > 0 && !isSameLayout(layout, plain) && (
          <Button
            size="sm"
            variant="ghost"
            className="max-sm:h-10"
            icon={<RotateCcw size={14} />}
            onClick={() => onLayout(isStored ? plain : [])}
          >
            Reset
          </Button>
        )}
      </header>
      {box && (
        <div className="border-b p-2">
          <ListSearchBox label="Search columns" box={box} />
        </div>
      )}
      <ul className="min-h-0 overflow-y-auto p-2">
        {shown.map((column) => {
          const at = all.indexOf(column);
          return (
            <ColumnRow
              key={column.name}
              column={column}
              canHide={canKeep(column) && at < COLUMN_BOUNDS.columns && !(isOnly && !column.isHidden)}
              onShow={(isShown) => onLayout(withHidden(all, layout, [column.name, !isShown]))}
              onUp={moverTo(column.name, at, at - 1)}
              onDown={moverTo(column.name, at, at + 1)}
            />
          );
        })}
        {all.length > COLUMN_BOUNDS.columns && (
          <li className="p-2 text-12 text-ink-3">
            The first {COLUMN_BOUNDS.columns} columns can be hidden and moved.
          </li>
        )}
        {shown.length === 0 && <li className="p-2 text-13 text-ink-3">No column matches the search.</li>}
      </ul>
      <p aria-live="polite" className="sr-only">
        {moved}
      </p>
    </>
  );
}

/** A button that opens the list of columns, in which the reader shows, hides and moves them. */
export function ColumnsMenu(props: ColumnListProps) {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton label="Columns" className="max-sm:size-10" icon={<Columns3 size={16} />} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label="Columns"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-h-[min(28rem,var(--radix-popover-content-available-height))] w-[min(20rem,calc(100vw-1rem))] animate-fade flex-col rounded-md bg-raised shadow-high outline-none"
        >
          <ColumnList {...props} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
