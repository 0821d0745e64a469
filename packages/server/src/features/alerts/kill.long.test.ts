import type { AlertDelivery, Alerts, Notifications } from '@datadeck/contract';
import { productSettings, type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer } from '../../../test-support/child-server.ts';
import { HookServer } from '../../../test-support/hook-server.ts';
import { awaitEnd, startSync, until } from '../../../test-support/syncing.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import { createDatabase, type TestDatabase } from '../../../test-support/test-database.ts';
import { Client } from '../../../test-support/test-server.ts';
import { findFreePort } from '../../app/http/listen.ts';

/** Timeout for another process to take over, on a busy machine. */
const TAKEOVER_MS = 100_000;
const ALERTS = '/api/data/alerts';
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
let sandbox: StartedSandbox;
let database: TestDatabase;
let client: pg.Client;
let hook: HookServer;
let server: ChildServer;
let folder: string;
let ada: Client;

beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 0 });
  database = await createDatabase();
  folder = makeTemporaryFolder('datadeck-alerts-');
  hook = await new HookServer().start();
  server = new ChildServer({
    ...productSettings(sandbox),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    PORT: String(await findFreePort('127.0.0.1')),
  });
  await server.start();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await addPull();
  const view = { title: 'v', description: 'd', providerId: 'github', entityLabel: 'gh-pulls' };
  const query = { jsonNataQuery: '$', templateKey: 'pulls-all' };
  const { _id: viewId } = await ada.post<{ _id: string }>('/api/data/views', { ...view, ...query });
  const kinds = ['appeared', 'changed', 'disappeared'];
  const channels = { bell: true, email: false, webhookUrl: hook.url };
  await ada.post(ALERTS, { viewId, kinds, digest: 'each', ...channels });
  await until(async () => (await ada.get<Alerts>(ALERTS)).results[0]?.comparedAt !== null);
});
afterAll(async () => {
  await client?.end();
  await server?.dispose();
  await sandbox?.close();
  await database?.drop();
  hook?.stop();
  removeDataFolder(folder);
});

async function addPull(): Promise<void> {
  sandbox.control.github.insertPull('ada-nowak/dotfiles');
  await awaitEnd(ada, (await startSync(ada, 'gh-pulls', DOTFILES))._id);
}

/** Returns the deliveries, oldest first: `webhook +1 delivered`. */
async function deliveries(): Promise<string[]> {
  const { results } = await ada.get<{ results: AlertDelivery[] }>(`${ALERTS}/deliveries`);
  return results
    .map(({ channel, status, changes }) => `${channel} +${changes.appeared} ${status}`)
    .toSorted();
}

/** Starts the server again after a kill. */
async function restart(): Promise<void> {
  await server.start();
  await until(async () => {
    const open = "select from pgboss.job where name like 'alert%' and state <= 'active'";
    return (await client.query(open)).rows.length === 0;
  }, TAKEOVER_MS);
}

async function noticeCount(): Promise<number> {
  return (await ada.get<Notifications>('/api/notifications')).results.length;
}

describe('an alert whose process is killed', () => {
  it('before its transaction ends reports the change once', async () => {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    // Blocks the deliveries, which are stored after the snapshot.
    await other.query('begin');
    await other.query('lock table alert_deliveries in share row exclusive mode');
    await addPull();
    await until(async () => {
      const waiting =
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into \"alert_deliveries\"%'";
      return (await client.query(waiting)).rows.length > 0;
    });
    await server.end('SIGKILL');
    await other.query('rollback');
    await other.end();
    await restart();

    expect(await deliveries()).toEqual(['bell +1 delivered', 'webhook +1 delivered']);
    expect(hook.hits).toHaveLength(1);
    expect(await noticeCount()).toBe(1);
  }, 180_000);

  it('during a delivery sends it again with the same id, and no other', async () => {
    hook.hits.length = 0;
    hook.status = null;
    await addPull();
    await until(() => hook.hits.length === 1);
    await server.end('SIGKILL');
    hook.status = 200;
    await restart();

    expect(await deliveries()).toEqual([
      'bell +1 delivered',
      'bell +1 delivered',
      'webhook +1 delivered',
      'webhook +1 delivered',
    ]);
    expect(hook.hits).toHaveLength(2);
    expect(new Set(hook.hits.map(({ headers }) => headers['x-datadeck-delivery'])).size).toBe(1);
    expect(await noticeCount()).toBe(2);
  }, 180_000);
});
