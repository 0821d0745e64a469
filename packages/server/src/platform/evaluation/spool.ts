import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

/** Largest text kept in memory for its reader, UTF-16 units; larger ones are written to a file. */
const MAX_IN_MEMORY = 4 * 1024 * 1024;
const PREFIX = 'datadeck-download-';

/**
 * Opens a temporary file and unlinks it, so that its disk space is freed when it is closed or this process is killed.
 */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `${PREFIX}${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path, { force: true });
  return file;
}

/** Removes temporary files of killed processes; files in use are already unlinked. */
export async function removeLeftovers(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names)
    if (name.startsWith(PREFIX))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
}

/** A text that can be read several times. It must be opened a last time, and that stream read or destroyed. */
export interface Spooled {
  open(isLast: boolean): Readable;
}

/**
 * Consumes all chunks as fast as possible, so that their producer is free again, and returns their text, which can be read
 * at any speed. Errors are thrown before it is returned.
 */
export async function spool(chunks: AsyncGenerator<string>): Promise<Spooled> {
  const held: string[] = [];
  let size = 0;
  for (;;) {
    const next = await chunks.next();
    if (next.done) return { open: () => Readable.from(held, { objectMode: false }) };
    held.push(next.value);
    size += next.value.length;
    if (size > MAX_IN_MEMORY) break;
  }
  try {
    const file = await openNameless();
    try {
      for (const chunk of held.splice(0)) await file.appendFile(chunk);
      for await (const chunk of chunks) await file.appendFile(chunk);
    } catch (error) {
      await file.close();
      throw error;
    }
    return {
      open: (isLast) => file.createReadStream({ start: 0, autoClose: isLast, highWaterMark: 256 * 1024 }),
    };
  } finally {
    await chunks.return(undefined);
  }
}
