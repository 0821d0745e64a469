import { ListFilter } from 'lucide-react';
import type { ComponentProps } from 'react';
import { IconButton } from '../icon-button.tsx';

/** Longest value in the name of a button, characters. */
const MAX_VALUE = 80;

interface FilterButtonProps extends Omit<ComponentProps<'button'>, 'value' | 'aria-label'> {
  column: string;
  value: unknown;
}

/** Returns the name of the button, such as `Filter by author: ada`. */
function nameOf(column: string, value: unknown): string {
  const text = value === undefined ? 'no value' : String(value === '' ? 'empty' : value);
  return `Filter by ${column}: ${text.slice(0, MAX_VALUE)}`;
}

/** Filters the rows by the value of a cell. */
export function FilterButton({ column, value, ...rest }: FilterButtonProps) {
  return (
    <IconButton
      size="sm"
      data-filter
      {...rest}
      label={nameOf(column, value)}
      title="Filter by this value"
      icon={<ListFilter aria-hidden="true" size={14} />}
    />
  );
}
