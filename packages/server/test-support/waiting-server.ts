/** `npm start` in two steps for tests with many starts: loads the code, then starts on a message of its parent. */
import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../../../../node_modules/.cache/datadeck', import.meta.url)));
const startMessage = once(process, 'message');
process.once('disconnect', () => process.exit());
await import('../src/server.ts');
await startMessage;
process.removeAllListeners('disconnect');
process.disconnect();
await import('../src/main.ts');
