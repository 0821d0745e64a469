/** What `npm start` runs: keeps compiled modules on disk, so that a second start neither strips types nor compiles. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/datadeck', import.meta.url)));
await import('./main.ts');
