import { csvCell, EMPTY_LINE } from '@datadeck/contract/csv';
import { escapeFormulas } from '@datadeck/contract/formula';
import { isRecord } from '@datadeck/contract/table-columns';
import { jsonPieces, slices, weigh } from './json-pieces.ts';

/** Longest cell written in one piece, UTF-16 units. */
const MAX_INLINE_TEXT = 64 * 1024;

/** Yields a CSV cell of any length in pieces. */
function* cellPieces(value: unknown, isExact: boolean): Generator<string> {
  const safe = (text: string) => (isExact ? text : escapeFormulas(text)).replaceAll('"', '""');
  if (typeof value === 'string' && value.length > MAX_INLINE_TEXT) {
    yield '"';
    for (const slice of slices(isExact ? value : escapeFormulas(value))) yield slice.replaceAll('"', '""');
    yield '"';
  } else if (typeof value === 'object' && weigh(value, MAX_INLINE_TEXT, 64) > MAX_INLINE_TEXT) {
    yield '"';
    // Escapes a piece that starts with a sign unnecessarily, since a JSON text never starts with one.
    for (const piece of jsonPieces(value)) yield safe(piece);
    yield '"';
  } else yield csvCell(value, isExact);
}

/**
 * Yields one line of CSV (RFC 4180) in pieces.
 * @param isExact whether texts stay as they are. Otherwise those that spreadsheets take for formulas are escaped.
 */
export function* csvLine(values: Iterable<unknown>, isExact = false): Generator<string> {
  let count = 0;
  let isEmpty = true;
  for (const value of values) {
    if (count++ > 0) yield ',';
    for (const piece of cellPieces(value, isExact)) {
      isEmpty &&= piece === '';
      yield piece;
    }
  }
  yield count === 1 && isEmpty ? `${EMPTY_LINE}\r\n` : '\r\n';
}

/**
 * Yields CSV (RFC 4180): a column per key in order of appearance; values that are not objects in a column 'value'.
 * @param isExact as for `csvLine`
 */
export function* csvPieces(items: Iterable<unknown>, isExact: boolean): Generator<string> {
  const columns = new Set<string>();
  for (const item of items)
    for (const key of isRecord(item) ? Object.keys(item) : ['value']) columns.add(key);
  yield* csvLine(columns, isExact);
  for (const item of items) {
    const record = isRecord(item) ? item : { value: item };
    yield* csvLine(cellsOf(record, columns), isExact);
  }
}

function* cellsOf(record: Record<string, unknown>, columns: Iterable<string>): Generator<unknown> {
  for (const name of columns) yield Object.hasOwn(record, name) ? record[name] : undefined;
}
