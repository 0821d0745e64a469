import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import type { SecretKey } from '../encryption.ts';
import { StartError } from '../start-error.ts';
import { readBackupFile, writeBackupFile } from './backup-file.ts';
import { type BackupHeader, writeBlocks } from './blocks.ts';
import { DamagedBackup } from './damaged.ts';
import { verifyBackup } from './verify.ts';

const HEADER: BackupHeader = {
  version: '1.2.3',
  createdAt: '2026-11-23T00:00:00.000Z',
  server: '18.4',
  migrations: [1, 2],
  keys: [],
  tables: ['small', 'empty', 'large'].map((name) => ({ name, columns: [{ name: 'id', type: 'text' }] })),
};
/** Random text, so that it fills several frames in spite of compression. */
const LARGE = Array.from({ length: 25 }, () => Buffer.from(`${randomBytes(12_000).toString('hex')}\n`));
const ROWS: Record<string, Buffer[]> = { small: [Buffer.from('a\nb'), Buffer.from('c\n')], large: LARGE };

let folder: string;
beforeAll(() => {
  folder = makeTemporaryFolder('datadeck-backup-');
});
afterAll(() => removeDataFolder(folder));

const newKey = (): SecretKey => ({ bytes: randomBytes(32) });

async function* rowsOf(name: string): AsyncGenerator<Buffer> {
  yield* ROWS[name] ?? [];
}

async function write(name: string, key: SecretKey | undefined, isForced = false): Promise<string> {
  const file = join(folder, name);
  const blocks = writeBlocks(HEADER, (table) => rowsOf(table.name));
  await writeBackupFile(file, blocks, { key, isForced });
  return file;
}

/** Verifies changed bytes. @returns the error */
async function verifyChanged(bytes: Buffer, key: SecretKey | undefined): Promise<unknown> {
  const file = join(folder, 'changed');
  writeFileSync(file, bytes);
  return verifyBackup(file, key).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Returns positions all over a file: every byte of its start and its end, and many between. */
function positionsIn(bytes: Buffer): number[] {
  const { length } = bytes;
  const between = Array.from({ length: 40 }, (_, n) => Math.floor((n * length) / 40));
  const edges = Array.from({ length: 150 }, (_, n) => [n, length - 1 - n]).flat();
  return [...new Set([...edges, ...between])].filter((at) => at >= 0 && at < length);
}

describe('a backup file', () => {
  it.each([
    ['plain', undefined],
    ['encrypted', newKey()],
  ])('returns what was written (%s)', async (name, key) => {
    const file = await write(name, key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { header, tables, size } = await verifyBackup(file, key);
    expect(header).toEqual(HEADER);
    expect(tables.map((table) => [table.name, table.rows])).toEqual([
      ['small', 2],
      ['empty', 0],
      ['large', 25],
    ]);
    expect(size).toBe(statSync(file).size);
    const large: Buffer[] = [];
    let table = '';
    for await (const event of readBackupFile(file, key)) {
      if (event.type === 'table') table = event.table.name;
      if (event.type === 'rows' && table === 'large') large.push(event.text);
    }
    expect(Buffer.concat(large).equals(Buffer.concat(LARGE))).toBe(true);
  });

  // @covers 10.backup-detects-changes
  it.each([
    ['plain', undefined],
    ['encrypted', newKey()],
  ])('is refused when any byte is changed (%s)', async (name, key) => {
    const bytes = readFileSync(await write(`flipped-${name}`, key));
    for (const at of positionsIn(bytes)) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      expect(await verifyChanged(changed, key), `byte ${at}`).toBeInstanceOf(StartError);
    }
  });

  it.each([
    ['plain', undefined],
    ['encrypted', newKey()],
  ])('is refused when it is cut off, extended or reordered (%s)', async (name, key) => {
    const bytes = readFileSync(await write(`cut-${name}`, key));
    for (const length of positionsIn(bytes))
      expect(await verifyChanged(bytes.subarray(0, length), key), `${length} bytes`).toBeInstanceOf(
        DamagedBackup,
      );
    expect(await verifyChanged(Buffer.concat([bytes, Buffer.from([0])]), key)).toBeInstanceOf(DamagedBackup);

    const start = 12 + bytes.readUInt32BE(8);
    const frame = 4 + bytes.readUInt32BE(start) + 16;
    const [first, second] = [0, 1].map((n) => bytes.subarray(start + n * frame, start + (n + 1) * frame));
    const head = bytes.subarray(0, start);
    const rest = bytes.subarray(start + 2 * frame);
    const swapped = Buffer.concat([head, second ?? head, first ?? head, rest]);
    expect(swapped).toHaveLength(bytes.length);
    expect(await verifyChanged(swapped, key)).toBeInstanceOf(DamagedBackup);
    expect(await verifyChanged(Buffer.concat([head, first ?? head, rest]), key)).toBeInstanceOf(
      DamagedBackup,
    );
  });

  // @covers 10.backup-detects-changes
  it('is refused with another key, without its key, and with a key that it does not have', async () => {
    const key = newKey();
    const [encrypted, plain] = [await write('keyed', key), await write('unkeyed', undefined)];
    await expect(verifyBackup(encrypted, newKey())).rejects.toThrow(/encrypted with another key/);
    await expect(verifyBackup(encrypted, undefined)).rejects.toThrow(/is encrypted\. Set BACKUP_KEY/);
    await expect(verifyBackup(plain, key)).rejects.toThrow(/not encrypted.*unset BACKUP_KEY/);
  });

  it('contains no row in plain text when it is encrypted', async () => {
    const bytes = readFileSync(await write('secret', newKey()));
    expect(bytes.includes('createdAt')).toBe(false);
    expect(bytes.includes(LARGE[0]?.subarray(0, 100) ?? '')).toBe(false);
  });
});

describe('writeBackupFile', () => {
  it('keeps an existing file unless it is forced', async () => {
    const file = await write('existing', undefined);
    const before = readFileSync(file);
    await expect(write('existing', newKey())).rejects.toThrow(/exists\. Name another file/);
    expect(readFileSync(file).equals(before)).toBe(true);
    await write('existing', newKey(), true);
    expect(readFileSync(file).equals(before)).toBe(false);
  });

  it('leaves no file after a failure, and removes those of killed processes', async () => {
    const own = join(folder, 'failing');
    mkdirSync(own);
    writeFileSync(join(own, 'backup.partial.999999999'), 'abandoned');
    async function* failing(): AsyncGenerator<Buffer> {
      yield randomBytes(1_000_000);
      throw new Error('the connection broke');
    }
    const written = writeBackupFile(join(own, 'backup'), failing(), { key: undefined });
    await expect(written).rejects.toThrow('the connection broke');
    expect(readdirSync(own)).toEqual([]);
  });

  it('reports a folder that does not exist', async () => {
    await expect(write('none/backup', undefined)).rejects.toThrow(
      /cannot be written to .*Name a file in a folder/,
    );
  });
});
