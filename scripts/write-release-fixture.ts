/**
 * `npx node scripts/write-release-fixture.ts [--one-account] [checkout]`: writes the data folder of a release, for the tests
 * of upgrades (`packages/server/test-support/release`). Starts the release's server (this tree by default, which must be
 * installed), fills an empty data folder by its API, and kills everything in the middle of a sync. With `--one-account`, the
 * data of one person who has changed the account of a provider (`test-support/one-account`). Needs GNU tar and Dovecot.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { constants, zstdCompressSync } from 'node:zlib';
import pg from 'pg';
import { Dovecot, MailboxControl } from '../packages/connectors/test-support/imap/index.ts';
import { ALERT_KINDS, type Alerts, type AllViews } from '../packages/contract/src/index.ts';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '../packages/server/src/platform/embedded-postgres/launcher.ts';
import { ChildServer } from '../packages/server/test-support/child-server.ts';
import { type OneAccountFacts, readShown } from '../packages/server/test-support/one-account-fixture.ts';
import {
  ADA,
  changeBeforeLastSyncs,
  DOTFILES,
  INTERRUPTED,
  JONAS,
  ONE_ACCOUNT,
  RELEASE,
  type ReleaseFacts,
  STARRED,
  startFixtureSandbox,
} from '../packages/server/test-support/release-fixture.ts';
import { readSync, runSync, SYNCS, startSync, until } from '../packages/server/test-support/syncing.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { productSettings, type StartedSandbox } from '../packages/test-sandbox/src/index.ts';

const DAY_MS = 86_400_000;
const STORE_ATTEMPTS = 10;
const PULLS = { providerId: 'github', entityLabel: 'gh-pulls' };
const { values: options, positionals } = parseArgs({
  options: { 'one-account': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const checkout = resolve(positionals[0] ?? '.');
const fixture = options['one-account'] ? ONE_ACCOUNT : RELEASE;
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
const anchor = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const dataDir = makeTemporaryFolder('datadeck-fixture-');

async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client(await findRunningPostgres(dataDir));
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Finishes syncs of all entities, each with a later incremental run. @returns the messages before the last run */
async function fillRecords(ada: Client, sandbox: StartedSandbox): Promise<ReleaseFacts['messagesBefore']> {
  await ada.connect('google', ADA);
  await ada.connect('github', 'ada-nowak');
  const syncAll = async () => {
    await runSync(ada, 'gmail-messages', STARRED);
    await runSync(ada, 'gh-pulls', DOTFILES);
  };
  await runSync(ada, 'gmail-labels');
  await syncAll();
  const before = await query<{ id: string; digest: string }>(
    'select id, md5(data::text) as digest from gmail_messages',
  );
  changeBeforeLastSyncs(sandbox.control);
  await syncAll();
  return Object.fromEntries(before.map(({ id, digest }) => [id, digest]));
}

async function fillMailbox(ada: Client): Promise<void> {
  const [user, password] = ['ada', 'open sesame'];
  const dovecot = await Dovecot.start({ [user]: password });
  const mailbox = new MailboxControl(dovecot, user, password);
  for (const subject of ['one', 'two'])
    await mailbox.append(
      'INBOX',
      `From: Bo <bo@example.org>\r\nSubject: ${subject}\r\n\r\nAbout ${subject}.`,
    );
  const values = { host: '127.0.0.1', port: String(dovecot.ports.plain), security: 'none', user, password };
  await ada.post('/api/integrations/connections/imap', { values });
  const request = { providerId: 'imap', entityLabel: 'imap-messages', entitySettings: { mailbox: 'inbox' } };
  const { _id } = await ada.post<{ _id: string }>(SYNCS, request);
  await until(async () => {
    const [row] = await query<{ status: string }>(`select status from syncs where id = '${_id}'`);
    return row?.status === 'finished';
  });
  mailbox.close();
  await dovecot.stop();
}

/** Stores something that a busy machine refuses at times, because its evaluation takes too long. */
async function store(client: Client, path: string, body: object): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const response = await client.call('POST', path, body);
    if (response.ok) return ((await response.json()) as { _id: string })._id;
    if (attempt === STORE_ATTEMPTS) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await sleep(2000);
  }
}

