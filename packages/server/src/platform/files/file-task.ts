import type { ReadableStream, WritableStream } from 'node:stream/web';

/** Formats of tables, which need the columns of all rows before the first one. */
export const TABLE_FORMATS = ['csv', 'xlsx', 'parquet'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];
/** Formats that a thread writes. */
export type FileFormat = TableFormat | 'mbox';

/** What a thread reads and writes. The streams of rows have chunks of NDJSON that end anywhere. */
export interface FileTask {
  format: FileFormat;
  /** All rows for the columns; absent if the format needs none. */
  first: ReadableStream<string | Uint8Array> | undefined;
  /** All rows again. */
  rows: ReadableStream<string | Uint8Array>;
  file: WritableStream<Uint8Array>;
}
