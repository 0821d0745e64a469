import { escapeFormulas } from '@datadeck/contract/formula';
import { columnsOf } from './table-columns.ts';

function csvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = typeof value === 'number' ? text : escapeFormulas(text);
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Converts rows to CSV with a header line (RFC 4180); nested values as JSON. */
export function toCsv(rows: readonly unknown[]): string {
  const columns = columnsOf(rows);
  const lines = rows.map((row) => columns.map(({ read }) => csvCell(read(row))).join(','));
  return [columns.map(({ name }) => csvCell(name)).join(','), ...lines].join('\r\n');
}

/** Converts rows to NDJSON: one JSON text per line. */
export function toNdjson(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
