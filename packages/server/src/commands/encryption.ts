import { SEALED_COLUMNS } from '../app/sealed-columns.ts';
import { deleteUnreadableCredentials, requireStoredKeys } from '../features/connections/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/db/database.ts';
import { findKeyring } from '../platform/encryption.ts';
import { resealColumns } from '../platform/secrets/sealed-columns.ts';

/** Deletes the tokens that the keys of the settings do not decrypt. */
export async function deleteLostTokens(db: Database, config: Config): Promise<void> {
  const deleted = await deleteUnreadableCredentials(db, findKeyring(config.ENCRYPTION_KEY, config.DATA_DIR));
  console.log(`Deleted the tokens of ${deleted} connections. They must be connected again.`);
}

/** Encrypts all secrets with the first key of the settings. @throws StartError when a key is missing */
export async function renewEncryption(db: Database, config: Config): Promise<void> {
  const keyring = findKeyring(config.ENCRYPTION_KEY, config.DATA_DIR);
  await requireStoredKeys(db, keyring);
  const { renewed, unreadable } = await resealColumns(db, keyring, SEALED_COLUMNS);
  for (const name of unreadable)
    console.error(`Not encrypted again, because it cannot be decrypted: ${name}.`);
  console.log(`Encrypted ${renewed} secrets with the first key. The other keys can be removed.`);
}
