import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isProcessAlive } from '../process-alive.ts';

/**
 * Creates a temporary folder next to `target` for this process only, so that concurrent starts do not share one. Removes
 * those of ended processes.
 */
export function makePartialFolder(target: string): string {
  const prefix = `${basename(target)}.partial`;
  for (const name of readdirSync(dirname(target))) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length + 1));
    if (pid === process.pid || !(pid > 0) || !isProcessAlive(pid))
      rmSync(join(dirname(target), name), { recursive: true, force: true });
  }
  const partial = `${target}.partial-${process.pid}`;
  mkdirSync(partial, { mode: 0o755 });
  return partial;
}

/** Renames a completed folder to its final path; keeps an existing one of another process. */
export function moveIntoPlace(partial: string, target: string): void {
  try {
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}
