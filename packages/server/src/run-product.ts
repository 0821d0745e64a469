import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/**
 * Starts Datadeck in this process, which ends with it.
 * @param cache folder for compiled modules, which make later starts faster
 */
export async function runProduct(cache: string): Promise<void> {
  // V8 would let the old generation grow to several times the memory in use: 420 MB after 100,000 messages, 207 after
  // 5,000. With 50 % it is 222 and 200, and hardly slower. With 33 %, a sync needs half as much processor time again
  // (`node bench/sync.ts memory`).
  setFlagsFromString('--heap-growing-percent=50');
  enableCompileCache(cache);
  await import('./main.ts');
}
