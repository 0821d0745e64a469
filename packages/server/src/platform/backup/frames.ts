import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type SecretKey, secretKeyId } from '../encryption.ts';
import { StartError } from '../start-error.ts';
import { ByteReader } from './byte-reader.ts';
import { DamagedBackup } from './damaged.ts';

/*
 * The outer layer of a backup file: a magic text, a preface (JSON) and frames. A frame is its length (4 bytes, the highest
 * bit marks the last frame), its payload and a tag of 16 bytes. With a key, payload and tag are AES-256-GCM; the nonce is
 * the frame's number. Without a key, the tag is the start of a SHA-256. Preface, number and last bit go into every tag, so a
 * changed, missing, moved or added frame is detected.
 */

const MAGIC = Buffer.from('PGBACKUP');
const TAG_BYTES = 16;
const LAST_BIT = 0x8000_0000;
/** Size of a frame's payload, in bytes. */
const FRAME_BYTES = 256 * 1024;
const MAX_PREFACE_BYTES = 4096;
/** The version of the file format. */
export const FORMAT = 1;

const prefaceSchema = z.object({
  format: z.number(),
  compression: z.literal('gzip'),
  /** Id of the key that encrypts the file; null when it is not encrypted. */
  key: z.string().nullable(),
  /** Makes the file's own encryption key differ from that of other files. */
  salt: z.string(),
});
type Preface = z.infer<typeof prefaceSchema>;

/** Seals and opens the frames of one file. */
class FrameSeal {
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

  seal(payload: Buffer, number: number, isLast: boolean): Buffer {
    const { nonce, bound } = this.#context(number, isLast);
    const length = Buffer.alloc(4);
    length.writeUInt32BE((payload.length | (isLast ? LAST_BIT : 0)) >>> 0);
    if (this.#key === undefined) return Buffer.concat([length, payload, this.#hash(bound, payload)]);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(bound);
    return Buffer.concat([length, cipher.update(payload), cipher.final(), cipher.getAuthTag()]);
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

/** Wraps a compressed stream into frames. @param key encrypts them, if given */
export async function* writeFrames(
  chunks: AsyncIterable<Buffer>,
  key: SecretKey | undefined,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(16).toString('hex');
  const content: Preface = { format: FORMAT, compression: 'gzip', key: key ? secretKeyId(key) : null, salt };
  const preface = Buffer.from(JSON.stringify(content));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(preface.length);
  yield Buffer.concat([MAGIC, length, preface]);
  const seal = new FrameSeal(preface, salt, key);
  let number = 0;
  let pending: Buffer[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    held += chunk.length;
    if (held < FRAME_BYTES) continue;
    const all = Buffer.concat(pending);
    let start = 0;
    for (; all.length - start >= FRAME_BYTES; start += FRAME_BYTES)
      yield seal.seal(all.subarray(start, start + FRAME_BYTES), number++, false);
    pending = [all.subarray(start)];
    held = all.length - start;
  }
  yield seal.seal(Buffer.concat(pending), number, true);
}

function requireKey(preface: Preface, key: SecretKey | undefined): void {
  if (preface.key === null && key !== undefined)
    throw new StartError(
      'BACKUP_KEY is set, but the backup is not encrypted, so nobody vouches for its content. If you trust the file, unset BACKUP_KEY.',
    );
  if (preface.key !== null && key === undefined)
    throw new StartError('The backup is encrypted. Set BACKUP_KEY to the key that it was written with.');
  if (preface.key !== null && key !== undefined && secretKeyId(key) !== preface.key)
    throw new StartError(
      `The backup is encrypted with another key (${preface.key.slice(0, 12)}) than BACKUP_KEY (${secretKeyId(key)}). Set BACKUP_KEY to the key that it was written with.`,
    );
}

async function readPreface(reader: ByteReader): Promise<{ bytes: Buffer; preface: Preface }> {
  const start = await reader.read(MAGIC.length + 4);
  const length = start.readUInt32BE(MAGIC.length);
  if (!start.subarray(0, MAGIC.length).equals(MAGIC)) throw new DamagedBackup('it does not start like one');
  if (length > MAX_PREFACE_BYTES) throw new DamagedBackup('its preface is unreadable');
  const bytes = await reader.read(length);
  let content: unknown;
  try {
    content = JSON.parse(bytes.toString());
  } catch {
    throw new DamagedBackup('its preface is unreadable');
  }
  const format = z.object({ format: z.number() }).safeParse(content).data?.format;
  if (format !== undefined && format > FORMAT)
    throw new StartError(
      `The backup has the format ${format}, and this version reads up to ${FORMAT}. Use the version that wrote it, or a newer one.`,
    );
  const preface = prefaceSchema.safeParse(content).data;
  if (preface === undefined) throw new DamagedBackup('its preface is unreadable');
  return { bytes, preface };
}

/** Reads the frames of a file. @throws DamagedBackup, and StartError for a wrong or missing key or a newer format */
export async function* readFrames(
  chunks: AsyncIterable<Buffer>,
  key: SecretKey | undefined,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(chunks);
  const { bytes, preface } = await readPreface(reader);
  requireKey(preface, key);
  const seal = new FrameSeal(bytes, preface.salt, key);
  for (let number = 0, isLast = false; !isLast; number++) {
    const word = (await reader.read(4)).readUInt32BE();
    isLast = word >= LAST_BIT;
    const length = isLast ? word - LAST_BIT : word;
    if (length > FRAME_BYTES) throw new DamagedBackup(`its part ${number + 1} was changed`);
    yield seal.open(await reader.read(length + TAG_BYTES), number, isLast);
  }
  await reader.requireEnd();
}
