/** `npm start` with the sandbox that tests control, below the product's own URL. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/datadeck', import.meta.url)));
const { createSandbox } = await import('@datadeck/test-sandbox');
const { runServer } = await import('../src/run-server.ts');
await runServer({ createSandbox });
