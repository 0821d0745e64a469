import { createCipheriv, randomBytes, scrypt } from 'node:crypto';
import { ReadableStream } from 'node:stream/web';
import type { Decrypter, Encrypter, Recipient, Stanza } from 'age-encryption';
import type { SecretKey } from '../encryption.ts';
import { StartError } from '../start-error.ts';
import { DamagedBackup } from './damaged.ts';
import { identityMissing, keyMissing, wrongIdentity, wrongKey } from './key-errors.ts';

/*
 * Encryption in the format age (https://age-encryption.org/v1). The library is loaded when it is needed: it takes 50 ms of a
 * start.
 */

/** Keys of backups. A backup is encrypted with `key` or for `recipient`. */
export interface BackupKeys {
  /** Encrypts and decrypts; its text is the passphrase of age. */
  key?: SecretKey | undefined;
  /** Encrypts: age1… */
  recipient?: string | undefined;
  /** Decrypts what was encrypted for its recipient: lines with AGE-SECRET-KEY-1…, as age-keygen writes them. */
  identity?: string | undefined;
}

/** Start of an encrypted file. */
export const AGE_START = 'age-encryption.org/v1\n';
/** What is read of a file to find its header. One recipient takes 200 bytes. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** Bytes behind the header of the shortest file: a nonce and the tag of an empty text. */
const MIN_PAYLOAD_BYTES = 32;
/** Cost of a derivation, as a power of two: 4 MB. A key of 32 random bytes needs no stretching. */
const SCRYPT_LOG_N = 12;
/** Largest cost of a file that is read, 256 MB: what `age` itself uses. */
const MAX_SCRYPT_LOG_N = 18;

function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  const salted = Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt]);
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salted, 32, { N: 2 ** SCRYPT_LOG_N, r: 8, p: 1 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** Encrypts a file's key with a passphrase. Derives it in a thread; the library would block this one. */
class PassphraseRecipient implements Recipient {
  readonly #passphrase: string;

  constructor(passphrase: string) {
    this.#passphrase = passphrase;
  }

  async wrapFileKey(fileKey: Uint8Array): Promise<Stanza[]> {
    const age = await import('age-encryption');
    const salt = randomBytes(16);
    const key = await deriveKey(this.#passphrase, salt);
    const cipher = createCipheriv('chacha20-poly1305', key, Buffer.alloc(12), { authTagLength: 16 });
    const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
    const unpadded = salt.toString('base64').replaceAll('=', '');
    return [new age.Stanza(['scrypt', unpadded, String(SCRYPT_LOG_N)], body)];
  }
}

/** Returns what encrypts backups; undefined when they are not encrypted. @throws StartError for a wrong recipient */
export async function openEncrypter({ key, recipient }: BackupKeys): Promise<Encrypter | undefined> {
  if (key === undefined && recipient === undefined) return undefined;
  const age = await import('age-encryption');
  const encrypter = new age.Encrypter();
  if (key !== undefined) encrypter.addRecipient(new PassphraseRecipient(key.text));
  if (recipient === undefined) return encrypter;
  try {
    encrypter.addRecipient(recipient);
  } catch (error) {
    throw new StartError(
      `BACKUP_RECIPIENT=${recipient} is not valid: it has a typing error. Copy it again; age-keygen prints it.`,
      error,
    );
  }
  return encrypter;
}

/** Converts a stream to the library's type, which is the browser's where a program has it. */
function toWebStream(chunks: AsyncIterable<Uint8Array>): globalThis.ReadableStream<Uint8Array> {
  return ReadableStream.from(chunks) as unknown as globalThis.ReadableStream<Uint8Array>;
}

/** Encrypts a stream. */
export async function* encrypt(
  chunks: AsyncIterable<Uint8Array>,
  encrypter: Encrypter,
): AsyncGenerator<Uint8Array> {
  yield* await encrypter.encrypt(toWebStream(chunks));
}

/** Finds the header at the start of a file. @throws DamagedBackup when it has no complete one */
function parseHeader(start: Buffer): { header: Buffer; hasPassphrase: boolean } {
  const text = start.toString('latin1');
  const end = /\n--- [A-Za-z0-9+/]{43}\n/.exec(text);
  const length = end === null ? Number.POSITIVE_INFINITY : end.index + end[0].length;
  if (start.length < length + MIN_PAYLOAD_BYTES) throw new DamagedBackup('its header is not complete');
  const header = text.slice(0, length);
  const cost = /\n-> scrypt \S{1,100} (\d{1,9})\n/.exec(header)?.[1];
  if (Number(cost ?? 0) > MAX_SCRYPT_LOG_N) throw new DamagedBackup('its passphrase costs too much');
  return { header: start.subarray(0, length), hasPassphrase: header.includes('\n-> scrypt ') };
}

function addIdentities(decrypter: Decrypter, identity: string): void {
  try {
    const lines = identity.split('\n').map((line) => line.trim());
    const given = lines.filter((line) => line !== '' && !line.startsWith('#'));
    if (given.length === 0) throw new Error('it is empty');
    for (const line of given) decrypter.addIdentity(line);
  } catch (error) {
    throw new StartError(
      'The file of --identity holds no identity of age; expected a line that begins with AGE-SECRET-KEY-1, as age-keygen writes it.',
      error,
    );
  }
}

/** Returns what decrypts a file with this header. @throws StartError when the keys do not open it */
async function openDecrypter(start: Buffer, { key, identity }: BackupKeys): Promise<Decrypter> {
  const { header, hasPassphrase } = parseHeader(start);
  if (hasPassphrase && key === undefined) throw keyMissing();
  if (!hasPassphrase && identity === undefined) throw identityMissing();
  const age = await import('age-encryption');
  const decrypter = new age.Decrypter();
  if (hasPassphrase) decrypter.addPassphrase(key?.text ?? '');
  else addIdentities(decrypter, identity ?? '');
  const fileKey = await decrypter.decryptHeader(header).catch(() => {
    throw hasPassphrase ? wrongKey() : wrongIdentity();
  });
  // It would otherwise be derived again for the content.
  const opened = new age.Decrypter();
  opened.addIdentity({ unwrapFileKey: () => fileKey });
  return opened;
}

/** Returns whether an error came from the system, e.g. while a file was read. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/**
 * Decrypts a stream. @param start the first MAX_HEADER_BYTES of the stream
 * @throws StartError for missing or wrong keys, DamagedBackup for a changed or truncated file
 */
export async function* decrypt(
  chunks: AsyncIterable<Uint8Array>,
  start: Buffer,
  keys: BackupKeys,
): AsyncGenerator<Uint8Array> {
  const decrypter = await openDecrypter(start, keys);
  try {
    yield* await decrypter.decrypt(toWebStream(chunks));
  } catch (error) {
    throw isSystemError(error) ? error : new DamagedBackup('it was changed or cut off');
  }
}
