import { parseSort, sortText } from '@datadeck/contract';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { classNames } from '../class-names.ts';

/** The order of all results, e.g. `-size`; empty: their own. */
export interface RowSorting {
  sort: string;
  onSort: (sort: string) => void;
}

/** Returns the direction by which a sort orders a field; undefined if it orders another one. */
export function directionOf(sort: string, path: readonly string[]): 'ascending' | 'descending' | undefined {
  const found = sort === '' ? undefined : parseSort(sort);
  if (!found || JSON.stringify(found.path) !== JSON.stringify(path)) return undefined;
  return found.isDescending ? 'descending' : 'ascending';
}

const ICONS = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown };

interface SortButtonProps extends RowSorting {
  name: string;
  path: readonly string[];
  /** Whether the name is part of the button. */
  showsName: boolean;
  /** Whether the arrow is before the name, so that names of numbers end where the numbers end. */
  startsWithArrow: boolean;
}

/** Sorts by a column: ascending, descending, then the results' own order again. Nothing for a field that no sort can name. */
export function SortButton({ name, path, sort, onSort, showsName, startsWithArrow }: SortButtonProps) {
  const direction = directionOf(sort, path);
  const next = direction === 'descending' ? '' : sortText({ path, isDescending: direction === 'ascending' });
  if (next === undefined) return showsName ? name : null;
  const Icon = ICONS[direction ?? 'none'];
  const label =
    next === '' ? `Undo the sorting by ${name}` : `Sort by ${name}${direction ? ', descending' : ''}`;
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      onClick={() => onSort(next)}
      className={classNames(
        'group/sort inline-flex h-6 min-w-6 items-center gap-1 rounded-sm align-middle hover:text-ink',
        !showsName && 'justify-center',
        startsWithArrow && 'flex-row-reverse',
        direction && 'text-ink',
      )}
    >
      {showsName && name}
      <Icon
        aria-hidden="true"
        size={12}
        className={classNames(!direction && 'opacity-40 group-hover/sort:opacity-100')}
      />
    </button>
  );
}
