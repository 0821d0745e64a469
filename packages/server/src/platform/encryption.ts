import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from './start-error.ts';

/** A text at rest: AES-256-GCM. `key` names the key, so that keys can rotate. */
export const sealedSchema = z.object({ key: z.string(), iv: z.string(), tag: z.string(), text: z.string() });
export type Sealed = z.infer<typeof sealedSchema>;

interface Key {
  id: string;
  bytes: Buffer;
}

function parseKey(text: string): Key {
  const trimmed = text.trim();
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : Buffer.from(trimmed, 'base64');
  if (bytes.length !== 32) {
    throw new StartError(
      "ENCRYPTION_KEY is not valid; expected 32 bytes in base64 or hex, for example from 'openssl rand -base64 32'.",
    );
  }
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 12), bytes };
}

/** Encrypts and decrypts with a ring of keys: the first encrypts, all decrypt. */
export class Keyring {
  readonly #keys: readonly Key[];

  /** @param keys comma-separated keys of 32 bytes, base64 or hex */
  constructor(keys: string) {
    this.#keys = keys.split(',').map(parseKey);
  }

  /** Whether what the key with this id sealed can be opened. */
  has(id: string): boolean {
    return this.#keys.some((key) => key.id === id);
  }

  /** The id of the key that encrypts. */
  get encryptionKeyId(): string {
    return (this.#keys[0] as Key).id;
  }

  /** Encrypts; `context` (for example the owner's id) must be given again to decrypt. */
  seal(text: string, context: string): Sealed {
    const key = this.#keys[0] as Key;
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return {
      key: key.id,
      iv: iv.toString('base64'),
      tag: cipher.getAuthTag().toString('base64'),
      text: body.toString('base64'),
    };
  }

  /** @throws when the key is not in the ring, or the text or its context was tampered with */
  open(sealed: Sealed, context: string): string {
    const key = this.#keys.find((candidate) => candidate.id === sealed.key);
    if (!key) throw new Error(`the encryption key ${sealed.key} is not configured`);
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(sealed.iv, 'base64'))
      .setAAD(Buffer.from(context))
      .setAuthTag(Buffer.from(sealed.tag, 'base64'));
    return decipher.update(Buffer.from(sealed.text, 'base64'), undefined, 'utf8') + decipher.final('utf8');
  }
}

/** Makes a key once; where another process made it meanwhile, that one counts. */
function ensureKeyFile(file: string): void {
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * The configured ring, else one key generated once into the data folder, mode 600.
 * @throws StartError when the key cannot be made or read there
 */
export function openKeyring(configured: string | undefined, dataDir: string): Keyring {
  if (configured !== undefined) return new Keyring(configured);
  const file = join(dataDir, 'encryption.key');
  let kept: string;
  try {
    ensureKeyFile(file);
    kept = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The encryption key in the data folder ${dataDir} cannot be made or read (${reason}). Set DATA_DIR to a folder whose files this user may read and write, or set ENCRYPTION_KEY.`,
      error,
    );
  }
  return new Keyring(kept);
}
