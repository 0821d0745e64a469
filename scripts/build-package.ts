/** Builds packages that can be published alone, `packages/jsonata` and `packages/sandbox`. */
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type OutputOptions } from 'rolldown';
import ts from 'typescript';

const REPOSITORY = join(import.meta.dirname, '..');

/** How a package is built whose module is `src/index.ts`. */
export interface PackageParts {
  /** `neutral`: the code runs in any JavaScript engine; `node`: it needs Node. */
  platform: 'neutral' | 'node';
  /** Files that the code reads at run time, below the package's folder; copied next to the modules by their base names. */
  assets?: string[];
  /** Name of the command that runs `src/main.ts`. Without it, the package has no command. */
  command?: string;
}

interface Manifest {
  dependencies: Record<string, string>;
  [field: string]: unknown;
}

const readManifest = (root: string) =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** Writes the types of all sources that `src/index.ts` imports. @throws Error with the messages of the compiler */
function writeTypes(root: string, folder: string, platform: PackageParts['platform']): void {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2024.d.ts', 'lib.esnext.iterator.d.ts', ...(platform === 'node' ? [] : ['lib.dom.d.ts'])],
    types: platform === 'node' ? ['node'] : [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(root, 'src'),
    outDir: folder,
  };
  const program = ts.createProgram([join(root, 'src/index.ts')], options);
  const { diagnostics } = program.emit();
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0)
    throw new Error(
      ts.formatDiagnostics(problems, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => root,
        getNewLine: () => '\n',
      }),
    );
  // The sources import each other with the extension .ts, published types with .js.
  for (const file of globSync(join(folder, '**/*.d.ts')))
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(/((?:from|import\()\s*'\.[^']*)\.ts'/g, "$1.js'"),
    );
  // CommonJS has types of its own: those of a module of type `module` would say that it can only be imported.
  writeFileSync(join(folder, 'index.d.cts'), "export * from './index.js';\n");
}

/** Writes the ECMAScript and CommonJS modules; dependencies are not bundled. */
async function writeModules(
  root: string,
  folder: string,
  { platform, command }: PackageParts,
): Promise<void> {
  const external = Object.keys(readManifest(root).dependencies).flatMap((name) => [
    name,
    new RegExp(`^${name}/`),
  ]);
  const index = join(root, 'src/index.ts');
  const write = (input: Record<string, string>, output: OutputOptions) =>
    build({ input, external, platform, logLevel: 'warn', output: { dir: folder, ...output } });
  const main = command === undefined ? {} : { main: join(root, 'src/main.ts') };
  await write(
    { index, ...main },
    { format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
  );
  await write({ index }, { format: 'cjs', entryFileNames: '[name].cjs' });
}

/** Returns the package.json to publish. */
function publishedManifest(root: string, { command }: PackageParts): object {
  const { name, version, description, license, dependencies } = readManifest(root);
  return {
    ...{ name, version, description, license, type: 'module', sideEffects: false, engines: { node: '>=20' } },
    exports: {
      '.': {
        import: { types: './index.d.ts', default: './index.js' },
        require: { types: './index.d.cts', default: './index.cjs' },
      },
    },
    ...(command === undefined ? {} : { bin: { [command]: './main.js' } }),
    dependencies,
  };
}

/**
 * Bundles the package in the folder `root`, without its dependencies, into `folder`, with types and a package.json to
 * publish. Deletes the former content of `folder`. @throws Error for type errors and missing files
 */
export async function buildPackage(root: string, folder: string, parts: PackageParts): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await writeModules(root, folder, parts);
  writeTypes(root, folder, parts.platform);
  for (const file of ['README.md', 'CHANGELOG.md', ...(parts.assets ?? [])])
    copyFileSync(join(root, file), join(folder, basename(file)));
  copyFileSync(join(REPOSITORY, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(root, parts), null, 2)}\n`);
}
