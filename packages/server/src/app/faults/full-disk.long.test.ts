import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { productSettings, type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ChildServer } from '../../../test-support/child-server.ts';
import { SmallDisk } from '../../../test-support/small-disk.ts';
import { awaitEnd, readSync, runSync, startSync } from '../../../test-support/syncing.ts';
import { Client } from '../../../test-support/test-server.ts';
import { findRunningPostgres } from '../../platform/embedded-postgres/launcher.ts';
import { findFreePort } from '../http/listen.ts';

const MB = 1024 * 1024;
const SIZE_MB = 260;
const USER = 'ada.nowak@sandbox.example';
const BENCH = { owner: 'bench', repo: 'pulls-5000' };
const HARBOR = { owner: 'aurora-labs', repo: 'harbor' };

const disk = process.env.TEST_DATABASE_URL === undefined ? SmallDisk.mount(SIZE_MB) : undefined;
const folderOf = (name: string) => join(disk?.folder ?? '', name);
const fill = (leftMb: number) => disk?.fill(leftMb);
const empty = () => truncateSync(disk?.filler ?? '', 0);
let sandbox: StartedSandbox;
let server: ChildServer;
let client: Client;
let environment: Record<string, string>;
/** Number of stored pull requests of harbor before the disk filled up. */
let storedBefore: number;

beforeAll(async () => {
  if (disk === undefined) return;
  sandbox = await startSandbox({ synthetic: { pulls: 5000 }, quotaScale: 0 });
  environment = {
    ...productSettings(sandbox),
    GITHUB_POINTS_PER_MINUTE: '0',
    DATA_DIR: folderOf('data'),
    PORT: String(await findFreePort('127.0.0.1')),
  };
  server = new ChildServer(environment);
  await server.start();
  client = await new Client(server).signIn(USER);
  await client.connect('github', 'ada-nowak');
}, 60_000);

afterAll(async () => {
  await server?.end('SIGTERM');
  await sandbox?.close();
  disk?.unmount();
});

/** Returns the number of stored pull requests of harbor. */
async function countHarbor(): Promise<number> {
  const { summary } = await runSync(client, 'gh-pulls', HARBOR);
  expect(summary).toMatchObject({ added: 0, updated: 0, removed: 0, incremental: true });
  return summary.entitiesSynced ?? 0;
}

/** Waits until the user sees the error of a full disk. @returns where: in the run, or in each response */
async function awaitDiskError(id: string): Promise<'run' | 'every response'> {
  const message = /The disk of the database is full.*Free some space/;
  return vi.waitFor(
    async () => {
      const sync = await readSync(client, id).catch((error: Error) => error.message);
      expect(typeof sync === 'string' ? sync : sync.summary.errMessage).toMatch(message);
      return typeof sync === 'string' ? 'every response' : 'run';
    },
    { timeout: 90_000, interval: 100 },
  );
}

/** Holds requests to GitHub until it is removed. */
const HELD = { options: { milliseconds: 600_000 }, times: 1000, match: { api: 'github' } } as const;
/** PostgreSQL stops when it cannot create the next file of its log, which has 16 MB. */
const LESS_THAN_A_WAL_FILE_MB = 8;

/** Makes PostgreSQL go through the files of its log, also those that it has in reserve, until it stops. */
async function useUpLog(): Promise<void> {
  const connection = await findRunningPostgres(environment.DATA_DIR ?? '');
  if (connection === undefined) throw new Error('the database does not run');
  const database = new pg.Client(connection);
  database.on('error', () => undefined);
  await database.connect();
  const stopped = async () => {
    for (let file = 0; file < 100; file++)
      await database.query("select pg_logical_emit_message(false, 'test', ''), pg_switch_wal()");
  };
  await expect(stopped()).rejects.toThrow();
}

async function readiness(): Promise<unknown> {
  return (await fetch(`${server.url}/readyz`)).json();
}

/** Returns the free space that the metrics export, in bytes. */
async function exportedFreeBytes(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^datadeck_disk_free_bytes\{.*\} (\d+)$/m.exec(text)?.[1]);
}

describe.skipIf(disk === undefined)('a full disk', () => {
  it('is reported by the run and loses no stored record', async () => {
    const before = await runSync(client, 'gh-pulls', HARBOR);
    storedBefore = before.summary.entitiesSynced ?? 0;
    expect(storedBefore).toBeGreaterThan(100);

    expect(await client.get('/api/accounts/disk-use')).toMatchObject({ isDiskLow: true });
    fill(1);
    expect(await exportedFreeBytes()).toBeLessThanOrEqual(MB);
    const { _id } = await startSync(client, 'gh-pulls', BENCH);
    expect(await awaitDiskError(_id)).toBe('run');

    empty();
    expect(await countHarbor()).toBe(storedBefore);
    expect(await runSync(client, 'gh-pulls', BENCH)).toMatchObject({ status: 'finished' });
  }, 240_000);

  it('is reported by every response when PostgreSQL stops, until there is room', async () => {
    await server.admin('plan', USER, 'pro');
    const held = sandbox.control.fault({ name: 'latency', ...HELD });
    const { _id } = await startSync(client, 'gh-pulls', BENCH);
    await vi.waitFor(() => expect(held.hits).toBeGreaterThan(0), { timeout: 30_000 });
    fill(LESS_THAN_A_WAL_FILE_MB);
    await useUpLog();
    expect(await awaitDiskError(_id)).toBe('every response');
    // A restarted PostgreSQL may find a file of its log that it can use again.
    await vi.waitFor(
      async () => {
        await useUpLog().catch(() => undefined);
        expect(await readiness()).toEqual({ status: 'the disk of the database is full' });
      },
      { timeout: 90_000, interval: 100 },
    );

    empty();
    await vi.waitFor(async () => expect(await readiness()).toEqual({ status: 'ready' }), {
      timeout: 90_000,
      interval: 100,
    });
    // The run continues automatically.
    held.remove();
    expect(await awaitEnd(client, _id)).toMatchObject({
      status: 'finished',
      summary: { entitiesSynced: 5000 },
    });
    expect(await countHarbor()).toBe(storedBefore);
  }, 480_000);

  it('is reported by a first start', async () => {
    await server.end('SIGTERM');
    fill(8);
    const another = new ChildServer({ ...environment, DATA_DIR: folderOf('another') });
    await expect(another.start()).rejects.toThrow(
      /The disk of .* is full \(\d+ MB left\).*Free at least 200 MB/,
    );
  });
});
