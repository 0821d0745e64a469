/** Bundles a module and its imports into one file: `node bundle-child.ts <module> <file>`. */
import { build } from 'rolldown';

const [input = '', file = ''] = process.argv.slice(2);
await build({ input, platform: 'node', logLevel: 'silent', output: { file, format: 'esm', minify: true } });
