import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { backUp, requireRestorable, restoreFrom } from '../app/backup.ts';
import { type BackupHeader, verifyBackup } from '../platform/backup/index.ts';
import { parseConfig } from '../platform/config/config.ts';
import { withUnmigratedDatabase } from './database.ts';
import { untilInterrupted } from './interruption.ts';
import { terminalText } from './terminal-text.ts';

/** Formats a size in bytes, e.g. `12.3 MB`. */
function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Explains which keys a backup needs in addition. */
function keySentence({ keys, keyFile }: BackupHeader): string {
  if (keyFile !== undefined) return 'It contains the key that encrypts the tokens in it.';
  if (keys.length === 0) return 'It contains no encrypted tokens.';
  return `Keep ENCRYPTION_KEY (or, without it, DATA_DIR/encryption.key) apart from it: its tokens need the key ${terminalText(keys.join(', '))}.`;
}

interface WriteOptions {
  force?: boolean;
  /** Version of the product. */
  version: string;
}

/** Writes a backup. @throws StartError with what to do when it cannot be written */
export async function writeBackup(file: string, { force = false, version }: WriteOptions): Promise<void> {
  const config = parseConfig(process.env);
  const path = resolve(file);
  const { header, rows } = await untilInterrupted('No backup was written. Run the command again.', (signal) =>
    withUnmigratedDatabase(config, (db) =>
      backUp(db.$client.options, config, path, { version, isForced: force, signal }),
    ),
  );
  const count = [...rows.values()].reduce((sum, number) => sum + number, 0);
  console.log(`Wrote ${path}: ${count} rows of ${rows.size} tables, ${sizeOf(statSync(path).size)}.`);
  console.log(keySentence(header));
}

/** Checks a backup without restoring it. @throws StartError when it is incomplete or changed */
export async function checkBackup(file: string): Promise<void> {
  const { header, tables, size } = await verifyBackup(resolve(file), parseConfig(process.env).backupKey);
  const width = Math.max(...tables.map(({ rows }) => String(rows).length));
  for (const { name, rows } of tables) console.log(`${String(rows).padStart(width)}  ${terminalText(name)}`);
  const { version, createdAt, server } = header;
  console.log(
    terminalText(
      `Complete and unchanged: ${sizeOf(size)}, written by version ${version} with PostgreSQL ${server}, as of ${createdAt}.`,
    ),
  );
  console.log(keySentence(header));
}

/** Restores a backup into an empty database. @throws StartError with what to do when it cannot be restored */
export async function restore(file: string): Promise<void> {
  const path = resolve(file);
  const config = parseConfig(process.env);
  await requireRestorable(config, path);
  const { header, missingKeys } = await untilInterrupted(
    'Nothing was restored. Run the command again.',
    (signal) =>
      withUnmigratedDatabase(config, (db) => restoreFrom(db, config, { file: path, signal }), {
        isCreated: true,
      }),
  );
  console.log(
    terminalText(
      `Restored the state of ${header.createdAt}. Everyone signs in again; running syncs continue.`,
    ),
  );
  if (missingKeys.length > 0)
    console.log(
      terminalText(
        `The tokens need a key that is not here: ${missingKeys.join(', ')}. Before you start Datadeck, set ENCRYPTION_KEY to it or put the former encryption.key into DATA_DIR. If it is lost, run 'datadeck forget-tokens'.`,
      ),
    );
}
