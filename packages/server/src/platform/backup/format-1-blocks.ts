import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ByteReader } from './byte-reader.ts';
import { DamagedBackup } from './damaged.ts';
import { type BackupEvent, countRows, descriptionSchema, parseContent } from './manifest.ts';

/*
 * The inner layer of a backup file of format 1, inside compression: blocks of a type (1 byte), a length (4 bytes) and
 * content. One header, for each table its rows in PostgreSQL's text format of COPY and their checksum, and a footer with the
 * checksum of everything before it.
 */

const MAX_BLOCK_BYTES = 16 * 1024 * 1024;

/** The description, and the content of the generated key file; only in encrypted backups. */
const headerSchema = descriptionSchema.extend({ keyFile: z.string().optional() });
const tableEndSchema = z.object({ rows: z.number(), bytes: z.number(), sha256: z.string() });
/** Counts and checksum of a table's rows. */
type TableEnd = z.infer<typeof tableEndSchema>;

const footerSchema = z.object({ sha256: z.string() });

/** Counts and hashes the rows of one table. */
class RowDigest {
  readonly #hash = createHash('sha256');
  #rows = 0;
  #bytes = 0;

  add(text: Buffer): void {
    this.#hash.update(text);
    this.#bytes += text.length;
    this.#rows += countRows(text);
  }

  end(): TableEnd {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** Reads blocks, and keeps the checksum of all blocks before the current one. */
class BlockReader {
  readonly #reader: ByteReader;
  readonly #whole = createHash('sha256');

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#reader = new ByteReader(chunks);
  }

  /** @throws DamagedBackup when the next block has none of these types */
  async next(types: string): Promise<{ type: string; content: Buffer; before: string }> {
    const start = await this.#reader.read(5);
    const type = start.toString('latin1', 0, 1);
    const length = start.readUInt32BE(1);
    if (!types.includes(type) || length > MAX_BLOCK_BYTES)
      throw new DamagedBackup('its structure is not the expected one');
    const content = await this.#reader.read(length);
    const before = type === 'F' ? this.#whole.copy().digest('hex') : '';
    this.#whole.update(start).update(content);
    return { type, content, before };
  }

  async finish(): Promise<void> {
    const { content, before } = await this.next('F');
    if (parseContent(footerSchema, content).sha256 !== before)
      throw new DamagedBackup('the checksum of the whole does not match');
    await this.#reader.requireEnd();
  }
}

/** Reads a backup of format 1 and checks its structure, counts and checksums on the way. @throws DamagedBackup */
export async function* readBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BackupEvent> {
  const reader = new BlockReader(chunks);
  const header = parseContent(headerSchema, (await reader.next('H')).content);
  yield { type: 'header', header };
  for (const table of header.tables) {
    const { content } = await reader.next('T');
    if (parseContent(z.object({ name: z.string() }), content).name !== table.name)
      throw new DamagedBackup(`the table ${table.name} is missing`);
    yield { type: 'table', table };
    const digest = new RowDigest();
    let block = await reader.next('DE');
    for (; block.type === 'D'; block = await reader.next('DE')) {
      digest.add(block.content);
      yield { type: 'rows', text: block.content };
    }
    const end = parseContent(tableEndSchema, block.content);
    const found = digest.end();
    if (end.rows !== found.rows || end.bytes !== found.bytes || end.sha256 !== found.sha256)
      throw new DamagedBackup(`the checksum of the table ${table.name} does not match`);
    yield { type: 'tableEnd', table, rows: end.rows };
  }
  await reader.finish();
}
