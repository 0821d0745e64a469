import { readFileSync } from 'node:fs';
import type { Notifications, SavedQuery, SignInMethod, Sync, View, ViewResults } from '@datadeck/contract';
import { productSettings, type StartedSandbox } from '@datadeck/test-sandbox';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer } from '../../test-support/child-server.ts';
import {
  ADA,
  changeBeforeLastSyncs,
  DOTFILES,
  INTERRUPTED,
  JONAS,
  RELEASE,
  readFacts,
  STARRED,
  startFixtureSandbox,
  unpackFixture,
} from '../../test-support/release-fixture.ts';
import { allRows, awaitEnd, runSync, SYNCS, until } from '../../test-support/syncing.ts';
import { removeDataFolder } from '../../test-support/temporary-folder.ts';
import { Client } from '../../test-support/test-server.ts';
import { compareSchema } from '../platform/db/migrate.ts';
import { findRunningPostgres } from '../platform/embedded-postgres/launcher.ts';
import { findFreePort } from './http/listen.ts';

const facts = readFacts();
const dotfiles = `${DOTFILES.owner}/${DOTFILES.repo}`;
const inStarred = () => sandbox.control.gmail.messageIds(ADA, 'STARRED').toSorted();
let sandbox: StartedSandbox;
let folder: string;
let server: ChildServer;
let database: pg.Client;
let ada: Client;
let jonas: Client;

// The sandbox has the dates and changes that the release saw, as if it had run all the time.
beforeAll(async () => {
  folder = unpackFixture(RELEASE);
  sandbox = await startFixtureSandbox(RELEASE, facts.anchor);
  changeBeforeLastSyncs(sandbox.control);
  const PORT = String(await findFreePort('127.0.0.1'));
  const settings = { ...productSettings(sandbox), GITHUB_POINTS_PER_MINUTE: '0' };
  server = new ChildServer({ ...settings, DATA_DIR: folder, PORT });
  await server.start();
  database = new pg.Client(await findRunningPostgres(folder));
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await server?.end('SIGTERM');
  await sandbox?.close();
  if (folder) removeDataFolder(folder);
});

/** Returns digests of Ada's messages in the form of the release, in which the date is the arrival. */
async function messages(): Promise<Record<string, string>> {
  const { rows } = await database.query<{ id: string; digest: string }>(
    `select m.id, md5(regexp_replace(m.data::text, '"date":"[^"]*","receivedAt":', '"date":')) as digest from gmail_messages m join users u on u.id = m.user_id
    where u.email = $1`,
    [ADA],
  );
  return Object.fromEntries(rows.map(({ id, digest }) => [id, digest]));
}

const syncsOf = (client: Client, provider: string) => client.get<Sync[]>(`${SYNCS}?providers=${provider}`);

/** Each test continues from the state of the previous one. */
// The folder was written on Linux; other systems lack its locale.
describe.skipIf(process.platform !== 'linux')('the data folder of the previous release', () => {
  it('is that of the version in package.json: scripts/write-release-fixture.ts writes it', () => {
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    expect(facts.version).toBe((JSON.parse(manifest) as { version: string }).version);
  });

  it('is upgraded by a start, and a sign-in finds the same account', async () => {
    expect(await compareSchema(database)).toBe('current');
    const { rows } = await database.query(
      'select name, provider, i.email from users u join identities i on i.user_id = u.id order by 1',
    );
    expect(rows).toEqual([
      { name: 'Ada Nowak', provider: 'google', email: ADA },
      { name: 'Jonas Weber', provider: 'google', email: JONAS },
    ]);
    ada = await new Client(server).signIn(ADA);
    jonas = await new Client(server).signIn(JONAS);
    const accounts = await database.query("select from users where plan <> 'demo'");
    expect(accounts.rowCount).toBe(rows.length);
    expect(await ada.get<SignInMethod[]>('/api/accounts/sign-in-methods')).toMatchObject([
      { provider: 'google', email: ADA },
    ]);
  });

  it('still has queries, views on views, downloads and notifications', async () => {
    const queries = await ada.get<SavedQuery[]>('/api/data/jnata-queries');
    expect(queries.map(({ title }) => title)).toEqual(['Titles', 'Count']);
    const views = await ada.get<View[]>('/api/data/views?providerId=github&entityLabel=gh-pulls');
    const upper = views.find(({ title }) => title === 'Newer ones');
    const parameters = encodeURIComponent('{"from":3}');
    const path = `${upper?._id}?parameters=${parameters}`;
    const page = await ada.get<ViewResults>(`/api/data/views/aggregate/${path}`);
    const rows = (await allRows(ada, 'gh-pulls', 'pulls-all')) as { number: number; title: string }[];
    const expected = rows
      .filter((row) => row.number >= 3)
      .map((row) => ({ number: row.number, title: row.title }));
    expect(page.count).toBe(expected.length);
    const download = await ada.call('GET', `/api/data/views/download/${path}`);
    expect(await download.json()).toEqual(expected);
    const { results } = await jonas.get<Notifications>('/api/notifications');
    expect(results).toMatchObject([{ entityLabel: 'gh-pulls' }]);
  });

  it('finishes the sync that was killed in its middle, with all records once', async () => {
    const [sync] = await syncsOf(jonas, 'github');
    expect(sync?.entitySettings).toMatchObject(INTERRUPTED);
    expect(await awaitEnd(jonas, sync?._id ?? '')).toMatchObject({ status: 'finished' });
    const rows = (await allRows(jonas, 'gh-pulls', 'pulls-all')) as { number: number }[];
    const numbers = sandbox.control.github.pullNumbers(`${INTERRUPTED.owner}/${INTERRUPTED.repo}`);
    expect(rows.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(numbers);
  });

  it('undoes the last sync and syncs again with the stored tokens', async () => {
    const [last] = (await syncsOf(ada, 'google')).filter(
      ({ entityLabel }) => entityLabel === 'gmail-messages',
    );
    expect(Object.keys(await messages()).toSorted()).toEqual(inStarred());
    await ada.json('DELETE', `${SYNCS}/${last?._id}`);
    expect(await messages()).toEqual(facts.messagesBefore);
    sandbox.control.google.expireAccessTokens();
    expect(await runSync(ada, 'gmail-messages', STARRED)).toMatchObject({ status: 'finished' });
    expect(Object.keys(await messages()).toSorted()).toEqual(inStarred());
    sandbox.control.github.insertPull(dotfiles);
    const { summary } = await runSync(ada, 'gh-pulls', DOTFILES);
    expect(summary).toMatchObject({ incremental: true, added: 1 });
  });

  it('has a job for its schedule, at the next time', async () => {
    await until(async () => {
      const { rows } = await database.query(
        `select from schedules s join pgboss.job j on j.name = 'schedule' and j.state < 'active' and start_after = next_at
        where s.entity = 'gmail-labels' and next_at > now()`,
      );
      return rows.length === 1;
    });
  });
});
