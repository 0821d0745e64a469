/**
 * `npm run build -w packages/jsonata`: builds the package for publishing into `dist`: ECMAScript module, CommonJS module,
 * types, README and package.json. Publish it with `npm publish packages/jsonata/dist`.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import ts from 'typescript';

const ROOT = import.meta.dirname;

/** Writes the types of all sources below `folder`. @throws Error with the messages of the compiler */
function writeTypes(folder: string): void {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2024.d.ts', 'lib.esnext.iterator.d.ts', 'lib.dom.d.ts'],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(ROOT, 'src'),
    outDir: folder,
  };
  const program = ts.createProgram([join(ROOT, 'src/index.ts')], options);
  const { diagnostics } = program.emit();
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0)
    throw new Error(
      ts.formatDiagnostics(problems, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => ROOT,
        getNewLine: () => '\n',
      }),
    );
  // The sources import each other with the extension .ts, published types with .js.
  for (const file of globSync(join(folder, '**/*.d.ts')))
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(/((?:from|import\()\s*'\.[^']*)\.ts'/g, "$1.js'"),
    );
}

/** Builds the package into a folder, which is emptied first. */
export async function buildPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { name, version, description, license, dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, unknown> & { dependencies: Record<string, string> };
  const input = join(ROOT, 'src/index.ts');
  const external = Object.keys(dependencies).flatMap((one) => [one, new RegExp(`^${one}/`)]);
  for (const [format, file] of [
    ['esm', 'index.js'],
    ['cjs', 'index.cjs'],
  ] as const)
    await build({
      input,
      external,
      platform: 'neutral',
      logLevel: 'warn',
      output: { file: join(folder, file), format },
    });
  writeTypes(folder);
  // CommonJS has types of its own: those of a module of type `module` would say that it can only be imported.
  writeFileSync(join(folder, 'index.d.cts'), "export * from './index.js';\n");
  copyFileSync(join(ROOT, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(ROOT, '../../LICENSE'), join(folder, 'LICENSE'));
  const manifest = {
    ...{ name, version, description, license, type: 'module', sideEffects: false, engines: { node: '>=20' } },
    exports: {
      '.': {
        import: { types: './index.d.ts', default: './index.js' },
        require: { types: './index.d.cts', default: './index.cjs' },
      },
    },
    dependencies,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

if (import.meta.main) await buildPackage(join(ROOT, 'dist'));
