/** The entry point of `npm start`. */
import { fileURLToPath } from 'node:url';
import { runProduct } from './run-product.ts';

await runProduct(fileURLToPath(new URL('../../../node_modules/.cache/datadeck', import.meta.url)));
