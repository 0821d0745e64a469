import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupFixture, FIXTURE_KEY } from '../../../test-support/backups/fixtures.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import { parseSecretKey } from '../encryption.ts';
import { StartError } from '../start-error.ts';
import type { BackupKeys } from './age.ts';
import { MAX_PART_BYTES } from './archive.ts';
import { readBackupFile, writeBackupFile } from './backup-file.ts';
import { DamagedBackup } from './damaged.ts';
import type { BackupHeader } from './manifest.ts';
import { verifyBackup } from './verify.ts';

/** Distance of the bytes that are changed at both ends of a file: every one in the second tier (BYTES=all). */
const STEP = process.env.BYTES === 'all' ? 1 : 3;
/** Checks at a time. */
const AT_ONCE = 16;

const HEADER: BackupHeader = {
  version: '1.2.3',
  createdAt: '2026-11-23T00:00:00.000Z',
  server: '18.4',
  migrations: [1, 2],
  keys: [],
  tables: ['small', 'empty', 'large'].map((name) => ({ name, columns: [{ name: 'id', type: 'text' }] })),
};
/** Random text, so that it fills several pieces of the encryption in spite of compression. */
const LARGE = Array.from({ length: 25 }, () => Buffer.from(`${randomBytes(12_000).toString('hex')}\n`));
const ROWS: Record<string, Buffer[]> = { small: [Buffer.from('a\nb'), Buffer.from('c\n')], large: LARGE };

let folder: string;
beforeAll(() => {
  folder = makeTemporaryFolder('datadeck-backup-');
});
afterAll(() => removeDataFolder(folder));

const newKey = (): BackupKeys => ({
  key: parseSecretKey(randomBytes(32).toString('base64'), 'BACKUP_KEY'),
});
const IDENTITY = await generateIdentity();
const forRecipient: BackupKeys = {
  recipient: await identityToRecipient(IDENTITY),
  identity: `# created\n${IDENTITY}\n`,
};
const plain: BackupKeys = {};
/** Ways to write a backup. */
const WAYS: [string, BackupKeys][] = [
  ['plain', plain],
  ['with a key', newKey()],
  ['for a recipient', forRecipient],
];
/** Files of formats that are only read. */
const OLD: [string, BackupKeys][] = [
  ['format-1.backup', plain],
  ['format-1-encrypted.backup', { key: FIXTURE_KEY }],
];

async function* rowsOf(name: string): AsyncGenerator<Buffer> {
  yield* ROWS[name] ?? [];
}

async function write(name: string, keys: BackupKeys, isForced = false): Promise<string> {
  const file = join(folder, name);
  const content = { header: HEADER, readRows: (table: { name: string }) => rowsOf(table.name) };
  await writeBackupFile(file, content, { keys, isForced });
  return file;
}

/** Returns all that a backup contains. */
async function contentOf(file: string, keys: BackupKeys): Promise<string> {
  let content = '';
  for await (const event of readBackupFile(file, keys))
    content += event.type === 'rows' ? event.text.toString('latin1') : JSON.stringify(event);
  return content;
}

/** Verifies changed bytes. @returns the error, or what the backup contains */
async function verifyChanged(bytes: Buffer, keys: BackupKeys): Promise<unknown> {
  const file = join(folder, `changed ${randomUUID()}`);
  writeFileSync(file, bytes);
  try {
    return await verifyBackup(file, keys).then(
      () => contentOf(file, keys),
      (error: unknown) => error,
    );
  } finally {
    rmSync(file);
  }
}

/** Checks changes of bytes, some at a time: each waits for threads and files much longer than it works. */
async function checkAll(positions: readonly number[], check: (at: number) => Promise<void>): Promise<void> {
  for (let first = 0; first < positions.length; first += AT_ONCE)
    await Promise.all(positions.slice(first, first + AT_ONCE).map(check));
}

/** Returns bytes of which one is changed. */
function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 0x10;
  return changed;
}

/** Returns positions all over a file: bytes of its start and its end, and many between. */
function positionsIn(bytes: Buffer): number[] {
  const { length } = bytes;
  const between = Array.from({ length: 40 }, (_, n) => Math.floor((n * length) / 40));
  const edges = Array.from({ length: 150 / STEP }, (_, n) => [STEP * n, length - 1 - STEP * n]).flat();
  return [...new Set([...edges, ...between])].filter((at) => at >= 0 && at < length);
}

