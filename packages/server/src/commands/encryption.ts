import type { Command } from 'commander';
import { resealAlerts } from '../features/alerts/index.ts';
import {
  deleteUnreadableCredentials,
  requireStoredKeys,
  resealCredentials,
} from '../features/connections/index.ts';
import { resealWebhooks } from '../features/notifications/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/db/pool.ts';
import { openKeyring } from '../platform/encryption.ts';
import { withDatabase } from './database.ts';

async function deleteLostTokens(db: Database, config: Config): Promise<void> {
  const deleted = await deleteUnreadableCredentials(db, openKeyring(config.ENCRYPTION_KEY, config.DATA_DIR));
  console.log(`Deleted the tokens of ${deleted} connections. They must be connected again.`);
}

async function renewEncryption(db: Database, config: Config): Promise<void> {
  const keyring = openKeyring(config.ENCRYPTION_KEY, config.DATA_DIR);
  await requireStoredKeys(db, keyring);
  const renewed =
    (await resealCredentials(db, keyring)) +
    (await resealWebhooks(db, keyring)) +
    (await resealAlerts(db, keyring));
  console.log(`Encrypted ${renewed} secrets with the first key. The other keys can be removed.`);
}

/** Adds the commands for a changed or lost encryption key. */
export function addEncryptionCommands(program: Command): void {
  program
    .command('renew-encryption')
    .description('encrypt all secrets with the first key of ENCRYPTION_KEY')
    .action(() => withDatabase(renewEncryption));
  program
    .command('forget-tokens')
    .description("delete the providers' tokens whose encryption key is lost")
    .action(() => withDatabase(deleteLostTokens));
}
