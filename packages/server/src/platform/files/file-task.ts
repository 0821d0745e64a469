import type { ReadableStream, WritableStream } from 'node:stream/web';

/** Formats of tables, which need the columns of all rows before the first one. */
const TABLE_FORMATS = ['csv', 'exact-csv', 'xlsx', 'parquet'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Returns whether a format is a table. */
export function isTableFormat(format: string): format is TableFormat {
  return (TABLE_FORMATS as readonly string[]).includes(format);
}

/** Formats of feeds. */
export type FeedFormat = 'atom' | 'ical';
/** Formats that a thread writes. */
export type FileFormat = TableFormat | 'mbox' | FeedFormat;

/** What a feed says of itself. */
export interface FeedInfo {
  /** A UUID. */
  id: string;
  title: string;
  /** ISO date that entries without a date get. */
  updatedAt: string;
}

/** What a thread reads and writes. The streams of rows have chunks of NDJSON that end anywhere. */
export interface FileTask {
  format: FileFormat;
  /** Only for a feed. */
  feed: FeedInfo | undefined;
  /** Names of the columns that come first in a table for people. */
  preferred: readonly string[];
  /** All rows for the columns; absent if the format needs none. */
  first: ReadableStream<string | Uint8Array> | undefined;
  /** All rows again. */
  rows: ReadableStream<string | Uint8Array>;
  file: WritableStream<Uint8Array>;
}
