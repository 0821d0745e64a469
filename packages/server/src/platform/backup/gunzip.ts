import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DamagedBackup } from './damaged.ts';

/** Unpacks a stream of gzip. @throws DamagedBackup for a damaged or truncated one, or when something follows its end */
export async function* gunzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const plain = createGunzip({ rejectGarbageAfterEnd: true, chunkSize: 64 * 1024 });
  // A failure destroys `plain`, so that reading from it throws the same error.
  pipeline(Readable.from(chunks), plain).catch(() => undefined);
  try {
    yield* plain;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ERR_TRAILING_JUNK_AFTER_STREAM_END') throw new DamagedBackup('something follows its end');
    throw code.startsWith('Z_') ? new DamagedBackup('it was changed or cut off') : error;
  } finally {
    plain.destroy();
  }
}
