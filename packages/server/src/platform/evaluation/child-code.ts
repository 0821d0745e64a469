import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The module that a child process runs, and the files that it may read. */
export interface ChildCode {
  module: string;
  readable: readonly string[];
}

const FOLDER = dirname(fileURLToPath(import.meta.url));
const REPOSITORY = dirname(dirname(dirname(dirname(dirname(FOLDER)))));
const SOURCE = join(FOLDER, 'child.ts');

/** The child's source files; slow to start, since their types are stripped each time. */
export const SOURCE_CODE: ChildCode = {
  module: SOURCE,
  readable: [`${REPOSITORY}/packages/*`, `${REPOSITORY}/node_modules/*`, `${REPOSITORY}/package.json`],
};

const run = promisify(execFile);
const resolve = createRequire(import.meta.url).resolve;

/** Returns the hash of all sources of the bundle. */
async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  const engine = dirname(resolve('@datadeck/jsonata'));
  for (const folder of [FOLDER, engine]) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    for (const path of paths) hash.update(path.slice(REPOSITORY.length)).update(await readFile(path));
  }
  hash.update(await readFile(resolve('@datadeck/contract/formula')));
  return hash.update(await readFile(join(REPOSITORY, 'package-lock.json'))).digest('hex');
}

async function bundle(): Promise<ChildCode> {
  const folder = join(REPOSITORY, 'node_modules', '.cache', 'datadeck');
  const module = join(folder, `evaluation-${(await sourceHash()).slice(0, 16)}.mjs`);
  if (!existsSync(module)) {
    await mkdir(folder, { recursive: true });
    const built = `${module}.${process.pid}.mjs`;
    await run(process.execPath, [join(FOLDER, 'bundle-child.ts'), SOURCE, built]);
    // Concurrent bundles are equal, so the last one may replace the others.
    await rename(built, module);
  }
  return { module, readable: [module] };
}

let bundled: Promise<ChildCode> | undefined;

/** Returns the bundled child, which starts four times as fast; the sources if the bundle cannot be written. */
export function bundledCode(): Promise<ChildCode> {
  bundled ??= bundle().catch(() => SOURCE_CODE);
  return bundled;
}
