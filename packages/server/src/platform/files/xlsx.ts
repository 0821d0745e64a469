import { writeXlsxStream } from 'hucre/xlsx';
import { type FileColumns, RowReader } from './columns.ts';

/** Longest text of a cell, UTF-16 units, and rows of a sheet, both limits of the format. */
const MAX_CELL_LENGTH = 32_767;
const MAX_ROWS = 1_048_576;
/**
 * Length of the rows of a sheet as JSON, bytes on average. As XML in the ZIP format without its 64-bit extension, which not
 * every reader knows in a stream, a sheet may have 4 GB.
 */
const SHEET_LENGTH = 1_000_000_000;
/** First date that spreadsheets calculate with in the same way, ms since 1970. */
const FIRST_DATE = Date.UTC(1900, 2, 1);

/**
 * Removes characters that XML cannot contain; replaces half characters. Escapes what a spreadsheet would read as the code
 * of a character, such as `_x0041_`.
 */
function cellText(text: string): string {
  const cut = text.length > MAX_CELL_LENGTH ? text.slice(0, MAX_CELL_LENGTH) : text;
  return (
    cut
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
  );
}

type Cell = string | number | boolean | Date | null;

function cellOf(value: Cell): Cell {
  if (typeof value === 'string') return cellText(value);
  if (value instanceof Date && value.getTime() < FIRST_DATE) return value.toISOString();
  return value;
}

/** Width of a column of dates, and smallest and largest width of others, characters. */
const WIDTH = { date: 19, least: 8, most: 60 } as const;

/** Returns the width in which a column can be read: that of its longest text, or of its name. */
function widthAt(reader: RowReader, index: number): number {
  if (reader.typeAt(index) === 'timestamp') return WIDTH.date;
  const needed = Math.max(reader.textLengthAt(index), reader.names[index]?.length ?? 0) + 2;
  return Math.min(Math.max(needed, WIDTH.least), WIDTH.most);
}

async function* cellRows(reader: RowReader, batches: AsyncIterable<unknown[]>): AsyncGenerator<Cell[]> {
  for await (const batch of batches) for (const row of batch) yield reader.readTyped(row).map(cellOf);
}

/**
 * Yields an XLSX file with a header row. Texts are inline, so that none has to be remembered, and never formulas. Rows
 * beyond the limits of a sheet follow in further sheets with the same header.
 * @param most rows of a sheet with its header
 */
export async function* xlsxFile(
  columns: FileColumns,
  batches: AsyncIterable<unknown[]>,
  most = MAX_ROWS,
): AsyncGenerator<Uint8Array> {
  const reader = new RowReader(columns);
  const definitions = reader.names.map((name, index) => ({
    header: cellText(name),
    width: widthAt(reader, index),
    ...(reader.typeAt(index) === 'timestamp' && { numFmt: 'yyyy-mm-dd hh:mm:ss' }),
  }));
  yield* writeXlsxStream(cellRows(reader, batches), {
    name: 'Rows',
    columns: definitions,
    freezePane: { rows: 1 },
    maxRowsPerSheet: Math.min(most, Math.ceil(SHEET_LENGTH / Math.max(1, columns.rowLength))),
  });
}
