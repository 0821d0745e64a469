import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SmallDisk } from '../../test-support/small-disk.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../test-support/temporary-folder.ts';
import { startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { verifyBackup } from '../platform/backup/index.ts';
import { BACKUP_QUEUE } from './scheduled-backups.ts';

let server: TestServer;
let folder: string;
const disk = SmallDisk.mount(1);

beforeAll(async () => {
  folder = makeTemporaryFolder('datadeck-scheduled-');
  server = await startTestServer({
    BACKUP_SCHEDULE: '0 3 1 1 *',
    BACKUP_FOLDER: folder,
    BACKUP_KEEP: '2',
  });
});
afterAll(async () => {
  await server?.remove();
  removeDataFolder(folder);
  disk?.unmount();
});

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(name));
  return Number(line?.split(' ').at(-1));
}

describe('a scheduled backup', () => {
  it('is written, appears in the metrics and replaces the oldest', async () => {
    expect(await metric('datadeck_backup_last_success_timestamp_seconds')).toBe(0);
    // Version 0.2.0 named them `.backup`.
    const others = [
      'datadeck-20200101T000000Z.backup',
      'datadeck-20200102T000000Z.tar.gz.age',
      'mine.tar.gz',
    ];
    const partials = [
      'datadeck-20200103T000000Z.backup.partial.1',
      'datadeck-20200103T000000Z.tar.gz.partial.1',
    ];
    for (const name of [...others, ...partials]) writeFileSync(join(folder, name), '');
    const before = Math.floor(Date.now() / 1000);
    await server.product.context.jobs.send(BACKUP_QUEUE.name, {});
    const kept = () => readdirSync(folder).sort();
    const expected = [
      'datadeck-20200102T000000Z.tar.gz.age',
      expect.stringMatching(/Z\.tar\.gz$/),
      'mine.tar.gz',
    ];
    await vi.waitFor(() => expect(kept()).toEqual(expected), 60_000);
    const newest = kept()[1] ?? '';
    const { tables } = await verifyBackup(join(folder, newest), {});
    expect(tables.map(({ name }) => name)).toContain('users');
    expect(await metric('datadeck_backup_last_success_timestamp_seconds')).toBeGreaterThanOrEqual(before);
  });

  it('is counted and logged as a failure when it cannot be written', async () => {
    const error = vi.spyOn(server.product.context.log, 'error');
    rmSync(folder, { recursive: true });
    await server.product.context.jobs.send(BACKUP_QUEUE.name, {});
    await vi.waitFor(
      async () => expect(await metric('datadeck_job_failures_total{queue="backup"}')).toBe(1),
      60_000,
    );
    expect(error.mock.calls[0]?.[0]).toMatchObject({ queue: 'backup', err: expect.any(Error) });
  });
});

describe.skipIf(disk === undefined)('a scheduled backup on a full disk', () => {
  let small: TestServer;
  beforeAll(async () => {
    const settings = { BACKUP_SCHEDULE: '0 3 1 1 *', BACKUP_FOLDER: disk?.folder ?? '', BACKUP_KEEP: '1' };
    small = await startTestServer(settings);
  });
  afterAll(() => small?.remove());

  it('is logged with what to do and deletes no earlier backup', async () => {
    const error = vi.spyOn(small.product.context.log, 'error');
    const earlier = ['datadeck-20200101T000000Z.backup', 'datadeck-20200102T000000Z.backup'];
    for (const name of earlier) writeFileSync(join(disk?.folder ?? '', name), '');
    disk?.fill(0);
    await small.product.context.jobs.send(BACKUP_QUEUE.name, {});
    const message = expect.stringMatching(/^The disk of .* is full, so no backup was written\. Free space/);
    await vi.waitFor(
      () => expect(error.mock.calls[0]?.[0]).toMatchObject({ queue: 'backup', err: { message } }),
      60_000,
    );
    expect(readdirSync(disk?.folder ?? '').sort()).toEqual([...earlier, 'filler']);
    expect((await fetch(`${small.url}/readyz`)).status).toBe(200);
  });
});

describe('the settings of scheduled backups', () => {
  it.each([
    [
      'a schedule without values',
      { BACKUP_SCHEDULE: '99 3 * * *', BACKUP_FOLDER: '/tmp' },
      /BACKUP_SCHEDULE=.*not valid/,
    ],
    [
      'a schedule that is no cron line',
      { BACKUP_SCHEDULE: 'daily', BACKUP_FOLDER: '/tmp' },
      /BACKUP_SCHEDULE=.*five fields/,
    ],
    [
      'a missing folder',
      { BACKUP_SCHEDULE: '0 3 * * *', BACKUP_FOLDER: '/tmp/none/none' },
      /BACKUP_FOLDER=.*cannot be written/,
    ],
    ['a schedule alone', { BACKUP_SCHEDULE: '0 3 * * *' }, /BACKUP_FOLDER is missing/],
    ['a wrong key', { BACKUP_KEY: 'short' }, /BACKUP_KEY is not valid/],
    ['a wrong recipient', { BACKUP_RECIPIENT: 'age1abc' }, /BACKUP_RECIPIENT=.*expected a recipient of age/],
    [
      'a recipient with a typing error',
      { BACKUP_SCHEDULE: '0 3 * * *', BACKUP_FOLDER: '/tmp', BACKUP_RECIPIENT: `age1${'q'.repeat(58)}` },
      /BACKUP_RECIPIENT=.*typing error/,
    ],
    [
      'a key and a recipient',
      { BACKUP_KEY: Buffer.alloc(32, 1).toString('base64'), BACKUP_RECIPIENT: `age1${'q'.repeat(58)}` },
      /both set.*Unset one/,
    ],
  ])('are refused at the start: %s', async (_name, settings, message) => {
    await expect(startTestServer(settings)).rejects.toThrow(message);
  });
});
