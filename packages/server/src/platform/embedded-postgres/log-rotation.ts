import { copyFile, stat, truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Size at which the log is rotated, bytes. One earlier part is kept, so the log takes about twice as much. */
export const MAX_LOG_BYTES = 10 * 1024 * 1024;
const CHECK_MS = 1000;

/**
 * Moves the lines of a large log to `<log>.1`, which replaces the earlier part. A full disk costs the earlier part only.
 * @throws Error when the log cannot be changed
 */
export async function rotateLog(log: string): Promise<void> {
  const { size } = await stat(log);
  if (size <= MAX_LOG_BYTES) return;
  // Copied and cut off instead of renamed, because the server keeps the file open; it appends, so it continues at 0.
  await copyFile(log, `${log}.1`).catch(() => undefined);
  await truncate(log, 0);
}

/** Rotates a log whenever it has become large. @returns a function that stops it */
export function startLogRotation(log: string): () => void {
  const stopping = new AbortController();
  void (async () => {
    while (!stopping.signal.aborted) {
      // A log that cannot be changed now may be later, and must not stop the product.
      await rotateLog(log).catch(() => undefined);
      await sleep(CHECK_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  })();
  return () => stopping.abort();
}
