import { createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { z } from 'zod';
import { type SecretKey, secretKeyId } from '../encryption.ts';
import { ByteReader } from './byte-reader.ts';
import { DamagedBackup } from './damaged.ts';
import { keyMissing, notEncrypted, wrongKey } from './key-errors.ts';
import { parseContent } from './manifest.ts';

/*
 * The outer layer of a backup file of format 1, which this version only reads: a magic text, a preface (JSON) and frames. A
 * frame is its length (4 bytes, the highest bit marks the last frame), its payload and a tag of 16 bytes. With a key, payload
 * and tag are AES-256-GCM; the nonce is the frame's number. Without a key, the tag is the start of a SHA-256. Preface, number
 * and last bit go into every tag, so a changed, missing, moved or added frame is detected.
 */

/** Start of a file of format 1. */
export const FORMAT_1_START = 'PGBACKUP';
const TAG_BYTES = 16;
const LAST_BIT = 0x8000_0000;
/** Size of a frame's payload, in bytes. */
const FRAME_BYTES = 256 * 1024;
const MAX_PREFACE_BYTES = 4096;

const prefaceSchema = z.object({
  format: z.literal(1),
  compression: z.literal('gzip'),
  /** Id of the key that encrypts the file; null when it is not encrypted. */
  key: z.string().nullable(),
  /** Makes the file's own encryption key differ from that of other files. */
  salt: z.string(),
});
type Preface = z.infer<typeof prefaceSchema>;

/** Opens the frames of one file. */
class FrameOpener {
  readonly #preface: Buffer;
  readonly #key: Buffer | undefined;

  constructor(preface: Buffer, salt: string, key: SecretKey | undefined) {
    this.#preface = createHash('sha256').update(preface).digest();
    this.#key = key && Buffer.from(hkdfSync('sha256', key.bytes, Buffer.from(salt, 'hex'), 'backup', 32));
  }

  #context(number: number, isLast: boolean): { nonce: Buffer; bound: Buffer } {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64BE(BigInt(number), 4);
    return { nonce, bound: Buffer.concat([this.#preface, nonce, Buffer.from([isLast ? 1 : 0])]) };
  }

  #hash(bound: Buffer, payload: Buffer): Buffer {
    return createHash('sha256').update(bound).update(payload).digest().subarray(0, TAG_BYTES);
  }

  /** @throws DamagedBackup when the frame is not the one that was sealed with this number */
  open(sealed: Buffer, number: number, isLast: boolean): Buffer {
    const { nonce, bound } = this.#context(number, isLast);
    const payload = sealed.subarray(0, -TAG_BYTES);
    const tag = sealed.subarray(-TAG_BYTES);
    const problem = `its part ${number + 1} was changed, moved or cut off`;
    if (this.#key === undefined) {
      if (!this.#hash(bound, payload).equals(tag)) throw new DamagedBackup(problem);
      return payload;
    }
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce).setAAD(bound).setAuthTag(tag);
      return Buffer.concat([decipher.update(payload), decipher.final()]);
    } catch {
      throw new DamagedBackup(problem);
    }
  }
}

function requireKey(preface: Preface, key: SecretKey | undefined): void {
  if (preface.key === null && key !== undefined) throw notEncrypted('BACKUP_KEY is set');
  if (preface.key !== null && key === undefined) throw keyMissing();
  if (preface.key !== null && key !== undefined && secretKeyId(key) !== preface.key) throw wrongKey();
}

async function readPreface(reader: ByteReader): Promise<{ bytes: Buffer; preface: Preface }> {
  const start = await reader.read(FORMAT_1_START.length + 4);
  const length = start.readUInt32BE(FORMAT_1_START.length);
  if (length > MAX_PREFACE_BYTES) throw new DamagedBackup('its preface is unreadable');
  const bytes = await reader.read(length);
  return { bytes, preface: parseContent(prefaceSchema, bytes) };
}

/** Reads the frames of a file of format 1. @throws DamagedBackup, and StartError for a wrong or missing key */
export async function* readFrames(
  chunks: AsyncIterable<Uint8Array>,
  key: SecretKey | undefined,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(chunks);
  const { bytes, preface } = await readPreface(reader);
  requireKey(preface, key);
  const opener = new FrameOpener(bytes, preface.salt, key);
  for (let number = 0, isLast = false; !isLast; number++) {
    const word = (await reader.read(4)).readUInt32BE();
    isLast = word >= LAST_BIT;
    const length = isLast ? word - LAST_BIT : word;
    if (length > FRAME_BYTES) throw new DamagedBackup(`its part ${number + 1} was changed`);
    yield opener.open(await reader.read(length + TAG_BYTES), number, isLast);
  }
  await reader.requireEnd();
}
