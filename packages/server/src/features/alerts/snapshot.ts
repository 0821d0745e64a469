import { gunzipSync, gzipSync } from 'node:zlib';
import type { RowDigest } from './row-digests.ts';

/** Rows in a line of a snapshot. */
const BATCH = 1000;
/** Largest text of a snapshot, bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Returns the compressed digests of rows: a line of JSON for each batch. */
export function packRows(rows: readonly RowDigest[]): Buffer {
  const lines: string[] = [];
  for (let at = 0; at < rows.length; at += BATCH) lines.push(JSON.stringify(rows.slice(at, at + BATCH)));
  return gzipSync(lines.join('\n'));
}

/** Returns the digests of a snapshot. */
export function unpackRows(packed: Uint8Array): RowDigest[] {
  const text = gunzipSync(packed, { maxOutputLength: MAX_BYTES }).toString();
  return text === '' ? [] : text.split('\n').flatMap((line) => JSON.parse(line) as RowDigest[]);
}
