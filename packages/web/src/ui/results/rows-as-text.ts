import { csvCell, EMPTY_LINE } from '@datadeck/contract/csv';
import { columnsOf } from '@datadeck/contract/table-columns';

/**
 * Converts rows to CSV with a header line (RFC 4180); nested values as JSON.
 * @param isExact whether texts stay as they are. Otherwise those that spreadsheets take for formulas are escaped.
 */
export function toCsv(rows: readonly unknown[], isExact = false): string {
  const columns = columnsOf(rows);
  const names = columns.map(({ name }) => name);
  const lines = [names, ...rows.map((row) => columns.map(({ read }) => read(row)))].map((values) => {
    const line = values.map((value) => csvCell(value, isExact)).join(',');
    return values.length === 1 && line === '' ? EMPTY_LINE : line;
  });
  return lines.join('\r\n');
}

/** Converts rows to NDJSON: one JSON text per line. */
export function toNdjson(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
