import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Text that waits for its reader in memory, UTF-16 units; more goes to a file. */
const IN_MEMORY = 4 * 1024 * 1024;

/**
 * Takes all chunks as fast as they come and gives them as slowly as they are wanted; whoever makes them is free again
 * after the last one. An error comes before the first chunk.
 */
export async function* spool(chunks: AsyncGenerator<string>): AsyncGenerator<string | Buffer> {
  const held: string[] = [];
  let size = 0;
  for (;;) {
    const next = await chunks.next();
    if (next.done) {
      yield* held;
      return;
    }
    held.push(next.value);
    size += next.value.length;
    if (size > IN_MEMORY) break;
  }
  const folder = await mkdtemp(join(tmpdir(), 'datadeck-download-'));
  try {
    const path = join(folder, 'text');
    const file = await open(path, 'wx', 0o600);
    await writeAll(file, held.splice(0), chunks).finally(() => file.close());
    yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
  } finally {
    await chunks.return(undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeAll(file: FileHandle, held: string[], rest: AsyncGenerator<string>): Promise<void> {
  for (const chunk of held) await file.write(chunk);
  for await (const chunk of rest) await file.write(chunk);
}