async function fillViews(client: Client): Promise<void> {
  await store(client, '/api/data/jnata-queries', { title: 'Titles', jsonNataQuery: '$.title' });
  await store(client, '/api/data/jnata-queries', { title: 'Count', jsonNataQuery: '$count($)' });
  const category = await store(client, '/api/data/views/category', { title: 'Reports' });
  const basedOn = await store(client, '/api/data/views', {
    ...PULLS,
    title: 'Numbers',
    description: 'Number and title of each pull request',
    jsonNataQuery: '$.{"number": number, "title": title}',
    templateKey: 'pulls-all',
    category,
  });
  await store(client, '/api/data/views', {
    ...PULLS,
    title: 'Newer ones',
    description: 'Those from a number on',
    jsonNataQuery: '$[number >= $from]',
    basedOn,
    parameters: [{ name: 'from', type: 'number', default: 2 }],
  });
}

/** Lets a scheduled run fail, which notifies the user and leaves a message to the webhook waiting. */
async function failScheduledRun(jonas: Client): Promise<void> {
  const schedule = `/api/integrations/schedules/${PULLS.providerId}/${PULLS.entityLabel}`;
  const entitySettings = { owner: 'jonas-weber', repo: 'nowhere' };
  await jonas.json('PUT', '/api/notifications/webhook', { url: 'http://127.0.0.1:9/hook' });
  await jonas.json('PUT', schedule, { every: 'hourly', entitySettings });
  await query(`update schedules set next_at = now() where entity = '${PULLS.entityLabel}'`);
  await query("update pgboss.job set start_after = now() where name = 'schedule' and state < 'active'");
  await until(async () => (await query('select from notifications')).length > 0);
  await until(async () => (await query("select from pgboss.job where name = 'webhook'")).length > 0);
  await jonas.json('PUT', schedule, { every: 'off' });
}

/** Starts a sync whose second page does not arrive, and waits for the first one. */
async function beginSync(jonas: Client, sandbox: StartedSandbox): Promise<void> {
  const match = { api: 'github', path: /[?&]page=2(&|$)/ } as const;
  sandbox.control.fault({ name: 'latency', match, times: 100, options: { milliseconds: 600_000 } });
  const { _id } = await startSync(jonas, PULLS.entityLabel, INTERRUPTED);
  await until(async () => ((await readSync(jonas, _id)).progress?.records ?? 0) > 0);
}

/** Returns the time of the newest migration, ms since 1970. */
async function readMigrated(): Promise<number> {
  const [newest] = await query<{ migrated: number }>(
    'select max(created_at)::float8 as migrated from datadeck_migrations',
  );
  return newest?.migrated ?? 0;
}

/** Fills the data folder of the release. @returns the facts of the fixture */
async function fillRelease(server: ChildServer, sandbox: StartedSandbox): Promise<ReleaseFacts> {
  const ada = await new Client(server).signIn(ADA);
  const messagesBefore = await fillRecords(ada, sandbox);
  await fillMailbox(ada);
  await fillViews(ada);
  await ada.json('PUT', '/api/integrations/schedules/google/gmail-labels', { every: 'daily' });
  await new Client(server).demo();
  const jonas = await new Client(server).signIn(JONAS);
  await jonas.connect('google', JONAS);
  await jonas.connect('github', 'jonas-weber');
  await runSync(jonas, 'gmail-labels');
  await failScheduledRun(jonas);
  await beginSync(jonas, sandbox);
  return { version, migrated: await readMigrated(), anchor, messagesBefore };
}

/** Connects GitHub as one account and then as another, which hides the first one's pull requests, private ones too. */
async function fillHiddenAccount(ada: Client): Promise<void> {
  await ada.connect('github', 'ada-nowak', 'private');
  await runSync(ada, 'gh-pulls', DOTFILES);
  await runSync(ada, 'gh-pulls', { owner: 'aurora-labs', repo: 'vault' });
  await ada.connect('github', 'jonas-weber');
  await runSync(ada, 'gh-pulls', DOTFILES);
}

