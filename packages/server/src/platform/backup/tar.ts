import { ByteReader } from './byte-reader.ts';
import { DamagedBackup } from './damaged.ts';

/*
 * Archives in the format ustar of POSIX.1-1988, which every `tar` reads. A file is a header of 512 bytes with numbers in
 * octal, and its content padded to a multiple of 512 bytes. Blocks of zeros are the end.
 */

const BLOCK_BYTES = 512;
const MAX_NAME_BYTES = 100;
const [SIZE, CHECKSUM, TYPE] = [124, 148, 156];

/** A file of an archive. */
export interface TarEntry {
  name: string;
  content: Buffer;
}

const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
const paddingOf = (bytes: number) => (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;

/** Returns the checksum of a header: the sum of its bytes, with spaces in place of the checksum itself. */
function checksumOf(header: Buffer): number {
  let sum = 8 * 0x20;
  for (const [at, byte] of header.entries()) if (at < CHECKSUM || at >= CHECKSUM + 8) sum += byte;
  return sum;
}

function headerOf({ name, content }: TarEntry, modified: Date): Buffer {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new Error(`the name ${name} is too long for an archive`);
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name);
  // Mode 600, owner and group 0.
  header.write(`${octal(0o600, 7)}${octal(0, 7)}${octal(0, 7)}`, MAX_NAME_BYTES);
  header.write(`${octal(content.length, 11)}${octal(Math.floor(modified.getTime() / 1000), 11)}`, SIZE);
  header.write('0', TYPE);
  header.write('ustar\x0000', 257);
  header.write(`${octal(checksumOf(header), 6)} `, CHECKSUM);
  return header;
}

/** Writes an archive. @param modified the time of all files */
export async function* writeTar(entries: AsyncIterable<TarEntry>, modified: Date): AsyncGenerator<Buffer> {
  for await (const entry of entries) {
    yield headerOf(entry, modified);
    yield entry.content;
    yield Buffer.alloc(paddingOf(entry.content.length));
  }
  yield Buffer.alloc(2 * BLOCK_BYTES);
}

/** @throws DamagedBackup for a header that is damaged, or not that of an ordinary file of at most `maxBytes` */
function parseHeader(header: Buffer, maxBytes: number): { name: string; size: number } {
  const text = (start: number, length: number) =>
    header.toString('utf8', start, start + length).replace(/\0.*$/s, '');
  const number = (start: number, length: number) => Number.parseInt(text(start, length), 8);
  const size = number(SIZE, 12);
  if (number(CHECKSUM, 8) !== checksumOf(header)) throw new DamagedBackup('its structure is damaged');
  if (text(TYPE, 1) !== '0' || !(size >= 0 && size <= maxBytes))
    throw new DamagedBackup('its structure is not the expected one');
  return { name: text(0, MAX_NAME_BYTES), size };
}

/**
 * Reads an archive of ordinary files, each of at most `maxBytes`.
 * @throws DamagedBackup for any other one, or when something follows its end
 */
export async function* readTar(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<TarEntry> {
  const reader = new ByteReader(chunks);
  for (;;) {
    const header = await reader.read(BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) break;
    const { name, size } = parseHeader(header, maxBytes);
    const content = await reader.read(size);
    await reader.read(paddingOf(size));
    yield { name, content };
  }
  for await (const rest of reader.rest())
    if (rest.some((byte) => byte !== 0)) throw new DamagedBackup('something follows its end');
}
