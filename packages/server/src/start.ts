/** What `npm start` runs: keeps compiled modules on disk, so that a second start neither strips types nor compiles. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// A long sync leaves what it read behind in the old generation, which V8 would let grow to several times what is in use:
// 420 MB after 100,000 messages, where 5,000 took 207. By half at most it is 222 and 200, and hardly slower (by two thirds
// 226 to 240; by a third, a sync takes half as much processor time again; `node bench/sync.ts memory`).
setFlagsFromString('--heap-growing-percent=50');

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/datadeck', import.meta.url)));
await import('./main.ts');
