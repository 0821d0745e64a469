import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { RowPrint } from '../../platform/evaluation/index.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Rows that are written or parsed before other work of the process gets its turn. */
const BATCH = 1000;
/** Largest text of a snapshot, bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Returns the compressed prints of rows: a line of JSON for each batch. */
export async function packRows(rows: readonly RowPrint[]): Promise<Buffer> {
  const lines: string[] = [];
  for (let at = 0; at < rows.length; at += BATCH) {
    lines.push(JSON.stringify(rows.slice(at, at + BATCH)));
    await nextTurn();
  }
  return compress(lines.join('\n'));
}

/** Returns the rows of a snapshot. */
export async function unpackRows(packed: Buffer): Promise<RowPrint[]> {
  const text = (await decompress(packed, { maxOutputLength: MAX_BYTES })).toString();
  const rows: RowPrint[] = [];
  for (const line of text === '' ? [] : text.split('\n')) {
    rows.push(...(JSON.parse(line) as RowPrint[]));
    await nextTurn();
  }
  return rows;
}
