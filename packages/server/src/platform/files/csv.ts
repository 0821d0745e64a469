import { csvLine } from '../evaluation/csv.ts';
import { type FileColumns, RowReader } from './columns.ts';

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
      for (const piece of csvLine(reader.read(row), isExact)) text += piece;
      if (text.length < PIECE_SIZE) continue;
      yield Buffer.from(text);
      text = '';
    }
  }
  yield Buffer.from(text);
}
