import { AppError } from '../app-error.ts';
import type { DataSet } from './row-cache.ts';

/** Largest row set that a process loads, bytes of JSON. Larger sets are streamed. */
export const MAX_LOADED_BYTES = 128 * 1024 * 1024;
/** Assumed size of a row when only the number of rows is known. */
const TYPICAL_ROW_BYTES = 1024;

type Size = Pick<DataSet, 'rows' | 'bytes'>;

function bytesOf({ rows = 0, bytes }: Size): number {
  return bytes ?? rows * TYPICAL_ROW_BYTES;
}

/** Returns whether a set is too large to load, so that its rows are streamed through the expression. */
export function isStreamed(set: Size): boolean {
  return bytesOf(set) > MAX_LOADED_BYTES;
}

/** Returns the largest number of rows of this size for an expression that needs all rows at once. */
export function maxRows(set: Size): number {
  const average = set.bytes !== undefined && set.rows ? set.bytes / set.rows : TYPICAL_ROW_BYTES;
  return Math.max(1, Math.floor(MAX_LOADED_BYTES / average));
}

const number = new Intl.NumberFormat('en');

/** Creates the error for an expression that needs all rows of a too large set. @param reason a sentence */
export function needsAllRows(set: Size, reason: string): AppError {
  const count =
    set.rows === undefined ? 'There are too many rows' : `There are ${number.format(set.rows)} rows`;
  return new AppError(
    'query-too-complex',
    `The query cannot run row by row. ${reason} ${count}, and such a query may have about ` +
      `${number.format(maxRows(set))}. Add a filter, for example $[created_at > "2026-01-01"].`,
  );
}
