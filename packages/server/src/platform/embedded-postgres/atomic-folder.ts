import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * A new folder beside `target`, of this process alone: two that start at once must not fill the same one.
 * What processes that ended left behind goes.
 */
export function makePartialFolder(target: string): string {
  const prefix = `${basename(target)}.partial`;
  for (const name of readdirSync(dirname(target))) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length + 1));
    if (pid === process.pid || !(pid > 0) || !isAlive(pid))
      rmSync(join(dirname(target), name), { recursive: true, force: true });
  }
  const partial = `${target}.partial-${process.pid}`;
  mkdirSync(partial, { mode: 0o755 });
  return partial;
}

/** Puts a finished folder at its place; where another process was first, that one's stays. */
export function moveIntoPlace(partial: string, target: string): void {
  try {
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}
