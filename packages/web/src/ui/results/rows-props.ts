import type { RowHistory } from '../row-history.ts';
import type { ColumnChoice } from './arranged-columns.ts';
import type { RowSorting } from './sort-header.tsx';

/** The props that a table and a list of rows share. */
export interface RowsProps {
  rows: readonly unknown[];
  label: string;
  /** Names of the fields that come first. */
  preferred?: readonly string[];
  /** Names of fields that are no column while all rows have the same value. */
  hidden?: readonly string[] | undefined;
  /** Set when the reader can choose the columns. */
  columnChoice?: ColumnChoice | undefined;
  /** Called with a field as it is written in an expression. */
  onPickColumn?: ((field: string) => void) | undefined;
  /** Called with the condition that a row has the value of a cell; absent if rows cannot be filtered. */
  onFilter?: ((condition: string) => void) | undefined;
  history?: RowHistory | undefined;
  /** Whether a row is marked as new. */
  isNew?: ((row: unknown) => boolean) | undefined;
  /** Set when all results can be sorted. */
  sorting?: RowSorting | undefined;
  className?: string;
}
