import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ByteReader } from './byte-reader.ts';
import { DamagedBackup } from './damaged.ts';

/*
 * The inner layer of a backup file, inside compression: blocks of a type (1 byte), a length (4 bytes) and content. One
 * header, for each table its rows in PostgreSQL's text format of COPY and their checksum, and a footer with the checksum
 * of everything before it.
 */

const MAX_BLOCK_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;

const tableSchema = z.object({
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
});
/** A table of a backup: its columns with the types that PostgreSQL's `format_type` prints. */
export type BackupTable = z.infer<typeof tableSchema>;

const headerSchema = z.object({
  /** Version of the product that wrote the backup. */
  version: z.string(),
  /** Time of the snapshot, ISO. */
  createdAt: z.string(),
  /** Version of the PostgreSQL server. */
  server: z.string(),
  /** Times of the applied migrations, ms, oldest first. */
  migrations: z.array(z.number()),
  /** Ids of the keys that encrypt secrets in the rows. */
  keys: z.array(z.string()),
  /** Content of the generated key file; only in encrypted backups. */
  keyFile: z.string().optional(),
  /** The tables in the file's order: a table follows those that it refers to. */
  tables: z.array(tableSchema),
});
export type BackupHeader = z.infer<typeof headerSchema>;

const tableEndSchema = z.object({ rows: z.number(), bytes: z.number(), sha256: z.string() });
/** Counts and checksum of a table's rows. */
export type TableEnd = z.infer<typeof tableEndSchema>;

const footerSchema = z.object({ sha256: z.string() });

/** One step through a backup. */
export type BackupEvent =
  | { type: 'header'; header: BackupHeader }
  | { type: 'table'; table: BackupTable }
  | { type: 'rows'; text: Buffer }
  | { type: 'tableEnd'; table: BackupTable; end: TableEnd };

/** Counts and hashes the rows of one table. A row is a line: newlines in values are escaped. */
class RowDigest {
  readonly #hash = createHash('sha256');
  #rows = 0;
  #bytes = 0;

  add(text: Buffer): void {
    this.#hash.update(text);
    this.#bytes += text.length;
    for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) this.#rows++;
  }

  end(): TableEnd {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/**
 * Writes the blocks of a backup.
 * @param readRows streams a table's rows in the text format of COPY
 * @param onTable called with the counts of each written table
 */
export async function* writeBlocks(
  header: BackupHeader,
  readRows: (table: BackupTable) => AsyncIterable<Buffer>,
  onTable: (table: BackupTable, end: TableEnd) => void = () => undefined,
): AsyncGenerator<Buffer> {
  const whole = createHash('sha256');
  const block = (type: string, content: Buffer) => {
    const start = Buffer.alloc(5);
    start.write(type, 'latin1');
    start.writeUInt32BE(content.length, 1);
    whole.update(start).update(content);
    return Buffer.concat([start, content]);
  };
  const json = (type: string, content: object) => block(type, Buffer.from(JSON.stringify(content)));
  yield json('H', header);
  for (const table of header.tables) {
    yield json('T', { name: table.name });
    const digest = new RowDigest();
    for await (const text of readRows(table)) {
      digest.add(text);
      for (let start = 0; start < text.length; start += MAX_BLOCK_BYTES)
        yield block('D', text.subarray(start, start + MAX_BLOCK_BYTES));
    }
    const end = digest.end();
    yield json('E', end);
    onTable(table, end);
  }
  yield json('F', { sha256: whole.copy().digest('hex') });
}

function parse<T>(schema: z.ZodType<T>, content: Buffer): T {
  try {
    return schema.parse(JSON.parse(content.toString()));
  } catch {
    throw new DamagedBackup('its structure is not the expected one');
  }
}

/** Reads blocks, and keeps the checksum of all blocks before the current one. */
class BlockReader {
  readonly #reader: ByteReader;
  readonly #whole = createHash('sha256');

  constructor(chunks: AsyncIterable<Buffer>) {
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
    if (parse(footerSchema, content).sha256 !== before)
      throw new DamagedBackup('the checksum of the whole does not match');
    await this.#reader.requireEnd();
  }
}

/** Reads a backup and checks its structure, counts and checksums on the way. @throws DamagedBackup */
export async function* readBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<BackupEvent> {
  const reader = new BlockReader(chunks);
  const header = parse(headerSchema, (await reader.next('H')).content);
  yield { type: 'header', header };
  for (const table of header.tables) {
    const { content } = await reader.next('T');
    if (parse(z.object({ name: z.string() }), content).name !== table.name)
      throw new DamagedBackup(`the table ${table.name} is missing`);
    yield { type: 'table', table };
    const digest = new RowDigest();
    let block = await reader.next('DE');
    for (; block.type === 'D'; block = await reader.next('DE')) {
      digest.add(block.content);
      yield { type: 'rows', text: block.content };
    }
    const end = parse(tableEndSchema, block.content);
    const found = digest.end();
    if (end.rows !== found.rows || end.bytes !== found.bytes || end.sha256 !== found.sha256)
      throw new DamagedBackup(`the checksum of the table ${table.name} does not match`);
    yield { type: 'tableEnd', table, end };
  }
  await reader.finish();
}
