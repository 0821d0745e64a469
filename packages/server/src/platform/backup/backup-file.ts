import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { isProcessAlive } from '../process-alive.ts';
import { StartError } from '../start-error.ts';
import {
  AGE_START,
  type BackupKeys,
  decrypt,
  encrypt,
  isSystemError,
  MAX_HEADER_BYTES,
  openEncrypter,
} from './age.ts';
import { type ArchiveContent, readArchive, writeArchive } from './archive.ts';
import { DamagedBackup } from './damaged.ts';
import { readBlocks } from './format-1-blocks.ts';
import { FORMAT_1_START, readFrames } from './format-1-frames.ts';
import { gunzip } from './gunzip.ts';
import { notEncrypted } from './key-errors.ts';
import type { BackupEvent } from './manifest.ts';

/** Size of the pieces in which files are read and compressed, in bytes. */
const CHUNK_BYTES = 256 * 1024;
/** Start of a file of gzip. */
const GZIP_START = '\x1f\x8b';

/** Removes partial files of a backup whose process has ended. */
function removeAbandoned(file: string): void {
  const prefix = `${basename(file)}.partial.`;
  for (const name of readdirSync(dirname(file)))
    if (name.startsWith(prefix) && !isProcessAlive(Number(name.slice(prefix.length))))
      rmSync(join(dirname(file), name), { force: true });
}

/** Flushes a folder, so that a rename in it survives a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Returns the sentence for a file that cannot be written; other errors are returned as they are. */
function unwritable(file: string, error: NodeJS.ErrnoException): unknown {
  const { code = '', message } = error;
  const folder = dirname(file);
  if (code === 'ENOSPC')
    return new StartError(
      `The disk of ${folder} is full, so no backup was written. Free space there, or write it elsewhere.`,
      error,
    );
  if (code === 'EDQUOT')
    return new StartError(
      `This user's disk quota for ${folder} is used up, so no backup was written. Free space there, raise the quota, or write it elsewhere.`,
      error,
    );
  if (code === 'EFBIG')
    return new StartError(
      `The backup is larger than a file in ${folder} may be, so no backup was written. Raise the limit of this process ('ulimit -f'), or write it to a file system for larger files.`,
      error,
    );
  if (/^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EISDIR|ENAMETOOLONG|EIO)$/.test(code))
    return new StartError(
      `The backup cannot be written to ${file} (${message}). Name a file in a folder that exists and that this user may write.`,
      error,
    );
  return error;
}

/** @throws StartError when the file exists and must not be replaced, or is no ordinary file */
function requireReplaceable(file: string, isForced: boolean): void {
  const existing = lstatSync(file, { throwIfNoEntry: false });
  if (existing === undefined) return;
  if (!isForced) throw new StartError(`${file} exists. Name another file, or replace it with --force.`);
  // A device, for example: replacing it would break the system.
  if (!existing.isFile()) throw new StartError(`${file} is not an ordinary file. Name another file.`);
}

interface WriteOptions {
  /** Encrypt the file, if there are any. */
  keys: BackupKeys;
  /** Replaces an existing file. */
  isForced?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Writes a backup, mode 600: first to a partial file, which is renamed when it is complete on the disk and removed after
 * a failure.
 * @throws StartError for an existing file, a full disk or an unwritable folder; the signal's reason
 */
export async function writeBackupFile(
  file: string,
  content: ArchiveContent,
  { keys, isForced = false, signal }: WriteOptions,
): Promise<void> {
  const partial = `${file}.partial.${process.pid}`;
  const encrypter = await openEncrypter(keys);
  try {
    requireReplaceable(file, isForced);
    removeAbandoned(file);
    const handle = await open(partial, 'w', 0o600);
    const compressed = createGzip({ level: 3, chunkSize: CHUNK_BYTES });
    const sealed = (chunks: AsyncIterable<Buffer>) =>
      encrypter === undefined ? chunks : encrypt(chunks, encrypter);
    await pipeline(
      Readable.from(writeArchive(content)),
      compressed,
      sealed,
      handle.createWriteStream({ flush: true }),
      { ...(signal && { signal }) },
    );
    await rename(partial, file);
    await syncFolder(dirname(file));
  } catch (error) {
    rmSync(partial, { force: true });
    // The pipeline's own error does not say who aborted it.
    signal?.throwIfAborted();
    throw unwritable(file, error as NodeJS.ErrnoException);
  }
}

/** One step through a backup, and whether the file is encrypted. */
type FileEvent =
  | Exclude<BackupEvent, { type: 'header' }>
  | (Extract<BackupEvent, { type: 'header' }> & { isEncrypted: boolean });

/** Recognises the format of a file by its start and reads it. */
async function* readFormat(handle: FileHandle, keys: BackupKeys): AsyncGenerator<FileEvent> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, 0);
  const start = buffer.subarray(0, bytesRead);
  const input = handle.createReadStream({ start: 0, highWaterMark: CHUNK_BYTES });
  const begins = (text: string) => start.toString('latin1', 0, text.length) === text;
  let events: AsyncIterable<BackupEvent>;
  if (begins(AGE_START)) events = readArchive(gunzip(decrypt(input, start, keys)));
  else if (begins(FORMAT_1_START)) events = readBlocks(gunzip(readFrames(input, keys.key)));
  else if (begins(GZIP_START)) {
    if (keys.key !== undefined) throw notEncrypted('BACKUP_KEY is set');
    if (keys.identity !== undefined) throw notEncrypted('--identity is given');
    events = readArchive(gunzip(input));
  } else throw new DamagedBackup('it does not start like one');
  // A file of format 1 that is not encrypted is refused when there is a key.
  const isEncrypted = begins(AGE_START) || (begins(FORMAT_1_START) && keys.key !== undefined);
  for await (const event of events) yield event.type === 'header' ? { ...event, isEncrypted } : event;
}

/** Reads a backup file and checks it on the way. @throws StartError for an unreadable or damaged file or a wrong key */
export async function* readBackupFile(file: string, keys: BackupKeys): AsyncGenerator<FileEvent> {
  if (!existsSync(file)) throw new StartError(`There is no file ${file}.`);
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    yield* readFormat(handle, keys);
  } catch (error) {
    if (isSystemError(error))
      throw new StartError(`The backup ${file} cannot be read (${error.message}).`, error);
    throw error;
  } finally {
    await handle?.close();
  }
}
