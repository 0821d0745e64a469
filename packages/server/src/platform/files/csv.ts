import { csvCell, EMPTY_LINE } from '@datadeck/contract/csv';
import { escapeFormulas } from '@datadeck/contract/formula';
import { jsonPieces, slices, weigh } from '../evaluation/json-pieces.ts';
import { type FileColumns, RowReader } from './columns.ts';

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
function* csvLine(values: Iterable<unknown>, isExact = false): Generator<string> {
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

/** Approximate size of a piece, UTF-16 units. */
const PIECE_SIZE = 64 * 1024;

/** Yields CSV (RFC 4180) with a header line; lists and objects are JSON. @param isExact as for `csvLine` */
export async function* csvFile(
  columns: FileColumns,
  batches: AsyncIterable<unknown[]>,
  isExact = false,
): AsyncGenerator<Uint8Array> {
  const reader = new RowReader(columns);
  let text = [...csvLine(reader.names, isExact)].join('');
  for await (const batch of batches) {
    for (const row of batch) {
      for (const piece of csvLine(reader.read(row), isExact)) {
        text += piece;
        if (text.length < PIECE_SIZE) continue;
        yield Buffer.from(text);
        text = '';
      }
    }
  }
  yield Buffer.from(text);
}
