import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import { parseSecretKey } from '../encryption.ts';
import type { BackupKeys } from './age.ts';
import { writeBackupFile } from './backup-file.ts';
import type { BackupHeader } from './manifest.ts';
import { verifyBackup } from './verify.ts';

const KEY_FILE = `${Buffer.alloc(32, 9).toString('base64')}\n`;
const HEADER: BackupHeader = {
  version: '1.2.3',
  createdAt: '2026-11-23T00:00:00.000Z',
  server: '18.4',
  migrations: [1, 2],
  keys: [],
  tables: ['users', 'records'].map((name) => ({ name, columns: [{ name: 'id', type: 'text' }] })),
};
/** A row of 64 KB; the table has 20 MB in three parts. */
const ROW = Buffer.from(`${'0123456789abcdef'.repeat(4096)}\n`);
const ROWS = 320;
const KEY = parseSecretKey(Buffer.alloc(32, 5).toString('base64'), 'BACKUP_KEY');
const AGE_MISSING = spawnSync('age', ['--version']).status !== 0;
/** `age` reads a passphrase from a terminal, which `script` of util-linux provides. */
const hasTerminal = spawnSync('script', ['--version']).status === 0;

const hasSums = spawnSync('sha256sum', ['--version']).status === 0;

let folder: string;
let identity: string;
let identityFile: string;
beforeAll(async () => {
  folder = makeTemporaryFolder('datadeck-open-formats-');
  identity = await generateIdentity();
  identityFile = join(folder, 'identity.txt');
  writeFileSync(identityFile, `${identity}\n`);
});
afterAll(() => removeDataFolder(folder));

async function write(name: string, keys: BackupKeys): Promise<string> {
  const file = join(folder, name);
  async function* readRows({ name: table }: { name: string }): AsyncGenerator<Buffer> {
    for (let n = 0; n < (table === 'records' ? ROWS : 1); n++) yield ROW;
  }
  const isEncrypted = keys.key !== undefined || keys.recipient !== undefined;
  const header = { ...HEADER, ...(isEncrypted && { keyFile: KEY_FILE }) };
  await writeBackupFile(file, { header, readRows }, { keys });
  return file;
}

/** Unpacks an archive with `tar` and compares it with what was written. @returns the folder */
function unpack(archive: string, isEncrypted: boolean): string {
  const to = `${archive}.files`;
  mkdirSync(to);
  execFileSync('tar', ['-xzf', archive, '-C', to]);
  if (hasSums) execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: to });
  expect(readdirSync(to).sort()).toEqual(
    ['SHA256SUMS', ...(isEncrypted ? ['encryption.key'] : []), 'manifest.json', 'tables'].sort(),
  );
  expect(JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8'))).toMatchObject({ format: 2, ...HEADER });
  if (isEncrypted) expect(readFileSync(join(to, 'encryption.key'), 'utf8')).toBe(KEY_FILE);
  const parts = readdirSync(join(to, 'tables/records')).sort();
  expect(parts).toEqual(['00001.copy', '00002.copy', '00003.copy']);
  const contents = parts.map((part) => readFileSync(join(to, 'tables/records', part)));
  for (const content of contents) expect(content.length).toBeLessThanOrEqual(8 * 1024 * 1024);
  expect(Buffer.concat(contents).equals(Buffer.concat(Array.from({ length: ROWS }, () => ROW)))).toBe(true);
  return to;
}

/** Packs the files of an unpacked backup with `tar`, in their order. @returns the archive */
function pack(from: string): string {
  const sums = readFileSync(join(from, 'SHA256SUMS'), 'utf8');
  const names = [...sums.split('\n').flatMap((line) => line.slice(66) || []), 'SHA256SUMS'];
  execFileSync('tar', ['-czf', `${from}.tar.gz`, '-C', from, ...names]);
  return `${from}.tar.gz`;
}

describe('a backup without encryption', () => {
  it('is read and written by tar alone', async () => {
    const archive = await write('plain.tar.gz', {});
    const packed = pack(unpack(archive, false));
    const { tables } = await verifyBackup(packed, {});
    expect(tables.map(({ rows }) => rows)).toEqual([1, ROWS]);
  });
});

describe.skipIf(AGE_MISSING)('an encrypted backup', () => {
  it('is decrypted with its identity by age', async () => {
    const file = await write('received.age', { recipient: await identityToRecipient(identity) });
    execFileSync('age', ['-d', '-i', identityFile, '-o', `${file}.tar.gz`, file]);
    unpack(`${file}.tar.gz`, true);
  });

  it.skipIf(!hasTerminal)('is decrypted with BACKUP_KEY as passphrase by age', async () => {
    const file = await write('keyed.age', { key: KEY });
    const command = `age -d -o ${file}.tar.gz ${file}`;
    execFileSync('script', ['-qec', command, '/dev/null'], { input: `${KEY.text}\n` });
    unpack(`${file}.tar.gz`, true);
  });

  it('may be encrypted by age', async () => {
    const packed = pack(unpack(await write('again.tar.gz', {}), false));
    const recipient = await identityToRecipient(identity);
    execFileSync('age', ['-r', recipient, '-o', `${packed}.age`, packed]);
    const { isEncrypted, tables } = await verifyBackup(`${packed}.age`, { identity });
    expect([isEncrypted, tables.length]).toEqual([true, 2]);
  });
});
