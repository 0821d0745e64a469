import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from '../platform/log.ts';
import { StartError } from '../platform/start-error.ts';
import { replaceFolder } from './replace-folder.ts';

const run = promisify(execFile);
const resolveFrom = createRequire(import.meta.url).resolve;

function packageFolder(name: string): string {
  return dirname(resolveFrom(`${name}/package.json`));
}

/** Hashes all inputs of the build: the sources of the web app and its packages, and the lockfile. `web`: its folder. */
function sourceHash(web: string): string {
  const packages = dirname(web);
  const hash = createHash('sha256');
  for (const folder of [
    join(web, 'src'),
    join(web, 'public'),
    join(packages, 'contract', 'src'),
    join(packages, 'jsonata', 'src'),
  ]) {
    if (!existsSync(folder)) continue;
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name),
    );
    const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
    for (const path of paths) hash.update(path.slice(packages.length)).update(readFileSync(path));
  }
  for (const file of [
    join(web, 'index.html'),
    join(web, 'reference.html'),
    join(web, 'share.html'),
    join(web, 'vite.config.ts'),
    join(web, 'package.json'),
    join(packages, '..', 'package-lock.json'),
  ]) {
    if (existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

/**
 * Builds the web app if its sources changed since the last build.
 * @returns the folder to serve
 * @throws StartError when the build fails
 */
export async function ensureWebBuild(log: Logger): Promise<string> {
  const web = packageFolder('@datadeck/web');
  const dist = join(web, 'dist');
  const stamp = join(dist, '.source-hash');
  const hash = sourceHash(web);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return dist;
  log.info('building the web app (only after changes)');
  // A terminal gets no lines of the log before the start is done.
  if (process.stderr.isTTY) process.stderr.write('\n  Building the web app (only after changes)...\n');
  const built = `${dist}.${process.pid}`;
  await runVite(web, built);
  writeFileSync(join(built, '.source-hash'), hash);
  replaceFolder(dist, built);
  return dist;
}

/** Builds into `outDir`. @throws StartError with Vite's error output */
async function runVite(web: string, outDir: string): Promise<void> {
  const vite = join(packageFolder('vite'), 'bin', 'vite.js');
  const options = ['build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'error'];
  // With another NODE_ENV, Vite would bundle React's development build, which is larger and slower.
  const env = { ...process.env, NODE_ENV: 'production' };
  await run(process.execPath, [vite, ...options], { cwd: web, env, maxBuffer: 16 * 1024 * 1024 }).catch(
    (error: Error & { stderr?: string }) => {
      throw new StartError(
        `The web app could not be built: ${(error.stderr || error.message).trim()}`,
        error,
      );
    },
  );
}
