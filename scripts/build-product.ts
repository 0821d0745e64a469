/** `npm run build`: builds the npm package `datadeck` into `dist`. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type BuildOptions, build, type OutputOptions, type Plugin } from 'rolldown';

const REPOSITORY = join(import.meta.dirname, '..');
const SERVER = join(REPOSITORY, 'packages/server');

/** Modules that differ in the package: its web app and evaluation child are built already. */
const PACKAGED = ['app/web-build', 'platform/evaluation/child-code'].map((name) => join(SERVER, 'src', name));

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  optionalDependencies: Record<string, string>;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Replaces the modules of PACKAGED by their `.packaged.ts` siblings. */
const withPackagedModules: Plugin = {
  name: 'packaged-modules',
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    const replaced = PACKAGED.find((name) => found?.id === `${name}.ts`);
    return replaced === undefined || importer === `${replaced}.packaged.ts`
      ? found
      : `${replaced}.packaged.ts`;
  },
};

/** Matches the URL of a file beside a module: a script of a thread, a style sheet, a folder. */
const FILE_URL = /new URL\('(\.\.?\/[^']+)', import\.meta\.url\)/g;

/** Snapshots of the schema, which only the tool reads that writes migrations. */
const SNAPSHOT = /_snapshot\.json$/;

/**
 * Copies the files that modules read at run time next to the bundle, which is flat, and corrects their URLs. Scripts of
 * threads become entries of the bundle.
 */
function withFiles(folder: string): Plugin {
  return {
    name: 'files',
    transform(code, id) {
      if (!id.startsWith(join(REPOSITORY, 'packages')) || !id.endsWith('.ts') || id.endsWith('.packaged.ts'))
        return null;
      return code.replaceAll(FILE_URL, (_match, path: string) => {
        const file = resolve(dirname(id), path);
        const isScript = extname(file) === '.ts';
        const name = isScript ? basename(file, '.ts') : basename(file);
        if (isScript) this.emitFile({ type: 'chunk', id: file, fileName: `${name}.js` });
        else
          cpSync(file, join(folder, name), { recursive: true, filter: (source) => !SNAPSHOT.test(source) });
        return `new URL('./${name}${isScript ? '.js' : ''}', import.meta.url)`;
      });
    },
  };
}

/** Bundles the server with all its dependencies but the embedded PostgreSQL into `folder`. */
async function bundleServer(folder: string): Promise<void> {
  const options: BuildOptions = { platform: 'node', logLevel: 'warn', external: ['pg-native'] };
  const shape: OutputOptions = {
    format: 'esm',
    minify: 'dce-only',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  };
  await build({
    ...options,
    input: { cli: join(SERVER, 'src/cli.ts') },
    plugins: [withPackagedModules, withFiles(folder)],
    output: { dir: folder, ...shape },
  });
  await build({
    ...options,
    input: join(SERVER, 'src/platform/evaluation/child.ts'),
    output: { file: join(folder, 'evaluation-child.js'), format: 'esm', minify: true },
  });
}

/** Builds the web app without source maps into `folder`. */
function buildWebApp(folder: string): void {
  const options = [
    'exec',
    '--workspace',
    'packages/web',
    '--',
    'vite',
    'build',
    '--emptyOutDir',
    '--logLevel',
    'warn',
  ];
  execFileSync('npm', [...options, '--outDir', folder], {
    cwd: REPOSITORY,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

/** Returns the package.json to publish. Everything is bundled but the platform's PostgreSQL and Node. */
function publishedManifest(): object {
  const { name, version, description, license, optionalDependencies: nodes } = readManifest(REPOSITORY);
  const { optionalDependencies: databases } = readManifest(SERVER);
  return {
    ...{ name, version, description, license, type: 'module' },
    bin: { datadeck: './bin/datadeck.js' },
    engines: { node: '>=20' },
    optionalDependencies: { ...databases, ...nodes },
  };
}

/** Builds the package into `folder`, which is emptied first. @throws Error when a part cannot be built */
export async function buildProduct(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  await bundleServer(join(folder, 'server'));
  buildWebApp(join(folder, 'web'));
  copyFileSync(join(SERVER, 'package/datadeck.js'), join(folder, 'bin/datadeck.js'));
  chmodSync(join(folder, 'bin/datadeck.js'), 0o755);
  for (const file of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(REPOSITORY, file), join(folder, file));
  copyFileSync(join(SERVER, 'package/README.md'), join(folder, 'README.md'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`);
}

if (import.meta.main) {
  const folder = join(REPOSITORY, 'dist');
  await buildProduct(folder);
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  console.log(`dist: ${files.length} files`);
}
