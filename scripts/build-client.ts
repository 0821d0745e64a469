/**
 * `node scripts/build-client.ts ADDRESS [FOLDER]`: generates a typed client of the API from the description that a running
 * Datadeck serves at ADDRESS, by default into `dist.client`. A test does the same for each commit and uses the result.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import openApiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { build } from 'rolldown';

const REPOSITORY = join(import.meta.dirname, '..');

const CODE = `import createClient from 'openapi-fetch';

export function createDatadeckClient({ url, token, ...options }) {
  return createClient({ ...options, baseUrl: url, headers: { authorization: \`Bearer \${token}\` } });
}
`;

const TYPES = `import type { Client, ClientOptions } from 'openapi-fetch';
import type { paths } from './schema.js';

export type { paths } from './schema.js';

/**
 * Creates a client of a Datadeck server.
 * @param url e.g. https://deck.example.org
 * @param token an API token, ddt_…
 */
export declare function createDatadeckClient(
  options: { url: string; token: string } & Pick<ClientOptions, 'fetch' | 'signal'>,
): Client<paths>;
`;

/**
 * Generates a client: the types \`schema.d.ts\` and the module \`index.js\`, which needs no other package at run time.
 * @throws Error for a description that is not valid OpenAPI
 */
export async function buildClient(description: object, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const types = astToString(await openApiTypes(description as OpenAPI3, { alphabetize: true }));
  writeFileSync(join(folder, 'schema.d.ts'), types);
  writeFileSync(join(folder, 'index.d.ts'), TYPES);
  const { info } = description as OpenAPI3;
  const manifest = {
    name: 'datadeck-client',
    version: info.version,
    type: 'module',
    exports: { types: './index.d.ts', default: './index.js' },
    dependencies: { 'openapi-fetch': '0.17.0' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const entry = 'datadeck-client';
  await build({
    input: { index: entry },
    cwd: REPOSITORY,
    logLevel: 'warn',
    plugins: [
      {
        name: 'client',
        resolveId: (source, importer) =>
          source === entry ? join(REPOSITORY, 'scripts', `${entry}.js`) : importer ? null : undefined,
        load: (id) => (id.endsWith(`${entry}.js`) ? CODE : null),
      },
    ],
    output: { dir: folder, format: 'esm', entryFileNames: '[name].js' },
  });
}

if (import.meta.main) {
  const [address, folder = join(REPOSITORY, 'dist.client')] = process.argv.slice(2);
  if (address === undefined) throw new Error('name the address of a running Datadeck');
  const response = await fetch(new URL('/api/v1/openapi.json', address));
  await buildClient((await response.json()) as object, resolve(folder));
}