/** Watches all views, and waits for the first comparisons. */
async function fillAlerts(ada: Client): Promise<void> {
  const { results } = await ada.get<AllViews>('/api/data/views/all');
  for (const { _id: viewId } of results)
    await ada.post('/api/data/alerts', {
      viewId,
      kinds: [...ALERT_KINDS],
      digest: 'daily',
      bell: true,
      email: false,
    });
  await until(async () => {
    const alerts = await ada.get<Alerts>('/api/data/alerts');
    return alerts.results.every(({ comparedAt }) => comparedAt !== null);
  });
}

/** Fills the data folder of a person with one account for each provider. @returns the facts of the fixture */
async function fillOneAccount(server: ChildServer): Promise<OneAccountFacts> {
  const ada = await new Client(server).signIn(ADA);
  await ada.connect('google', ADA);
  await runSync(ada, 'gmail-labels');
  await runSync(ada, 'gmail-messages', STARRED);
  await fillHiddenAccount(ada);
  await fillMailbox(ada);
  await fillViews(ada);
  await store(ada, '/api/data/views', {
    providerId: 'google',
    entityLabel: 'gmail-messages',
    title: 'Starred subjects',
    description: 'Subject of each starred message',
    jsonNataQuery: '$.subject',
    templateKey: 'messages-all',
  });
  await fillAlerts(ada);
  const schedules = '/api/integrations/schedules';
  await ada.json('PUT', `${schedules}/github/gh-pulls`, { every: 'hourly', entitySettings: DOTFILES });
  await ada.json('PUT', `${schedules}/google/gmail-messages`, { every: 'daily', entitySettings: STARRED });
  return { version, migrated: await readMigrated(), anchor, shown: await readShown(ada) };
}

/** Runs the version until its data folder is filled, and kills it. @returns the facts of the fixture */
async function runVersion(): Promise<ReleaseFacts | OneAccountFacts> {
  const sandbox = await startFixtureSandbox(fixture, anchor);
  const PORT = String(await findFreePort('127.0.0.1'));
  const environment = { ...productSettings(sandbox), GITHUB_POINTS_PER_MINUTE: '0', DATA_DIR: dataDir, PORT };
  const server = new ChildServer(environment, false, join(checkout, 'packages/server/src/start.ts'));
  try {
    await server.start();
    return await (fixture === RELEASE ? fillRelease(server, sandbox) : fillOneAccount(server));
  } finally {
    server.killDatabase();
    await server.end('SIGKILL');
    sandbox.control.clearFaults();
    await sandbox.close();
  }
}

/** Recovers the killed database and makes its files small: without dead rows and with one empty segment of the log. */
async function compact(): Promise<void> {
  const embedded = await startEmbeddedPostgres(dataDir);
  const client = new pg.Client(embedded.connection);
  await client.connect();
  await client.query('vacuum full');
  await client.query('alter system set wal_recycle = off');
  await client.query('select pg_reload_conf()');
  for (let round = 0; round < 3; round++) {
    await client.query('select pg_switch_wal()');
    await client.query('checkpoint');
  }
  await client.query('alter system reset wal_recycle');
  await client.end();
  await embedded.stop();
}

/** Packs the data folder without the programs, the socket and the log of the database. */
function pack(): void {
  const left = ['./postgres/postgresql-*', './postgres/run', './postgres/log'];
  const options = ['--sort=name', '--owner=0', '--group=0', ...left.map((path) => `--exclude=${path}`)];
  const archive = execFileSync('tar', ['-c', ...options, '-C', dataDir, '.'], { maxBuffer: 2 ** 30 });
  const params = {
    [constants.ZSTD_c_compressionLevel]: 19,
    // A window over all databases of the cluster, which are nearly the same.
    [constants.ZSTD_c_windowLog]: 27,
    [constants.ZSTD_c_checksumFlag]: 1,
  };
  writeFileSync(fixture.archive, zstdCompressSync(archive, { params, pledgedSrcSize: archive.length }));
  console.log(`${archive.length} bytes in ${statSync(fixture.archive).size}`);
}

const facts = await runVersion();
await compact();
pack();
writeFileSync(fixture.facts, `${JSON.stringify(facts, null, 2)}\n`);
removeDataFolder(dataDir);
