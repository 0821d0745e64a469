/** `npm start` in two steps, for tests that start a server often: loads the code, and starts when its parent says so. */
import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../../../../node_modules/.cache/datadeck', import.meta.url)));
const told = once(process, 'message');
process.once('disconnect', () => process.exit());
await import('../src/server.ts');
await told;
process.removeAllListeners('disconnect');
process.disconnect();
await import('../src/main.ts');
