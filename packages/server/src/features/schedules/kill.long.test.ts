import type { Schedule, Sync } from '@datadeck/contract';
import { productSettings, type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer } from '../../../test-support/child-server.ts';
import { awaitEnd, SYNCS, until } from '../../../test-support/syncing.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import { createDatabase, type TestDatabase } from '../../../test-support/test-database.ts';
import { Client } from '../../../test-support/test-server.ts';
import { findFreePort } from '../../app/http/listen.ts';

/** Timeout for another worker to take over, on a busy machine. */
const TAKEOVER_MS = 100_000;
const SCHEDULES = '/api/integrations/schedules';
let sandbox: StartedSandbox;
let database: TestDatabase;
let client: pg.Client;
const servers: ChildServer[] = [];
const folders: string[] = [];

// Two servers on one database. The second starts when a test needs it.
beforeAll(async () => {
  sandbox = await startSandbox({ quotaScale: 0 });
  database = await createDatabase();
  for (const name of ['first', 'second']) {
    const DATA_DIR = makeTemporaryFolder(`datadeck-${name}-`);
    folders.push(DATA_DIR);
    servers.push(
      new ChildServer({
        ...productSettings(sandbox),
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
        DATABASE_URL: database.url,
        DATA_DIR,
        PORT: String(await findFreePort('127.0.0.1')),
      }),
    );
  }
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await Promise.all(servers.map((server) => server.dispose()));
  await sandbox?.close();
  await database?.drop();
  for (const folder of folders) removeDataFolder(folder);
});

const jobState = async () =>
  (await client.query("select state from pgboss.job where name = 'schedule' and state <= 'active'")).rows;

describe('a schedule', () => {
  it('is started once by another worker when its own one is killed at the start', async () => {
    const [first, second] = servers as [ChildServer, ChildServer];
    await first.start();
    const ada = await new Client(first).signIn('ada.nowak@sandbox.example');
    await ada.connect('github', 'ada-nowak');
    const entitySettings = { owner: 'ada-nowak', repo: 'dotfiles' };
    await ada.json('PUT', `${SCHEDULES}/github/gh-pulls`, { every: 'hourly', entitySettings });

    // Locks the account's row, so that the kill hits the worker in the middle of its transaction.
    await client.query('begin');
    await client.query('select from users for update');
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query("update schedules set next_at = next_at - interval '1 hour'");
    await other.query(
      "update pgboss.job set start_after = start_after - interval '1 hour' where name = 'schedule'",
    );
    await until(async () => {
      const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%users%'";
      return (await other.query(waiting)).rows.length > 0;
    });

    await first.end('SIGKILL');
    await client.query('rollback');
    await other.end();
    await second.start();

    const again = new Client(second);
    again.token = ada.token;
    const syncs = () => again.get<Sync[]>(`${SYNCS}?providers=github`);
    await until(async () => (await syncs()).length > 0, TAKEOVER_MS);
    const [started, ...others] = await syncs();
    expect(others).toEqual([]);
    expect(await awaitEnd(again, started?._id ?? '')).toMatchObject({
      status: 'finished',
      isScheduled: true,
    });

    const [schedule] = await again.get<Schedule[]>(SCHEDULES);
    expect(Date.parse(schedule?.nextAt ?? '')).toBeGreaterThan(Date.now());
    expect(await jobState()).toEqual([{ state: 'created' }]);
  }, 180_000);

  it('gets a job at startup if it has none, as after an upgrade', async () => {
    const [, second] = servers as [ChildServer, ChildServer];
    await second.end('SIGTERM');
    await client.query("delete from pgboss.job where name = 'schedule'");
    await second.start();
    expect(await jobState()).toEqual([{ state: 'created' }]);
    const { rows } = await client.query(
      "select from schedules, pgboss.job where name = 'schedule' and start_after = next_at",
    );
    expect(rows).toHaveLength(1);
  });
});
