import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type pg from 'pg';
import { SESSION_TABLES } from '../features/accounts/index.ts';
import { CHANNEL_TABLE } from '../features/notifications/index.ts';
import { prepareRecordTables, recordTables, recreateRecordTable } from '../features/records/index.ts';
import { SEARCH_TABLES } from '../features/search/index.ts';
import { SQL_ROLE_TABLES } from '../features/sql-access/index.ts';
import {
  type BackupHeader,
  type BackupKeys,
  type BackupSource,
  createBackup,
  requireAllowed,
  requireKnownState,
  restoreBackup,
  verifyBackup,
  type WrittenBackup,
} from '../platform/backup/index.ts';
import type { Config } from '../platform/config/config.ts';
import { type Database, queryableOf } from '../platform/db/database.ts';
import { MIGRATIONS_TABLE, migrateDatabase } from '../platform/db/migrate.ts';
import { Keyring, keyFileOf } from '../platform/encryption.ts';
import { createLogger } from '../platform/log.ts';
import { listSealingKeys } from '../platform/secrets/sealed-columns.ts';
import { StartError } from '../platform/start-error.ts';
import { configuredEndpoints } from './connector-registry.ts';
import { InstalledConnectors } from './installed-connectors.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

/** Tables that backups leave out and restores refuse: their rows let somebody in, or belong to one database. */
export const OMITTED_TABLES: readonly string[] = [
  ...SESSION_TABLES,
  ...SEARCH_TABLES,
  ...SQL_ROLE_TABLES,
  CHANNEL_TABLE,
  MIGRATIONS_TABLE,
];

type BackupSettings = Pick<Config, 'ENCRYPTION_KEY' | 'DATA_DIR' | 'backupKey' | 'backupRecipient'>;

/** Returns the keys of the settings. @param identity of age, for a backup that was encrypted for its recipient */
export function backupKeysOf(
  { backupKey: key, backupRecipient: recipient }: Pick<Config, 'backupKey' | 'backupRecipient'>,
  identity?: string,
): BackupKeys {
  return { key, recipient, identity };
}

function storedKeyFile({ ENCRYPTION_KEY, DATA_DIR }: BackupSettings): string | undefined {
  const file = keyFileOf(DATA_DIR);
  return ENCRYPTION_KEY === undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Returns whether the keys of the settings include a key, by its id. */
function hasKey(config: BackupSettings, id: string): boolean {
  const keys = config.ENCRYPTION_KEY ?? storedKeyFile(config);
  return keys !== undefined && new Keyring(keys).has(id);
}

/**
 * Writes a backup of the product's database. @param isForced replaces an existing file
 * @throws StartError for an existing file, a full disk or an unwritable folder
 */
export async function backUp(
  connection: pg.ClientConfig,
  config: BackupSettings,
  file: string,
  {
    version,
    isForced = false,
    signal,
  }: { version: string; isForced?: boolean; signal?: AbortSignal | undefined },
): Promise<WrittenBackup> {
  const source: BackupSource = {
    version,
    omittedTables: OMITTED_TABLES,
    listFurtherTables: recordTables,
    listKeys: (db) => listSealingKeys(db, SEALED_COLUMNS),
    keyFile: storedKeyFile(config),
  };
  return createBackup(connection, file, { source, keys: backupKeysOf(config), isForced, signal });
}

/**
 * Writes the backup's generated key into the data folder, unless ENCRYPTION_KEY is set.
 * @throws StartError when the folder has another key
 */
function restoreKeyFile(config: BackupSettings, { keyFile }: BackupHeader): void {
  if (keyFile === undefined || config.ENCRYPTION_KEY !== undefined) return;
  const file = keyFileOf(config.DATA_DIR);
  const stored = storedKeyFile(config);
  if (stored === undefined) {
    mkdirSync(config.DATA_DIR, { recursive: true });
    writeFileSync(file, keyFile, { mode: 0o600, flag: 'wx' });
  } else if (stored !== keyFile)
    throw new StartError(
      `${file} is another key than the one in the backup. Move it away if no other database needs it, then restore again.`,
    );
}

/** Result of a restore. */
export interface Restored {
  header: BackupHeader;
  /** Ids of the keys that encrypt secrets in the rows but are not in the settings. */
  missingKeys: string[];
}

/** Checks a backup before anything is written or started. @throws StartError when it cannot be restored */
export async function requireRestorable(file: string, keys: BackupKeys): Promise<void> {
  const { header, isEncrypted } = await verifyBackup(file, keys);
  requireKnownState(header);
  requireAllowed(header, { omittedTables: OMITTED_TABLES, isEncrypted });
}

/**
 * Restores a backup into the empty database of the settings and migrates it to this version.
 * @param signal undoes the restore, unless all of it is committed
 * @throws StartError for a database that is not empty, a damaged file, a wrong key or a newer version's backup
 */
export async function restoreFrom(
  db: Database,
  config: Config,
  { file, keys, signal }: { file: string; keys: BackupKeys; signal: AbortSignal },
): Promise<Restored> {
  const options = {
    keys,
    omittedTables: OMITTED_TABLES,
    createFurtherTable: recreateRecordTable,
    signal,
  };
  const header = await restoreBackup(db.$client, file, {
    ...options,
    beforeCommit: (restored) => restoreKeyFile(config, restored),
  });
  const connectors = new InstalledConnectors(configuredEndpoints(config), {}, createLogger('error'));
  await migrateDatabase(db.$client, async (client) => {
    await connectors.load(queryableOf(client));
    await prepareRecordTables(client, connectors.registry.entities());
  });
  return { header, missingKeys: header.keys.filter((id) => !hasKey(config, id)) };
}