describe('a backup file', () => {
  it.each(WAYS)('returns what was written (%s)', async (name, keys) => {
    const file = await write(name, keys);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { header, isEncrypted, tables, size } = await verifyBackup(file, keys);
    expect(header).toEqual(HEADER);
    expect(isEncrypted).toBe(keys !== plain);
    expect(tables.map((table) => [table.name, table.rows])).toEqual([
      ['small', 2],
      ['empty', 0],
      ['large', 25],
    ]);
    expect(size).toBe(statSync(file).size);
    const large: Buffer[] = [];
    let table = '';
    for await (const event of readBackupFile(file, keys)) {
      if (event.type === 'table') table = event.table.name;
      if (event.type === 'rows' && table === 'large') large.push(event.text);
    }
    expect(Buffer.concat(large).equals(Buffer.concat(LARGE))).toBe(true);
  });

  it('divides a table at the end of a row, and a larger row where a part is full', async () => {
    const line = (bytes: number) => Buffer.concat([Buffer.alloc(bytes - 1, 'x'), Buffer.from('\n')]);
    const rows = [line(MAX_PART_BYTES - 5), line(10), line(2 * MAX_PART_BYTES + 7), line(MAX_PART_BYTES)];
    const file = join(folder, 'parts');
    const tables = HEADER.tables.slice(0, 1);
    const readRows = async function* () {
      for (const row of rows)
        for (let at = 0; at < row.length; at += 65_536) yield row.subarray(at, at + 65_536);
    };
    await writeBackupFile(file, { header: { ...HEADER, tables }, readRows }, { keys: plain });
    const sizes: number[] = [];
    for await (const event of readBackupFile(file, plain))
      if (event.type === 'rows') sizes.push(event.text.length);
    expect(sizes).toEqual([MAX_PART_BYTES - 5, 10, MAX_PART_BYTES, MAX_PART_BYTES, 7, MAX_PART_BYTES]);
    expect((await verifyBackup(file, plain)).tables[0]?.rows).toBe(4);
  });

  it.each([...WAYS.slice(1), ...OLD])('is refused when any byte is changed (%s)', async (name, keys) => {
    const file = name.startsWith('format-1') ? backupFixture(name) : await write(`flipped ${name}`, keys);
    const bytes = readFileSync(file);
    await checkAll(positionsIn(bytes), async (at) =>
      expect(await verifyChanged(flipped(bytes, at), keys), `byte ${at}`).toBeInstanceOf(StartError),
    );
  });

  it('is refused or reads the same when any byte is changed (plain)', async () => {
    const file = await write('flipped plain', plain);
    const [bytes, content] = [readFileSync(file), await contentOf(file, plain)];
    await checkAll(positionsIn(bytes), async (at) => {
      const outcome = await verifyChanged(flipped(bytes, at), plain);
      if (outcome instanceof Error) expect(outcome, `byte ${at}`).toBeInstanceOf(StartError);
      // The header of gzip has a time, and two compressed texts can be the same text.
      else expect(outcome, `byte ${at}`).toBe(content);
    });
  });

  it.each([...WAYS, ...OLD])('is refused when it is cut off or extended (%s)', async (name, keys) => {
    const file = name.startsWith('format-1') ? backupFixture(name) : await write(`cut ${name}`, keys);
    const bytes = readFileSync(file);
    await checkAll(positionsIn(bytes), async (length) =>
      expect(await verifyChanged(bytes.subarray(0, length), keys), `${length} bytes`).toBeInstanceOf(
        DamagedBackup,
      ),
    );
    for (const more of [Buffer.from([0]), Buffer.from('more'), bytes])
      expect(await verifyChanged(Buffer.concat([bytes, more]), keys)).toBeInstanceOf(DamagedBackup);
  });

  it.each(WAYS.slice(1))('is refused when its pieces are reordered or missing (%s)', async (name, keys) => {
    const bytes = readFileSync(await write(`swapped ${name}`, keys));
    const start = bytes.indexOf('\n', bytes.indexOf('\n--- ') + 1) + 1 + 16;
    const piece = 64 * 1024 + 16;
    const [first = bytes, second = bytes] = [0, 1].map((n) =>
      bytes.subarray(start + n * piece, start + (n + 1) * piece),
    );
    const [head, rest] = [bytes.subarray(0, start), bytes.subarray(start + 2 * piece)];
    expect(await verifyChanged(Buffer.concat([head, second, first, rest]), keys)).toBeInstanceOf(
      DamagedBackup,
    );
    expect(await verifyChanged(Buffer.concat([head, first, rest]), keys)).toBeInstanceOf(DamagedBackup);
  });

  it('is refused with a wrong key, without its key, and with a key that it does not have', async () => {
    const other: BackupKeys = { identity: await generateIdentity() };
    const [keyed, open] = [await write('keyed', newKey()), await write('unkeyed', plain)];
    const received = await write('received', forRecipient);
    const old = backupFixture('format-1-encrypted.backup');
    const cases: [string, BackupKeys, RegExp][] = [
      [keyed, newKey(), /^The backup is encrypted with another key than BACKUP_KEY\. Set BACKUP_KEY/],
      [keyed, plain, /^The backup is encrypted\. Set BACKUP_KEY/],
      [keyed, forRecipient, /^The backup is encrypted\. Set BACKUP_KEY/],
      [received, other, /^The backup is encrypted for another recipient than that of --identity\. Name/],
      [received, plain, /^The backup is encrypted for a recipient\. Name the file .*--identity FILE\.$/],
      [received, newKey(), /^The backup is encrypted for a recipient\. Name the file/],
      [received, { identity: 'secret' }, /^The file of --identity holds no identity of age; expected/],
      [received, { identity: '# none\n' }, /^The file of --identity holds no identity of age; expected/],
      [open, newKey(), /^BACKUP_KEY is set, but the backup is not encrypted.*leave the key out/],
      [open, other, /^--identity is given, but the backup is not encrypted/],
      [old, newKey(), /encrypted with another key/],
      [old, plain, /^The backup is encrypted\. Set BACKUP_KEY/],
      [backupFixture('format-1.backup'), newKey(), /not encrypted.*leave the key out/],
    ];
    for (const [file, keys, message] of cases)
      await expect(verifyBackup(file, keys)).rejects.toThrow(message);
  });

  it.each([
    ['an empty file', ''],
    ['a text', 'This is no backup.\n'.repeat(1000)],
    ['the name of the format alone', 'age-encryption.org/v1\n'],
    ['a former format without content', 'PGBACKUP'],
    ['a start of gzip without content', '\x1f\x8b'],
    ['random bytes', randomBytes(100_000).toString('latin1')],
  ])('is distinguished from %s', async (_name, content) => {
    const error = await verifyChanged(Buffer.from(content, 'latin1'), plain);
    expect(error).toBeInstanceOf(DamagedBackup);
    expect((error as Error).message).toMatch(
      /^The file is not a complete backup: [^.]*\. Nothing was restored/,
    );
  });

  it('is distinguished from a folder and from a file that does not exist', async () => {
    await expect(verifyBackup(folder, plain)).rejects.toThrow(/^The backup .* cannot be read \(EISDIR/);
    await expect(verifyBackup(join(folder, 'no'), plain)).rejects.toThrow(/^There is no file/);
  });

  it('is refused when its passphrase costs more than age itself spends', async () => {
    const keys = newKey();
    const text = readFileSync(await write('costly', keys), 'latin1').replace(
      /(-> scrypt \S+) 12\n/,
      '$1 19\n',
    );
    expect(await verifyChanged(Buffer.from(text, 'latin1'), keys)).toMatchObject({
      message: expect.stringContaining('its passphrase costs too much'),
    });
  });

  it('contains no row in plain text when it is encrypted', async () => {
    for (const [name, keys] of WAYS.slice(1)) {
      const bytes = readFileSync(await write(`secret ${name}`, keys));
      expect(bytes.includes('createdAt')).toBe(false);
      expect(bytes.includes(LARGE[0]?.subarray(0, 100) ?? '')).toBe(false);
    }
  });
});

describe('writeBackupFile', () => {
  it('keeps an existing file unless it is forced', async () => {
    const file = await write('existing', plain);
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
    for (const [, keys] of WAYS) {
      const written = writeBackupFile(join(own, 'backup'), { header: HEADER, readRows: failing }, { keys });
      await expect(written).rejects.toThrow('the connection broke');
      expect(readdirSync(own)).toEqual([]);
    }
  });

  it('refuses a recipient with a typing error before it writes', async () => {
    const recipient = forRecipient.recipient?.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'));
    await expect(write('mistyped', { recipient })).rejects.toThrow(/^BACKUP_RECIPIENT=age1.* is not valid/);
    expect(readdirSync(folder).filter((name) => name.startsWith('mistyped'))).toEqual([]);
  });

  it('reports a folder that does not exist', async () => {
    await expect(write('none/backup', plain)).rejects.toThrow(
      /cannot be written to .*Name a file in a folder/,
    );
  });
});
