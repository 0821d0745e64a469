/** Script of a thread that writes one file. */
import { getPriority, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { RowParser } from '../evaluation/row-parser.ts';
import { ColumnFinder, type FileColumns, usefulFirst } from './columns.ts';
import { csvFile } from './csv.ts';
import { feedFile } from './feeds.ts';
import type { FileTask, TableFormat } from './file-task.ts';
import { mboxFile } from './mbox.ts';
import { parquetFile } from './parquet.ts';
import { xlsxFile } from './xlsx.ts';

/** Nice value added to the thread's priority, so that the main thread's requests come first on a busy machine. */
const NICENESS = 10;

type TableWriter = (columns: FileColumns, batches: AsyncIterable<unknown[]>) => AsyncGenerator<Uint8Array>;

const TABLES: Record<TableFormat, TableWriter> = {
  csv: csvFile,
  'exact-csv': (columns, batches) => csvFile(columns, batches, true),
  xlsx: xlsxFile,
  parquet: parquetFile,
};

/** Yields the rows of NDJSON, whose chunks may end anywhere, in batches. */
async function* batchesOf(lines: FileTask['rows']): AsyncGenerator<unknown[], number> {
  let rows: unknown[] = [];
  const parser = new RowParser((batch) => {
    rows = rows.length === 0 ? batch : rows.concat(batch);
  });
  for await (const chunk of lines) {
    parser.add(Buffer.from(chunk as string));
    const batch = rows;
    rows = [];
    if (batch.length > 0) yield batch;
  }
  return parser.bytesReceived;
}

async function* fileOf({ format, feed, preferred, first, rows }: FileTask): AsyncGenerator<Uint8Array> {
  if (format === 'mbox') return yield* mboxFile(batchesOf(rows));
  if (format === 'atom' || format === 'ical') {
    if (feed) yield* feedFile(format, feed, batchesOf(rows));
    return;
  }
  const finder = new ColumnFinder();
  let bytes = 0;
  if (first) {
    const batches = batchesOf(first);
    let next = await batches.next();
    for (; !next.done; next = await batches.next()) for (const row of next.value) finder.add(row);
    bytes = next.value;
  }
  const columns = finder.finish(bytes);
  // Programs read the other tables by the names of their columns, or by the order that they know.
  yield* TABLES[format](format === 'xlsx' ? usefulFirst(columns, preferred) : columns, batchesOf(rows));
}

async function writeFile(task: FileTask): Promise<void> {
  const writer = task.file.getWriter();
  try {
    for await (const piece of fileOf(task)) {
      await writer.ready;
      await writer.write(piece);
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
}

try {
  // On Linux 0 is the calling thread, elsewhere the process.
  if (process.platform === 'linux') setPriority(0, Math.min(getPriority(0) + NICENESS, 19));
} catch {
  // Without permission, threads run at the main thread's priority.
}
await writeFile(workerData as FileTask);
