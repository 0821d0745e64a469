import { type Column, columnsOf } from '@datadeck/contract/table-columns';

/**
 * Returns the columns of rows, without hidden ones that have the same value in all rows.
 * @param hidden names of fields
 */
export function shownColumns(
  rows: readonly unknown[],
  preferred: readonly string[],
  hidden: readonly string[],
): Column[] {
  const columns = columnsOf(rows, preferred);
  const isSame = ({ read }: Column) => new Set(rows.map((row) => JSON.stringify(read(row)))).size < 2;
  const shown = columns.filter((column) => !hidden.includes(column.name) || !isSame(column));
  // Rows that have nothing else show it.
  return shown.length > 0 ? shown : columns;
}
