import { StartError } from '../start-error.ts';
import type { BackupHeader } from './manifest.ts';

/** What is known of a backup in addition to its header. */
interface Origin {
  /** Tables that backups leave out. */
  omittedTables: readonly string[];
  /** Whether the file is encrypted. Anybody can have written one that is not. */
  isEncrypted: boolean;
}

/** Matches a key of 32 bytes as a whole, in base64 or hex. */
const KEY = /^(?:[0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i;

const isKeyFile = (text: string) => text.split(',').every((part) => KEY.test(part.trim()));

/**
 * Requires that a backup contains only what backups contain: anybody can write a file that is not encrypted, and its sessions
 * or its key would let the author in.
 * @throws StartError that says what it contains
 */
export function requireAllowed(
  { tables, keyFile }: Pick<BackupHeader, 'tables' | 'keyFile'>,
  { omittedTables, isEncrypted }: Origin,
): void {
  const refused = tables.find(({ name }) => omittedTables.includes(name));
  if (refused)
    throw new StartError(
      `The backup cannot be restored: it contains the table ${refused.name}, which Datadeck leaves out of backups. Use a file that Datadeck wrote.`,
    );
  if (keyFile === undefined) return;
  if (!isEncrypted)
    throw new StartError(
      'The backup cannot be restored: it contains an encryption key but is not encrypted itself. Datadeck writes keys to encrypted backups only. Use a file that Datadeck wrote.',
    );
  if (!isKeyFile(keyFile))
    throw new StartError(
      'The backup cannot be restored: the encryption key in it is not valid. Use another backup.',
    );
}
