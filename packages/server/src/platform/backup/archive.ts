import { createHash } from 'node:crypto';
import { z } from 'zod';
import { StartError } from '../start-error.ts';
import { DamagedBackup } from './damaged.ts';
import {
  type BackupEvent,
  type BackupHeader,
  type BackupTable,
  countRows,
  descriptionSchema,
  parseContent,
} from './manifest.ts';
import { readTar, type TarEntry, writeTar } from './tar.ts';

/*
 * A backup is a tar archive, see docs/run/backup.md: `manifest.json`, the generated key if the file is encrypted, for each
 * table its rows in PostgreSQL's text format of COPY in numbered parts, and `SHA256SUMS` of all files before it.
 */

/** The version of the file format. */
const FORMAT = 2;
/** Largest part of a table. One part at a time is in memory, because tar has the size of a file before its content. */
export const MAX_PART_BYTES = 8 * 1024 * 1024;
const MANIFEST = 'manifest.json';
const KEY_FILE = 'encryption.key';
const SUMS = 'SHA256SUMS';
const NEWLINE = 10;

const manifestSchema = descriptionSchema.extend({
  format: z.literal(FORMAT),
  /** Whether the generated key follows. */
  hasKeyFile: z.boolean(),
});

const partName = (table: BackupTable, number: number) =>
  `tables/${table.name}/${String(number).padStart(5, '0')}.copy`;
/** A line for `sha256sum --check`. */
const sumLine = ({ name, content }: TarEntry) =>
  `${createHash('sha256').update(content).digest('hex')}  ${name}\n`;

/** Divides rows into parts of at most MAX_PART_BYTES, at the end of a row unless the row is larger. */
async function* divide(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let held = 0;
  for await (const text of rows) {
    pending.push(text);
    held += text.length;
    if (held < MAX_PART_BYTES) continue;
    let all = Buffer.concat(pending);
    while (all.length >= MAX_PART_BYTES) {
      const end = all.lastIndexOf(NEWLINE, MAX_PART_BYTES - 1) + 1 || MAX_PART_BYTES;
      yield all.subarray(0, end);
      all = all.subarray(end);
    }
    pending = [all];
    held = all.length;
  }
  if (held > 0) yield Buffer.concat(pending);
}

/** What an archive is written from. */
export interface ArchiveContent {
  header: BackupHeader;
  /** Streams a table's rows in the text format of COPY. */
  readRows(table: BackupTable): AsyncIterable<Buffer>;
  /** Called with the number of rows of each written table. */
  onTable?(table: BackupTable, rows: number): void;
}

/** Yields the files of a backup in their order, without the checksums. */
async function* filesOf({ header, readRows, onTable }: ArchiveContent): AsyncGenerator<TarEntry> {
  const { keyFile, ...description } = header;
  const manifest = { format: FORMAT, hasKeyFile: keyFile !== undefined, ...description };
  yield { name: MANIFEST, content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) };
  if (keyFile !== undefined) yield { name: KEY_FILE, content: Buffer.from(keyFile) };
  for (const table of header.tables) {
    let [parts, rows] = [0, 0];
    for await (const content of divide(readRows(table))) {
      rows += countRows(content);
      yield { name: partName(table, ++parts), content };
    }
    onTable?.(table, rows);
  }
}

async function* withSums(files: AsyncIterable<TarEntry>): AsyncGenerator<TarEntry> {
  let sums = '';
  for await (const file of files) {
    sums += sumLine(file);
    yield file;
  }
  yield { name: SUMS, content: Buffer.from(sums) };
}

/** Writes the archive of a backup. */
export function writeArchive(content: ArchiveContent): AsyncGenerator<Buffer> {
  return writeTar(withSums(filesOf(content)), new Date(content.header.createdAt));
}

/** Reads the files of an archive in their order, and keeps the checksums of those before the current one. */
class FileReader {
  readonly #entries: AsyncIterator<TarEntry>;
  #sums = '';
  #current: TarEntry | undefined;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#entries = readTar(chunks, MAX_PART_BYTES);
  }

  /** Returns the content of the next file and moves behind it; undefined when the next file has another name. */
  async take(name: string): Promise<Buffer | undefined> {
    this.#current ??= (await this.#entries.next()).value;
    const entry = this.#current;
    if (entry?.name !== name) return undefined;
    this.#sums += sumLine(entry);
    this.#current = undefined;
    return entry.content;
  }

  /** @throws DamagedBackup when the next file has another name */
  async require(name: string): Promise<Buffer> {
    const content = await this.take(name);
    if (content === undefined) throw new DamagedBackup(`the file ${name} is missing in it`);
    return content;
  }

  /** @throws DamagedBackup when the archive does not end with the checksums of all its files */
  async finish(): Promise<void> {
    const expected = this.#sums;
    const sums = await this.require(SUMS);
    if (sums.toString() !== expected) throw new DamagedBackup('the checksums in it do not match');
    if (!(await this.#entries.next()).done) throw new DamagedBackup('something follows its end');
  }
}

async function readHeader(files: FileReader): Promise<BackupHeader> {
  const content = await files.require(MANIFEST);
  const { format } = parseContent(z.object({ format: z.number() }), content);
  if (format > FORMAT)
    throw new StartError(
      `The backup has the format ${format}, and this version reads up to ${FORMAT}. Use the version that wrote it, or a newer one.`,
    );
  const { format: _format, hasKeyFile, ...header } = parseContent(manifestSchema, content);
  return hasKeyFile ? { ...header, keyFile: (await files.require(KEY_FILE)).toString() } : header;
}

/** Reads the archive of a backup, and checks its structure and checksums on the way. @throws DamagedBackup */
export async function* readArchive(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BackupEvent> {
  const files = new FileReader(chunks);
  const header = await readHeader(files);
  yield { type: 'header', header };
  for (const table of header.tables) {
    yield { type: 'table', table };
    let rows = 0;
    for (let part = 1; ; part++) {
      const text = await files.take(partName(table, part));
      if (text === undefined) break;
      rows += countRows(text);
      yield { type: 'rows', text };
    }
    yield { type: 'tableEnd', table, rows };
  }
  await files.finish();
}
