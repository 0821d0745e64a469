import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { StartError } from '../start-error.ts';
import { readArchive, writeArchive } from './archive.ts';
import { DamagedBackup } from './damaged.ts';
import type { BackupHeader } from './manifest.ts';
import { readTar, type TarEntry, writeTar } from './tar.ts';

const HEADER: BackupHeader = {
  version: '1.2.3',
  createdAt: '2026-11-23T00:00:00.000Z',
  server: '18.4',
  migrations: [1],
  keys: [],
  keyFile: 'key\n',
  tables: ['one', 'none', 'two'].map((name) => ({ name, columns: [{ name: 'id', type: 'text' }] })),
};

async function* rowsOf({ name }: { name: string }): AsyncGenerator<Buffer> {
  if (name !== 'none') yield Buffer.from(`${name} 1\n${name} 2\n`);
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const collect = async <T>(items: AsyncIterable<T>) => (await Readable.from(items).toArray()) as T[];

const pack = async (entries: readonly TarEntry[]) =>
  Buffer.concat(await collect(writeTar(each(entries), new Date(0))));

const whole = async () => Buffer.concat(await collect(writeArchive({ header: HEADER, readRows: rowsOf })));
const SMALL = 1_000_000;
const filesOf = async (archive: Buffer) => collect(readTar(each([archive]), SMALL));

/** Reads an archive. @returns the error */
async function refusal(archive: Buffer): Promise<unknown> {
  // In pieces, which fit no border of the format.
  const pieces = Array.from({ length: Math.ceil(archive.length / 1000) }, (_, n) =>
    archive.subarray(n * 1000, (n + 1) * 1000),
  );
  return collect(readArchive(each(pieces))).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Returns files with checksums that match, as a person could write them. */
function withSums(files: readonly TarEntry[]): TarEntry[] {
  const listed = files.filter(({ name }) => name !== 'SHA256SUMS');
  const lines = listed.map(
    ({ name, content }) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`,
  );
  return [...listed, { name: 'SHA256SUMS', content: Buffer.from(lines.join('')) }];
}

/** Changes the header of the archive's first file, with a checksum that matches. */
async function withHeader(at: number, text: string): Promise<Buffer> {
  const archive = Buffer.from(await whole());
  archive.write(text, at, 'latin1');
  archive.fill(' ', 148, 156);
  const sum = archive.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  archive.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return archive;
}

const at = (files: readonly TarEntry[], name: string) => files.findIndex((file) => file.name === name);
const replaced = (files: readonly TarEntry[], name: string, content: string) =>
  files.map((file) => (file.name === name ? { name, content: Buffer.from(content) } : file));
const manifest = (more: object) =>
  JSON.stringify({ format: 2, hasKeyFile: true, ...HEADER, keyFile: undefined, ...more });
const PART = 'tables/one/00001.copy';

/** What a person or a fault could do to the files of a backup. */
const CHANGES: [string, (files: TarEntry[]) => TarEntry[]][] = [
  ['no file at all', () => []],
  ['each file twice', (files) => files.flatMap((file) => [file, file])],
  ['the files in reverse', (files) => files.toReversed()],
  ['a part that is missing', (files) => files.toSpliced(at(files, PART), 1)],
  ['a part of no table', (files) => [...files, { name: 'tables/x/00001.copy', content: Buffer.from('x\n') }]],
  [
    'a part after a gap',
    (files) =>
      files.toSpliced(at(files, PART) + 1, 0, { name: 'tables/one/00003.copy', content: Buffer.from('x\n') }),
  ],
  [
    'a path out of the archive',
    (files) => files.toSpliced(1, 0, { name: '../../etc/passwd', content: Buffer.from('') }),
  ],
  ['no key that the manifest promises', (files) => files.toSpliced(at(files, 'encryption.key'), 1)],
  [
    'a key that the manifest denies',
    (files) => replaced(files, 'manifest.json', manifest({ hasKeyFile: false })),
  ],
  ['a manifest without tables', (files) => replaced(files, 'manifest.json', manifest({ tables: undefined }))],
  ['a table that the manifest lacks', (files) => replaced(files, 'manifest.json', manifest({ tables: [] }))],
  ['a manifest that is no JSON', (files) => replaced(files, 'manifest.json', '{')],
  ['a deep manifest', (files) => replaced(files, 'manifest.json', '['.repeat(500_000))],
  ['a manifest of a former format', (files) => replaced(files, 'manifest.json', manifest({ format: 1 }))],
];

describe('an archive', () => {
  it('is read as it was written', async () => {
    expect(await refusal(await whole())).toBeUndefined();
    expect((await filesOf(await whole())).map(({ name }) => name)).toEqual([
      ...['manifest.json', 'encryption.key', PART, 'tables/two/00001.copy', 'SHA256SUMS'],
    ]);
    expect(await refusal(await pack(withSums(await filesOf(await whole()))))).toBeUndefined();
  });

  it.each(CHANGES)('is refused with %s, also with checksums that match', async (name, change) => {
    const files = change(await filesOf(await whole()));
    const archives = [await pack(files), await pack(withSums(files))];
    // A missing part with checksums to match is a table with fewer rows, which only a key can prevent.
    if (name === 'a part that is missing') archives.pop();
    for (const archive of archives) expect(await refusal(archive)).toBeInstanceOf(DamagedBackup);
  });

  it('of a newer format is refused with what to do', async () => {
    const files = replaced(await filesOf(await whole()), 'manifest.json', '{"format": 3}');
    const error = await refusal(await pack(withSums(files)));
    expect(error).toBeInstanceOf(StartError);
    expect((error as Error).message).toMatch(/format 3, and this version reads up to 2\. Use/);
  });

  it.each([
    ['a symbolic link', 156, '2'],
    ['a folder', 156, '5'],
    ['an extended header', 156, 'x'],
    ['a size beyond the largest part', 124, '77777777777\0'],
    ['a negative size', 124, '-0000000001\0'],
    ['a size in binary', 124, '\x80\0\0\0\0\0\0\0\0\0\x01\0'],
    ['a size that is no number', 124, 'elephantine\0'],
  ])('is refused with %s', async (_name, position, text) => {
    expect(await refusal(await withHeader(position, text))).toBeInstanceOf(DamagedBackup);
  });

  it('is refused when it is cut off at any block, or when something follows it', async () => {
    const archive = await whole();
    for (let length = 0; length < archive.length - 512; length += 256)
      expect(await refusal(archive.subarray(0, length)), `${length} bytes`).toBeInstanceOf(DamagedBackup);
    expect(await refusal(Buffer.concat([archive, archive]))).toBeInstanceOf(DamagedBackup);
    // `tar` pads an archive with zeros.
    expect(await refusal(Buffer.concat([archive, Buffer.alloc(10_240)]))).toBeUndefined();
  });
});
