import type { RowHistory } from '../row-history.ts';

/** What a table of rows and a list of them are given alike. */
export interface RowsProps {
  rows: readonly unknown[];
  label: string;
  /** Fields that come first, where the rows have them. */
  preferred?: readonly string[];
  onPickColumn?: ((name: string) => void) | undefined;
  history?: RowHistory | undefined;
  className?: string;
}
