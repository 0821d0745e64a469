/** The entry point of `npm start`: caches compiled modules on disk for faster starts. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// V8 would let the old generation grow to several times the memory in use: 420 MB after 100,000 messages, 207 after
// 5,000. With 50 % it is 222 and 200, and hardly slower. With 33 %, a sync needs half as much processor time again
// (`node bench/sync.ts memory`).
setFlagsFromString('--heap-growing-percent=50');

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/datadeck', import.meta.url)));
await import('./main.ts');
