import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that every user may enter, as a data folder usually is (mkdtemp makes it private). */
export function makeTemporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o755);
  return folder;
}

/** Where the embedded database of a data folder lies. */
export function databaseFolder(dataDir: string): string {
  const note = join(dataDir, 'postgres.location');
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : join(dataDir, 'postgres');
}

/** The id of the embedded database's main process. @throws when there is none */
export function databasePidOf(dataDir: string): number {
  return Number.parseInt(
    readFileSync(join(databaseFolder(dataDir), 'cluster', 'postmaster.pid'), 'utf8'),
    10,
  );
}

/** Kills the embedded database's main process with -9, if it runs. @throws when the folder has no database */
export function killEmbeddedDatabase(dataDir: string): void {
  if (!existsSync(join(databaseFolder(dataDir), 'cluster'))) throw new Error(`no database in ${dataDir}`);
  try {
    process.kill(databasePidOf(dataDir), 'SIGKILL');
  } catch {
    // It is not running: as wanted.
  }
}

/** Removes a data folder and a database that lies elsewhere. */
export function removeDataFolder(dataDir: string): void {
  rmSync(databaseFolder(dataDir), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}
