import type { Alerts, Notifications, Provider, Sync } from '@datadeck/contract';
import { productSettings, type StartedSandbox } from '@datadeck/test-sandbox';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer } from '../../test-support/child-server.ts';
import { readKnown, readOneAccountFacts } from '../../test-support/one-account-fixture.ts';
import { ADA, ONE_ACCOUNT, startFixtureSandbox, unpackFixture } from '../../test-support/release-fixture.ts';
import { SYNCS, until } from '../../test-support/syncing.ts';
import { removeDataFolder } from '../../test-support/temporary-folder.ts';
import { Client } from '../../test-support/test-server.ts';
import { compareSchema } from '../platform/db/migrate.ts';
import { findRunningPostgres } from '../platform/embedded-postgres/launcher.ts';
import { findFreePort } from './http/listen.ts';

const facts = readOneAccountFacts();
let sandbox: StartedSandbox;
let folder: string;
let server: ChildServer;
let database: pg.Client;
let ada: Client;

// The sandbox has the data that the earlier version saw, so a sync changes nothing.
beforeAll(async () => {
  folder = unpackFixture(ONE_ACCOUNT);
  sandbox = await startFixtureSandbox(ONE_ACCOUNT, facts.anchor);
  const PORT = String(await findFreePort('127.0.0.1'));
  const settings = { ...productSettings(sandbox), GITHUB_POINTS_PER_MINUTE: '0' };
  server = new ChildServer({ ...settings, DATA_DIR: folder, PORT });
  await server.start();
  database = new pg.Client(await findRunningPostgres(folder));
  await database.connect();
  ada = await new Client(server).signIn(ADA);
});
afterAll(async () => {
  await database?.end();
  await server?.end('SIGTERM');
  await sandbox?.close();
  if (folder) removeDataFolder(folder);
});

const scheduledSyncs = async () =>
  (await ada.get<Sync[]>(`${SYNCS}?providers=google,github`)).filter(({ isScheduled }) => isScheduled);

/** Each test continues from the state of the previous one. */
// The folder was written on Linux; other systems lack its locale.
describe.skipIf(process.platform !== 'linux')('a data folder with one account for each provider', () => {
  it('is upgraded by a start, and shows the rows, views, schedules and alerts it showed', async () => {
    expect(await compareSchema(database)).toBe('current');
    expect(await readKnown(ada, facts.shown)).toEqual(facts.shown);
  });

  it('has alerts that are not snoozed, whose webhooks have the body they had', async () => {
    const { results } = await ada.get<Alerts>('/api/data/alerts');
    const added = {
      ...{ changedAt: null, lastDelivery: null, snoozedUntil: null, webhookFormat: 'json' },
      ...{ digestHour: null, rowText: '' },
    };
    expect(results.length).toBeGreaterThan(0);
    for (const alert of results) expect(alert).toMatchObject(added);
  });

  it('still stores the account that was replaced, whose private pull requests nothing shows', async () => {
    const { rows } = await database.query(
      `select account, count(*) filter (where p.data->'base'->'repo'->>'full_name' = 'aurora-labs/vault')::int as private,
        count(*)::int as pulls
      from connections c join gh_pulls p on p.user_id = c.user_id and p.connection_id = c.id group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { account: 'ada-nowak', private: 22, pulls: 36 },
      { account: 'jonas-weber', private: 0, pulls: 14 },
    ]);
    expect(JSON.stringify(facts.shown)).not.toContain('aurora-labs/vault');
  });

  it('lists the account that was replaced as disconnected, with its name', async () => {
    const providers = await ada.get<Provider[]>('/api/integrations/providers');
    const accounts = providers.find(({ key }) => key === 'github')?.accounts ?? [];
    expect(accounts.map(({ account, status, isShown }) => [account, status, isShown])).toEqual([
      ['ada-nowak', 'disconnected', false],
      ['jonas-weber', 'connected', true],
    ]);
    const { rows } = await database.query(
      "select from connections where account = 'ada-nowak' and credentials is null",
    );
    expect(rows).toHaveLength(1);
  });

  it('runs its schedules with the stored tokens, which changes no row', async () => {
    await database.query('update schedules set next_at = now()');
    await database.query(
      "update pgboss.job set start_after = now() where name = 'schedule' and state < 'active'",
    );
    await until(async () => {
      const done = (await scheduledSyncs()).filter(({ status }) => status === 'finished');
      return new Set(done.map(({ entityLabel }) => entityLabel)).size === 2;
    });
    expect(await readKnown(ada, facts.shown)).toEqual(facts.shown);
    expect(await ada.get<Notifications>('/api/notifications')).toMatchObject({ results: [] });
  });
});
