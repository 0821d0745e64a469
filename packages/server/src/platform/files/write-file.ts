import { Readable } from 'node:stream';
import { type ReadableStream, TransformStream } from 'node:stream/web';
import { Worker } from 'node:worker_threads';
import { AppError } from '../app-error.ts';
import { OpenCounter } from '../open-counter.ts';
import {
  type FeedFormat,
  type FeedInfo,
  type FileFormat,
  type FileTask,
  isTableFormat,
} from './file-task.ts';

/** Largest JavaScript heap of a thread, MB. The largest group of rows and one document fit several times. */
const HEAP_MB = 192;
/** Size of a thread's young generation, MB. */
const YOUNG_MB = 16;
/** Largest number of threads for files: of a fair queue, which a user or all demo users together have, and of all. */
const MAX_THREADS = { fairQueue: 2, all: 6 } as const;
/** The same for feeds, which end soon. */
const MAX_FEED_THREADS = { fairQueue: 2, all: 4 } as const;

const threads = new OpenCounter();

const tooManyFiles = () =>
  new AppError('rate-limited', 'Too many files are being written. Try again in a moment.', { retryAfter: 5 });

/** What a file needs beside its rows. */
interface FileOptions {
  /** What a feed says of itself; feeds have limits of their own. */
  feed?: FeedInfo;
  /** Names of the columns that come first in an XLSX file of whole records. */
  preferred?: readonly string[];
}

type Rows = ReadableStream<string | Uint8Array>;

/**
 * Returns a file of the rows. A thread writes it as fast as it is read; tables read all rows twice, first for their
 * columns. The caller must read or destroy the stream, which ends the thread.
 * @param open returns the rows as a stream of NDJSON; called once or twice, or never if writing is refused
 * @throws AppError rate-limited when too many files are being written; the rows were not opened then
 */
export function writeFile(
  format: FileFormat,
  open: () => Readable,
  fairQueue: string | undefined,
  { feed, preferred = [] }: FileOptions = {},
): Readable {
  const release = threads.acquire(limitsOf(fairQueue, feed !== undefined), tooManyFiles);
  const sources: Readable[] = [];
  const end = () => {
    release();
    for (const source of sources) source.destroy();
  };
  try {
    if (isTableFormat(format)) sources.push(open());
    sources.push(open());
    return startThread(format, sources, { feed, preferred, end });
  } catch (error) {
    end();
    throw error;
  }
}

/** Returns how many threads of which kinds may run. */
function limitsOf(fairQueue: string | undefined, isFeed: boolean): Record<string, number> {
  const kind = isFeed ? 'feeds' : 'files';
  const limits = isFeed ? MAX_FEED_THREADS : MAX_THREADS;
  return {
    [kind]: limits.all,
    ...(fairQueue !== undefined && { [`${kind} of ${fairQueue}`]: limits.fairQueue }),
  };
}

/** Starts the thread that writes a file. @param end called when the file is closed */
function startThread(
  format: FileFormat,
  sources: readonly Readable[],
  { feed, preferred, end }: Pick<FileTask, 'feed' | 'preferred'> & { end: () => void },
): Readable {
  const [rows, first] = sources.map((source) => Readable.toWeb(source) as Rows).reverse() as [Rows, Rows?];
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const task: FileTask = { format, feed, preferred, first, rows, file: writable };
  const worker = new Worker(new URL('./file-thread.ts', import.meta.url), {
    workerData: task,
    transferList: [rows, writable, ...(first ? [first] : [])] as never,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const file = Readable.fromWeb(readable as ReadableStream);
  // A failed source is an error of the file; the stream that is read twice may fail alone.
  for (const source of sources) source.on('error', (error) => file.destroy(error));
  worker.on('error', (error) => file.destroy(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', (code) => {
    if (code !== 0) file.destroy(new Error('The thread that wrote a file ended.'));
  });
  file.once('close', () => {
    end();
    void worker.terminate();
  });
  return file;
}

/** Longest feed; a thousand entries with the longest texts fit. */
const MAX_FEED_BYTES = 16 * 1024 * 1024;

/** Returns a feed of rows, the text of a JSON array. @throws AppError as `writeFile`; Error for a feed that is too long */
export async function writeFeed(
  format: FeedFormat,
  info: FeedInfo,
  rows: string,
  fairQueue: string | undefined,
): Promise<Buffer> {
  const line = `${rows.replaceAll(/[\r\n]+/g, ' ')}\n`;
  const file = writeFile(format, () => Readable.from([line]), fairQueue, { feed: info });
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of file as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > MAX_FEED_BYTES) throw new Error('A feed is too long.');
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces);
}
