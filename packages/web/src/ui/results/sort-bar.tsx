import { parseSort, sortText } from '@datadeck/contract';
import type { Column } from '@datadeck/contract/table-columns';
import { ArrowDownWideNarrow, ArrowUpNarrowWide } from 'lucide-react';
import { useId } from 'react';
import { classNames } from '../class-names.ts';
import { IconButton } from '../icon-button.tsx';
import { CONTROL } from '../text-field.tsx';
import type { RowSorting } from './sort-header.tsx';

interface SortBarProps {
  columns: readonly Column[];
  sorting: RowSorting;
}

/** Returns what a sort orders by, as the value of an option; empty for the results' own order. */
function fieldOf(sort: string): string {
  const found = parseSort(sort);
  return (found && sortText({ ...found, isDescending: false })) ?? '';
}

/** Chooses the column and the direction by which all results are sorted, where no header does. */
export function SortBar({ columns, sorting: { sort, onSort } }: SortBarProps) {
  const id = useId();
  const field = fieldOf(sort);
  const isDescending = sort.startsWith('-');
  const options = columns.flatMap((column) => {
    const value = column.isNested ? undefined : sortText({ path: column.path, isDescending: false });
    return value === undefined ? [] : [{ value, label: column.name }];
  });
  // A field that these rows lack, or a nested one.
  if (field !== '' && !options.some(({ value }) => value === field))
    options.push({ value: field, label: field });
  const Icon = isDescending ? ArrowDownWideNarrow : ArrowUpNarrowWide;
  return (
    <div className="flex items-center gap-2 border-b px-4 py-2">
      <label htmlFor={id} className="shrink-0 text-12 text-ink-3">
        Sort by
      </label>
      <select
        id={id}
        value={field}
        onChange={({ target }) =>
          onSort(target.value === '' || !isDescending ? target.value : `-${target.value}`)
        }
        className={classNames(CONTROL, 'h-8 min-w-0 max-sm:h-10 sm:max-w-64')}
      >
        <option value="">Own order</option>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <IconButton
        label={isDescending ? 'Sort in ascending order' : 'Sort in descending order'}
        icon={<Icon size={16} />}
        disabled={field === ''}
        onClick={() => onSort(isDescending ? field : `-${field}`)}
        className="max-sm:size-10"
      />
    </div>
  );
}
