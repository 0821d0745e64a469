import { createReadStream, existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { SecretKey } from '../encryption.ts';
import { isProcessAlive } from '../process-alive.ts';
import { StartError } from '../start-error.ts';
import { type BackupEvent, readBlocks } from './blocks.ts';
import { readFrames, writeFrames } from './frames.ts';

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
  key: SecretKey | undefined;
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
  blocks: AsyncIterable<Buffer>,
  { key, isForced = false, signal }: WriteOptions,
): Promise<void> {
  const partial = `${file}.partial.${process.pid}`;
  try {
    requireReplaceable(file, isForced);
    removeAbandoned(file);
    const handle = await open(partial, 'w', 0o600);
    const compressed = createGzip({ level: 3 });
    const frames = (chunks: AsyncIterable<Buffer>) => writeFrames(chunks, key);
    await pipeline(Readable.from(blocks), compressed, frames, handle.createWriteStream({ flush: true }), {
      ...(signal && { signal }),
    });
    await rename(partial, file);
    await syncFolder(dirname(file));
  } catch (error) {
    rmSync(partial, { force: true });
    // The pipeline's own error does not say who aborted it.
    signal?.throwIfAborted();
    throw unwritable(file, error as NodeJS.ErrnoException);
  }
}

/** Reads a backup file and checks it on the way. @throws StartError for an unreadable or damaged file or a wrong key */
export async function* readBackupFile(file: string, key: SecretKey | undefined): AsyncGenerator<BackupEvent> {
  if (!existsSync(file)) throw new StartError(`There is no file ${file}.`);
  const plain = createGunzip();
  const input = createReadStream(file, { highWaterMark: 256 * 1024 });
  // A failure destroys `plain`, so that reading from it throws the same error.
  pipeline(Readable.from(readFrames(input, key)), plain).catch(() => undefined);
  try {
    yield* readBlocks(plain);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('E') && !code.startsWith('ERR_'))
      throw new StartError(`The backup ${file} cannot be read (${message}).`, error);
    throw error;
  } finally {
    input.destroy();
    plain.destroy();
  }
}
