import type { RowHistory } from '../row-history.ts';

/** The props that a table and a list of rows share. */
export interface RowsProps {
  rows: readonly unknown[];
  label: string;
  /** Names of the fields that come first. */
  preferred?: readonly string[];
  onPickColumn?: ((name: string) => void) | undefined;
  history?: RowHistory | undefined;
  className?: string;
}
