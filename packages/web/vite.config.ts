import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Size of a file that is compressed faster, bytes. */
const LARGE = 1_000_000;
const COMPRESSIBLE = /\.(js|css|svg|json|map|txt)$/;

/** Writes a `.br` and a `.gz` sibling of each compressible file; index.html is left out, since the server fills in its nonce. */
function precompress(): Plugin {
  let outDir = 'dist';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
        const file = join(entry.parentPath, entry.name);
        const content = readFileSync(file);
        // The best quality takes seconds for a megabyte.
        const quality = content.length > LARGE ? 9 : 11;
        const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: quality } };
        writeFileSync(`${file}.br`, brotliCompressSync(content, brotli));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

const JSON_SCHEMA_PARTS = /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/;

/** Leaves zod's JSON Schema generator out of the page: only the server describes the API, and the first screen is small. */
function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    transform(code, id) {
      if (!JSON_SCHEMA_PARTS.test(id)) return null;
      const names = [...code.matchAll(/^export (?:const |function |\{ \w+ as )(\w+)/gm)].map(
        ([, name]) => name,
      );
      return {
        code: names.map((name) => `export const ${name} = () => () => undefined;`).join('\n'),
        map: null,
      };
    },
  };
}

/** Returns Scalar's script for browsers, as its plugin for Fastify serves it. */
function readScalar(): string {
  let script = '';
  const reply = {
    header: () => reply,
    send: (body: string) => {
      script = body;
    },
  };
  const route = ({ url, handler }: { url: string; handler(request: object, to: object): void }) => {
    if (url.endsWith('.js')) handler({}, reply);
  };
  const recorder = { hasPlugin: () => false, route };
  scalar(recorder as never, { configuration: { url: '/' } }, () => undefined);
  if (script === '') throw new Error('the plugin of Scalar serves no script');
  return script;
}

/** Writes Scalar's script as a file of its own; `virtual:scalar` is its address. */
function scalarScript(): Plugin {
  const id = '\0virtual:scalar';
  return {
    name: 'scalar-script',
    apply: 'build',
    resolveId: (source) => (source === 'virtual:scalar' ? id : null),
    load(module) {
      if (module !== id) return null;
      const file = this.emitFile({ type: 'asset', name: 'scalar.js', source: readScalar() });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}

const server = 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), withoutJsonSchema(), scalarScript(), precompress()],
  // The policy of the server allows no data: addresses, so nothing is inlined.
  build: {
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'reference.html', 'share.html'].map((name) => join(import.meta.dirname, name)),
      output: {
        // The first screen has the names of all files. Those that files share are hashes alone, to keep it small.
        chunkFileNames: ({ isDynamicEntry }) => `assets/${isDynamicEntry ? '[name]-' : ''}[hash].js`,
      },
    },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': server, '/auth': server, '/sandbox': server } },
  test: {
    name: 'web',
    environment: 'jsdom',
    // A context for each file instead of a process: a third of the time.
    pool: 'vmThreads',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['test-support/setup.ts'],
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // As in vitest.config.ts: projects that run beside each other have one limit.
    maxWorkers: 3,
    retry: process.env.CI ? 1 : 0,
  },
});
