import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { BOUNDS } from '@datadeck/contract';
import { queryTooComplex } from './evaluator.ts';
import { type Extent, LINES_PER_OFFSET, type ResultFacts, type WrittenLines } from './protocol.ts';

/** What is written of a result for its first pages, and for all of it. */
export const EXTENTS: Record<'first' | 'all', Extent> = {
  first: { lines: LINES_PER_OFFSET, bytes: 2 * 1024 * 1024, maxBytes: BOUNDS.pageText },
  all: {
    lines: Number.POSITIVE_INFINITY,
    bytes: Number.POSITIVE_INFINITY,
    maxBytes: BOUNDS.downloadBytes,
  },
};

/** Free space of the disk below which no result is kept, bytes: the embedded database needs it more. */
const MIN_FREE_BYTES = 1024 ** 3;

/** Returns whether the disk of a folder has space for results that are kept. */
export async function hasFreeSpace(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= MIN_FREE_BYTES;
}

/** Size of a chunk of a whole result, bytes. */
const CHUNK_SIZE = 256 * 1024;

/**
 * Opens a new file that only this process can read, and removes its name: its space is free again when it is closed, also
 * when this process is killed.
 */
async function openNameless(folder: string): Promise<FileHandle> {
  const path = join(folder, randomUUID());
  const file = await open(path, 'wx+', 0o600);
  await rm(path, { force: true });
  return file;
}

/** Makes the folder, and removes the files of a process that was killed before it removed their names. */
export function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** How a result is written. */
interface Writing {
  folder: string;
  /** Whether all of it is to be written, as far as a download may be. */
  isWhole: boolean;
  /** Evaluates, and passes on the lines in chunks. */
  produce(write: (chunk: Buffer) => Promise<void>): Promise<ResultFacts & WrittenLines>;
}

/**
 * The result of an evaluation: a file with one line of JSON per item, and where each page begins. It is closed when all
 * that `retain` it have released it.
 */
export class ResultFile implements ResultFacts {
  readonly count: number;
  readonly isArray: boolean;
  readonly rows: number;
  readonly elapsedMs: number;
  /** Whether no further evaluation would write more. */
  readonly isWhole: boolean;
  /** Number of items that the file has. */
  readonly lines: number;
  /** Size of the lines, bytes. */
  readonly bytes: number;
  readonly #offsets: Float64Array;
  readonly #file: FileHandle;
  #users = 1;

  private constructor(file: FileHandle, result: ResultFacts & WrittenLines, isWhole: boolean) {
    const { count, isArray, rows, elapsedMs, lines, offsets } = result;
    this.#file = file;
    this.isWhole = isWhole || lines === count;
    this.count = count;
    this.isArray = isArray;
    this.rows = rows;
    this.elapsedMs = elapsedMs;
    this.lines = lines;
    this.#offsets = Float64Array.from(offsets);
    this.bytes = offsets.at(-1) ?? 0;
  }

  /** Writes a result. @throws what `produce` throws */
  static async write({ folder, isWhole, produce }: Writing): Promise<ResultFile> {
    const file = await openNameless(folder);
    try {
      return new ResultFile(file, await produce((chunk) => file.appendFile(chunk)), isWhole);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Whether the file has all items. */
  get isComplete(): boolean {
    return this.lines === this.count;
  }

  /** Descriptor of the file, valid until it is released. */
  get descriptor(): number {
    return this.#file.fd;
  }

  /** Keeps the file open until `release` is called once more. */
  retain(): this {
    this.#users++;
    return this;
  }

  release(): void {
    if (--this.#users === 0) void this.#file.close();
  }

  /** Returns whether the file has these items, as far as the result has them. */
  has(offset: number, limit: number): boolean {
    return this.isComplete || offset + limit <= this.lines;
  }

  /**
   * Returns items as the text of a JSON array.
   * @throws AppError query-too-complex when the file does not have them, or their text is too long for a page
   */
  async page(offset: number, limit: number): Promise<string> {
    const from = Math.floor(offset / LINES_PER_OFFSET);
    const to = Math.min(Math.ceil((offset + limit) / LINES_PER_OFFSET), this.#offsets.length - 1);
    const start = this.#offsets[from] ?? this.bytes;
    const length = Math.max(0, (this.#offsets[to] ?? this.bytes) - start);
    if (length > BOUNDS.pageText || (from >= to && !this.has(offset, limit))) throw pageTooLong();
    if (length === 0) return '[]';
    const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, start);
    if (bytesRead < length) throw new Error('a result file is too short');
    const skipped = offset - from * LINES_PER_OFFSET;
    const lines = buffer.toString('utf8', 0, length - 1);
    if (skipped === 0 && limit >= (to - from) * LINES_PER_OFFSET) return `[${lines.replaceAll('\n', ',')}]`;
    return `[${lines
      .split('\n')
      .slice(skipped, skipped + limit)
      .join(',')}]`;
  }

  /** Returns all lines, NDJSON. The file stays open until the stream is closed, so it must be read or destroyed. */
  read(): Readable {
    this.retain();
    const lines = Readable.from(this.#chunks(), { objectMode: false, highWaterMark: 1 });
    return lines.once('close', () => this.release());
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < this.bytes; ) {
      const length = Math.min(CHUNK_SIZE, this.bytes - at);
      const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) throw new Error('a result file is too short');
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }
}

function pageTooLong(): Error {
  return queryTooComplex(
    ` because the page of the result is longer than ${Math.round(BOUNDS.pageText / 1024 / 1024)} MB`,
  );
}
