import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder that all users can access, like a usual data folder (mkdtemp creates a private one). */
export function makeTemporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o755);
  return folder;
}

/** Returns the folder of a data folder's embedded database. */
export function databaseFolder(dataDir: string): string {
  const note = join(dataDir, 'postgres.location');
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : join(dataDir, 'postgres');
}

/** Returns the process id of the embedded database's main process. @throws when it is not running */
export function databasePidOf(dataDir: string): number {
  return Number.parseInt(
    readFileSync(join(databaseFolder(dataDir), 'cluster', 'postmaster.pid'), 'utf8'),
    10,
  );
}

/** Kills the embedded database's main process with SIGKILL, if it is running. @throws when the folder has no database */
export function killEmbeddedDatabase(dataDir: string): void {
  if (!existsSync(join(databaseFolder(dataDir), 'cluster'))) throw new Error(`no database in ${dataDir}`);
  try {
    process.kill(databasePidOf(dataDir), 'SIGKILL');
  } catch {
    // It is not running, which is fine.
  }
}

/** Removes a data folder and its database, even if that is elsewhere. */
export function removeDataFolder(dataDir: string): void {
  rmSync(databaseFolder(dataDir), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}
