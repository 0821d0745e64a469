import { StartError } from '../start-error.ts';

/** An encrypted backup, and no BACKUP_KEY. */
export const keyMissing = () =>
  new StartError('The backup is encrypted. Set BACKUP_KEY to the key that it was written with.');

export const wrongKey = () =>
  new StartError(
    'The backup is encrypted with another key than BACKUP_KEY. Set BACKUP_KEY to the key that it was written with.',
  );

/** A backup for a recipient, and no --identity. */
export const identityMissing = () =>
  new StartError(
    'The backup is encrypted for a recipient. Name the file with the identity of that recipient: --identity FILE.',
  );

export const wrongIdentity = () =>
  new StartError(
    'The backup is encrypted for another recipient than that of --identity. Name the identity that belongs to the BACKUP_RECIPIENT with which it was written.',
  );

/** A backup that a given key cannot vouch for. @param given the key, as a clause */
export const notEncrypted = (given: string) =>
  new StartError(
    `${given}, but the backup is not encrypted, so nobody vouches for its content. If you trust the file, leave the key out.`,
  );
