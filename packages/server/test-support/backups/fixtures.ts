import { fileURLToPath } from 'node:url';
import { parseSecretKey } from '../../src/platform/encryption.ts';

/** Key of the encrypted fixtures. */
export const FIXTURE_KEY = parseSecretKey(Buffer.alloc(32, 7).toString('base64'), 'BACKUP_KEY');

/**
 * Returns the path of a file of format 1: `0.2.0.backup` of the data folder in `test-support/release`, by the first version
 * that wrote backups; `format-1.backup` and `format-1-encrypted.backup` by the last one that wrote this format.
 */
export function backupFixture(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
