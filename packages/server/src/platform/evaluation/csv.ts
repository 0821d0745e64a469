import { escapeFormulas } from '@datadeck/contract/formula';
import { jsonPieces, slices, weigh } from './json-pieces.ts';

/** Longest cell written in one piece, UTF-16 units. */
const MAX_INLINE_TEXT = 64 * 1024;

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  let text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (typeof value !== 'number') text = escapeFormulas(text);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Yields a CSV cell of any length in pieces. */
function* cellPieces(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length > MAX_INLINE_TEXT) {
    yield '"';
    for (const slice of slices(escapeFormulas(value))) yield slice.replaceAll('"', '""');
    yield '"';
  } else if (typeof value === 'object' && weigh(value, MAX_INLINE_TEXT, 64) > MAX_INLINE_TEXT) {
    yield '"';
    // Escapes a piece that starts with a sign unnecessarily, since a JSON text never starts with one.
    for (const piece of jsonPieces(value)) yield escapeFormulas(piece).replaceAll('"', '""');
    yield '"';
  } else yield cell(value);
}

/** Returns whether an item has cells by name. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Yields one line of CSV (RFC 4180) in pieces; values that spreadsheets take for formulas are escaped. */
export function* csvLine(values: Iterable<unknown>): Generator<string> {
  let isFirst = true;
  for (const value of values) {
    if (!isFirst) yield ',';
    isFirst = false;
    yield* cellPieces(value);
  }
  yield '\r\n';
}

/** Yields CSV (RFC 4180): a column per key in order of appearance; values that are not objects in a column 'value'. */
export function* csvPieces(items: Iterable<unknown>): Generator<string> {
  const columns = new Set<string>();
  for (const item of items)
    for (const key of isRecord(item) ? Object.keys(item) : ['value']) columns.add(key);
  yield* csvLine(columns);
  for (const item of items) {
    const record = isRecord(item) ? item : { value: item };
    yield* csvLine(cellsOf(record, columns));
  }
}

function* cellsOf(record: Record<string, unknown>, columns: Iterable<string>): Generator<unknown> {
  for (const name of columns) yield Object.hasOwn(record, name) ? record[name] : undefined;
}
