import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { backUp, backupKeysOf, requireRestorable, restoreFrom } from '../app/backup.ts';
import { type BackupHeader, type BackupKeys, verifyBackup } from '../platform/backup/index.ts';
import { type Config, parseConfig } from '../platform/config/config.ts';
import { StartError } from '../platform/start-error.ts';
import { withUnmigratedDatabase } from './database.ts';
import { untilInterrupted } from './interruption.ts';
import { terminalText } from './terminal-text.ts';

/** Largest file with identities of age, in bytes; one takes 200. */
const MAX_IDENTITY_BYTES = 64 * 1024;

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

/** Options for a backup that is encrypted for a recipient. */
interface ReadOptions {
  /** Path of a file with the identity. */
  identity?: string;
}

/** Returns the keys of the settings and the options. @throws StartError when the identity cannot be read */
function readKeys(config: Config, { identity: file }: ReadOptions): BackupKeys {
  if (file === undefined) return backupKeysOf(config);
  try {
    if (statSync(file).size > MAX_IDENTITY_BYTES) throw new Error('it is too large');
    return backupKeysOf(config, readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The file of --identity cannot be read (${reason}). Name the file that age-keygen wrote.`,
      error,
    );
  }
}

/** Checks a backup without restoring it. @throws StartError when it is incomplete or changed */
export async function checkBackup(file: string, options: ReadOptions = {}): Promise<void> {
  const keys = readKeys(parseConfig(process.env), options);
  const { header, tables, size } = await verifyBackup(resolve(file), keys);
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
export async function restore(file: string, options: ReadOptions = {}): Promise<void> {
  const path = resolve(file);
  const config = parseConfig(process.env);
  const keys = readKeys(config, options);
  await requireRestorable(path, keys);
  const { header, missingKeys } = await untilInterrupted(
    'Nothing was restored. Run the command again.',
    (signal) =>
      withUnmigratedDatabase(config, (db) => restoreFrom(db, config, { file: path, keys, signal }), {
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
