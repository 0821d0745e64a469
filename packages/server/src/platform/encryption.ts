import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from './start-error.ts';

/** An encrypted text (AES-256-GCM, base64). `key` is the id of the key, which allows key rotation. */
export const sealedSchema = z.object({ key: z.string(), iv: z.string(), tag: z.string(), text: z.string() });
export type Sealed = z.infer<typeof sealedSchema>;

/** Without it, Node also takes tags of four bytes, which can be guessed. */
const TAG = { authTagLength: 16 } as const;

/** A key of 32 bytes. */
export interface SecretKey {
  bytes: Buffer;
  /** The key as it was given, base64 or hex. */
  text: string;
}

interface Key extends SecretKey {
  id: string;
}

/** Returns the id of a key: the start of its SHA-256. */
export function secretKeyId({ bytes }: Pick<SecretKey, 'bytes'>): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 12);
}

/** Parses a key of 32 bytes. @param setting the name of its setting @throws StartError */
export function parseSecretKey(text: string, setting: string): SecretKey {
  const trimmed = text.trim();
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : Buffer.from(trimmed, 'base64');
  if (bytes.length !== 32) {
    throw new StartError(
      `${setting} is not valid; expected 32 bytes in base64 or hex, for example from 'openssl rand -base64 32'.`,
    );
  }
  return { bytes, text: trimmed };
}

/** Parses a key; its id is derived from it. */
function toRingKey(text: string): Key {
  const key = parseSecretKey(text, 'ENCRYPTION_KEY');
  return { ...key, id: secretKeyId(key) };
}

/** A ring of keys: the first key encrypts, all keys decrypt. */
export class Keyring {
  readonly #keys: readonly Key[];

  /** @param keys comma-separated keys of 32 bytes, base64 or hex; none for a ring that decrypts nothing */
  constructor(keys?: string) {
    this.#keys = keys === undefined ? [] : keys.split(',').map(toRingKey);
  }

  /** Returns whether the ring contains the key with this id. */
  has(id: string): boolean {
    return this.#keys.some((key) => key.id === id);
  }

  /** Id of the key that encrypts. */
  get encryptionKeyId(): string {
    return (this.#keys[0] as Key).id;
  }

  /** Encrypts a text. Decryption needs the same `context`, e.g. the owner's id. */
  seal(text: string, context: string): Sealed {
    const key = this.#keys[0] as Key;
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key.bytes, iv, TAG).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return {
      key: key.id,
      iv: iv.toString('base64'),
      tag: cipher.getAuthTag().toString('base64'),
      text: body.toString('base64'),
    };
  }

  /** Decrypts a text. @throws when the key is not in the ring, or the text or context was changed */
  open(sealed: Sealed, context: string): string {
    const key = this.#keys.find((candidate) => candidate.id === sealed.key);
    if (!key) throw new Error(`the encryption key ${sealed.key} is not configured`);
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(sealed.iv, 'base64'), TAG)
      .setAAD(Buffer.from(context))
      .setAuthTag(Buffer.from(sealed.tag, 'base64'));
    return decipher.update(Buffer.from(sealed.text, 'base64'), undefined, 'utf8') + decipher.final('utf8');
  }
}

/** Returns the path of the generated key. */
export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'encryption.key');
}

/** Creates the key file unless it exists, also when another process creates it at the same time. */
function ensureKeyFile(file: string): void {
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** @throws StartError when the key file holds no key */
function openStoredKey(file: string, content: string): Keyring {
  try {
    return new Keyring(content);
  } catch (error) {
    throw new StartError(
      `The file ${file} holds no valid key. Put back the key file from a backup. If there is none, remove the file: a new key is generated, and all providers must be connected again.`,
      error,
    );
  }
}

/**
 * Returns the configured ring, else that of the data folder, which is empty before a key was generated. Writes nothing.
 * @throws StartError when the key file cannot be read
 */
export function findKeyring(configured: string | undefined, dataDir: string): Keyring {
  if (configured === undefined && !existsSync(keyFileOf(dataDir))) return new Keyring();
  return openKeyring(configured, dataDir);
}

/**
 * Returns the configured ring, else a ring with one key that is generated once into the data folder, mode 600.
 * @throws StartError when the key file cannot be created or read
 */
export function openKeyring(configured: string | undefined, dataDir: string): Keyring {
  if (configured !== undefined) return new Keyring(configured);
  const file = keyFileOf(dataDir);
  let kept: string;
  try {
    ensureKeyFile(file);
    kept = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The encryption key in the data folder ${dataDir} cannot be created or read (${reason}). Set DATA_DIR to a folder whose files this user may read and write, or set ENCRYPTION_KEY.`,
      error,
    );
  }
  return openStoredKey(file, kept);
}
