import type {
  Notifications,
  Provider,
  RecordReading,
  RecordVersions,
  Results,
  SavedAlert,
  Schedule,
  SearchResults,
  Sync,
  SyncHistory,
  UserEntity,
  View,
} from '@datadeck/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { settleAlerts } from '../../test-support/jobs.ts';
import { shareServer } from '../../test-support/shared-server.ts';
import { allRows, awaitEnd, SYNCS, startSync } from '../../test-support/syncing.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';
import { setPlan } from '../features/accounts/index.ts';

const ADA = 'ada.nowak@sandbox.example';
const JONAS = 'jonas.weber@sandbox.example';
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const INTEGRATIONS = '/api/integrations';
type Row = Record<string, unknown> & { id: string; account: string; accounts?: string[] };
let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await shareServer();
});
afterAll(() => server?.remove());
beforeEach(async () => {
  server.control.reset();
  client = await new Client(server).signIn(ADA);
  await client.json('DELETE', '/api/accounts/delete-account');
  client = await new Client(server).signIn(ADA);
});

const providerOf = async (key: string) =>
  (await client.get<Provider[]>(`${INTEGRATIONS}/providers`)).find((one) => one.key === key) as Provider;
const namesOf = async (key: string) =>
  (await providerOf(key)).accounts.map(({ account, status, isShown }) => ({ account, status, isShown }));
const entityOf = async (id: string) =>
  (await client.get<UserEntity[]>(`${INTEGRATIONS}/entities`)).find((one) => one.id === id) as UserEntity;
const rowsOf = (entity: string, template: string) => allRows(client, entity, template) as Promise<Row[]>;
const pulls = () => rowsOf('gh-pulls', 'pulls-all');

/** Synchronises an entity of an account. */
async function sync(entity: string, account: string, settings: Record<string, string> = {}): Promise<Sync> {
  const providerId = entity.startsWith('gh-') ? 'github' : 'google';
  const body = { providerId, entityLabel: entity, account, entitySettings: settings };
  const ended = await awaitEnd(client, (await client.post<Sync>(SYNCS, body))._id);
  expect(ended).toMatchObject({ status: 'finished', account });
  return ended;
}

const disconnect = (provider: string, account: string) =>
  client.call(
    'POST',
    `${INTEGRATIONS}/providers/disconnect?provider=${provider}&account=${encodeURIComponent(account)}`,
  );

async function codeOf(response: Response): Promise<unknown> {
  return ((await response.json()) as { error: { code: string } }).error.code;
}

describe('a further account', () => {
  it('is added beside the first one, and found again when it is connected already', async () => {
    await client.connect('github', 'ada-nowak');
    const added = await client.returnFromConsent('github', 'jonas-weber', { add: '1' });
    expect(Object.fromEntries(added)).toEqual({ provider: 'github', account: 'jonas-weber' });
    const again = await client.returnFromConsent('github', 'ada-nowak', { add: '1' });
    expect(Object.fromEntries(again)).toEqual({ provider: 'github', account: 'ada-nowak', known: '1' });
    const github = await providerOf('github');
    expect(github.accounts.map(({ account }) => account)).toEqual(['ada-nowak', 'jonas-weber']);
    expect(github.connection?.account).toBe('ada-nowak');
    expect(github.isBlocked).toBe(true);
  });

  it('gets a name, which the search knows, too', async () => {
    await client.connect('github', 'ada-nowak');
    await client.connect('github', 'jonas-weber');
    await client.json('PUT', `${INTEGRATIONS}/accounts/github`, { account: 'jonas-weber', title: ' Work ' });
    expect((await providerOf('github')).accounts.map(({ title }) => title)).toEqual(['', 'Work']);
    await sync('gh-pulls', 'ada-nowak', { owner: 'aurora-labs', repo: 'harbor' });
    await sync('gh-pulls', 'jonas-weber', DOTFILES);
    for (const name of ['work', 'JONAS-weber', '"Work"']) {
      const found = await client.get<SearchResults>(
        `/api/data/search?q=${encodeURIComponent(`account:${name}`)}`,
      );
      expect(found.count).toBeGreaterThan(0);
      expect(new Set(found.results.map(({ account }) => account))).toEqual(new Set(['jonas-weber']));
    }
    const none = await client.get<SearchResults>('/api/data/search?q=account:nobody');
    expect(none.count).toBe(0);
    const unknown = await client.call('PUT', `${INTEGRATIONS}/accounts/github`, { account: 'x', title: '' });
    expect([unknown.status, await unknown.json()]).toMatchObject([422, { error: { fields: {} } }]);
  });

  it('has syncs of its own: 409, undo and the previous sync are of one account', async () => {
    await client.connect('github', 'ada-nowak');
    await client.connect('github', 'jonas-weber');
    const first = await sync('gh-pulls', 'ada-nowak', DOTFILES);
    server.control.fault({
      name: 'latency',
      match: { api: 'github' },
      times: 9,
      options: { milliseconds: 600_000 },
    });
    const body = { providerId: 'github', entityLabel: 'gh-pulls', entitySettings: DOTFILES };
    const running = await client.post<Sync>(SYNCS, { ...body, account: 'jonas-weber' });
    const again = await client.call('POST', SYNCS, { ...body, account: 'jonas-weber' });
    expect([again.status, await codeOf(again)]).toEqual([409, 'sync-running']);
    const other = await client.post<Sync>(SYNCS, { ...body, account: 'ada-nowak', prevSyncId: first._id });
    server.control.reset();
    await client.post(`${SYNCS}/${running._id}/cancel`);
    await awaitEnd(client, other._id);
    const history = await client.get<SyncHistory>(`${SYNCS}/history?account=ada-nowak`);
    expect(history.results.map(({ _id }) => _id)).toEqual([other._id, first._id]);
    expect(history.results.map(({ isLast }) => isLast)).toEqual([true, false]);
    expect((await entityOf('gh-pulls')).usage.used).toBe(2);
  });

  it('is the default of a sync without an account once it has the latest one', async () => {
    await client.connect('github', 'ada-nowak');
    await client.connect('github', 'jonas-weber');
    expect((await startAndEnd()).account).toBe('ada-nowak');
    await sync('gh-pulls', 'jonas-weber', DOTFILES);
    expect((await startAndEnd()).account).toBe('jonas-weber');
    const { accounts, lastSettings } = await entityOf('gh-pulls');
    expect(accounts).toMatchObject([
      { account: 'ada-nowak', isDefault: false, lastSettings: DOTFILES },
      { account: 'jonas-weber', isDefault: true, lastSettings: DOTFILES },
    ]);
    expect(lastSettings).toEqual(DOTFILES);
  });

  async function startAndEnd(): Promise<Sync> {
    return awaitEnd(client, (await startSync(client, 'gh-pulls', DOTFILES))._id);
  }

  it('is refused by name when the provider does not have it', async () => {
    await client.connect('github', 'ada-nowak');
    const start = {
      providerId: 'github',
      entityLabel: 'gh-pulls',
      entitySettings: DOTFILES,
      account: 'nobody',
    };
    for (const [method, path, body] of [
      ['POST', SYNCS, start],
      ['GET', `${INTEGRATIONS}/entities/aggregation/gh-pulls/pulls-all?account=nobody`],
      ['GET', '/api/data/records/github/gh-pulls/export?account=nobody'],
      ['POST', `${INTEGRATIONS}/providers/disconnect?provider=github&account=nobody`],
      ['POST', `${INTEGRATIONS}/entities/delete-all-data?provider=github&account=nobody`],
    ] as const) {
      const refused = await client.call(method, path, body);
      const { error } = (await refused.json()) as { error: { code: string; fields: object } };
      expect([refused.status, error.code, Object.keys(error.fields)]).toEqual([
        422,
        'validation-failed',
        ['account'],
      ]);
    }
  });
});

describe('a record that several accounts have', () => {
  beforeEach(async () => {
    await client.connect('github', 'ada-nowak');
    await client.connect('github', 'jonas-weber');
    await sync('gh-pulls', 'ada-nowak', DOTFILES);
  });

  it('is shown and counted once: the newest copy with all its accounts', async () => {
    const before = await pulls();
    expect(new Set(before.map(({ account }) => account))).toEqual(new Set(['ada-nowak']));
    server.control.github.changePull('ada-nowak/dotfiles', Number(before[0]?.number), {
      title: 'Zebra crossing',
    });
    await sync('gh-pulls', 'jonas-weber', DOTFILES);
    const after = await pulls();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    for (const { accounts } of after) expect(accounts).toEqual(['ada-nowak', 'jonas-weber']);
    expect(after[0]).toMatchObject({ account: 'jonas-weber', title: 'Zebra crossing' });
    const query = { entryCollection: 'gh-pulls', templateKey: 'pulls-all', jsonNataQuery: '$count($)' };
    const counted = await client.post<{ results: number[] }>('/api/data/query', query);
    expect(counted.results).toEqual([before.length]);
    const exported = await client.call('GET', '/api/data/records/github/gh-pulls/export');
    expect((await exported.text()).trim().split('\n')).toHaveLength(before.length);
    const states = await rowsOf('gh-pulls', 'pulls-by-state');
    expect(states.reduce((sum, row) => sum + Number(row.pulls), 0)).toBe(before.length);

    const found = await client.get<SearchResults>('/api/data/search?q=zebra&facets=true');
    expect(found).toMatchObject({
      count: 1,
      results: [{ account: 'jonas-weber', accounts: ['ada-nowak', 'jonas-weber'] }],
    });
    const all = await client.get<SearchResults>('/api/data/search?providerId=github&facets=true');
    expect([all.count, all.facets?.count]).toEqual([before.length, before.length]);
    const ofAda = await client.get<SearchResults>('/api/data/search?q=account:ada-nowak');
    expect(ofAda.count).toBe(before.length);
    expect(new Set(ofAda.results.map(({ account }) => account))).toEqual(new Set(['ada-nowak']));

    const record = `/api/data/records/github/gh-pulls?record=${after[0]?.id}`;
    const reading = await client.get<RecordReading>(record);
    expect(reading).toMatchObject({ account: 'jonas-weber', accounts: ['ada-nowak', 'jonas-weber'] });
    expect((await client.get<RecordReading>(`${record}&account=ada-nowak`)).title).toBe(before[0]?.title);
    const versions = `${INTEGRATIONS}/entities/versions/github/gh-pulls?record=${after[0]?.id}`;
    expect((await client.get<RecordVersions>(versions)).title).toBe('Zebra crossing');
    expect((await client.get<RecordVersions>(`${versions}&account=ada-nowak`)).title).toBe(before[0]?.title);
  });

  it('stays shown when one copy is undone, deleted or disconnected', async () => {
    const before = await pulls();
    const ids = before.map(({ id }) => id);
    const run = await sync('gh-pulls', 'jonas-weber', DOTFILES);
    await client.call('DELETE', `${SYNCS}/${run._id}`);
    expect(await pulls()).toEqual(before);
    await sync('gh-pulls', 'jonas-weber', DOTFILES);
    await client.post(`${INTEGRATIONS}/entities/delete-all-data?provider=github&account=ada-nowak`);
    expect((await pulls()).map(({ id, account }) => [id, account])).toEqual(
      ids.map((id) => [id, 'jonas-weber']),
    );
    await sync('gh-pulls', 'ada-nowak', DOTFILES);
    expect((await disconnect('github', 'jonas-weber')).status).toBe(200);
    expect((await pulls()).map(({ id, accounts }) => [id, accounts])).toEqual(
      ids.map((id) => [id, ['ada-nowak']]),
    );
  });

  it('leaves an alert quiet when one copy comes and goes', async () => {
    const view = await client.post<View>('/api/data/views', {
      title: 'All',
      description: 'All pull requests',
      jsonNataQuery: '$.{"id": id, "title": title}',
      providerId: 'github',
      entityLabel: 'gh-pulls',
      templateKey: 'pulls-all',
    });
    const kinds = ['appeared', 'disappeared', 'changed'];
    const alert = { viewId: view._id, kinds, digest: 'each', bell: true, email: false };
    await client.post<SavedAlert>('/api/data/alerts', alert);
    await settleAlerts(server);
    await sync('gh-pulls', 'jonas-weber', DOTFILES);
    await settleAlerts(server);
    await disconnect('github', 'jonas-weber');
    await settleAlerts(server);
    expect((await client.get<Notifications>('/api/notifications')).results).toEqual([]);
  });
});

describe('mailboxes of two accounts', () => {
  beforeEach(async () => {
    // The cap of the plan standard keeps own labels alone.
    const { _id } = await client.get<{ _id: string }>('/api/accounts');
    await setPlan(server.product.context.db, _id, 'pro');
    await client.connect('google', ADA);
    await client.connect('google', JONAS);
    for (const account of [ADA, JONAS]) await sync('gmail-labels', account);
  });

  it('are listed together with the account of each row', async () => {
    const labels = await rowsOf('gmail-labels', 'labels-all');
    const inboxes = labels.filter(({ id }) => id === 'INBOX').map(({ account }) => account);
    expect(inboxes.toSorted()).toEqual([ADA, JONAS]);
    const only = await client.get<Results>(
      `${INTEGRATIONS}/entities/aggregation/gmail-labels/labels-all?account=${encodeURIComponent(JONAS)}`,
    );
    expect(only.count).toBe(labels.filter(({ account }) => account === JONAS).length);
    const counts = await rowsOf('gmail-labels', 'labels-message-counts');
    expect(counts.map(({ id, account }) => `${account} ${id}`).toSorted()).toEqual(
      labels.map(({ id, account }) => `${account} ${id}`).toSorted(),
    );
  });

  it('keep the sign-in account connected, and only that one', async () => {
    const signedIn = await disconnect('google', ADA);
    expect([signedIn.status, await codeOf(signedIn)]).toEqual([403, 'sign-in-provider']);
    const { accounts } = await providerOf('google');
    expect(accounts.map(({ account, signsIn }) => [account, signsIn])).toEqual([
      [ADA, true],
      [JONAS, false],
    ]);
    expect((await disconnect('google', JONAS)).status).toBe(200);
    expect(await namesOf('google')).toEqual([
      { account: ADA, status: 'connected', isShown: true },
      { account: JONAS, status: 'disconnected', isShown: false },
    ]);
    const labels = await rowsOf('gmail-labels', 'labels-all');
    expect(new Set(labels.map(({ account }) => account))).toEqual(new Set([ADA]));
    const hidden = await client.call(
      'GET',
      `${INTEGRATIONS}/entities/aggregation/gmail-labels/labels-all?account=${encodeURIComponent(JONAS)}`,
    );
    expect(hidden.status).toBe(422);
    await client.connect('google', JONAS);
    expect((await rowsOf('gmail-labels', 'labels-all')).some(({ account }) => account === JONAS)).toBe(true);
  });

  it('are gone from the list when the data of a disconnected one is deleted', async () => {
    await disconnect('google', JONAS);
    await client.post(
      `${INTEGRATIONS}/entities/delete-all-data?provider=google&account=${encodeURIComponent(JONAS)}`,
    );
    expect(await namesOf('google')).toEqual([{ account: ADA, status: 'connected', isShown: true }]);
    await client.connect('google', JONAS);
    expect((await rowsOf('gmail-labels', 'labels-all')).every(({ account }) => account === ADA)).toBe(true);
  });
});

describe('all accounts of a provider', () => {
  it('stay shown when they are disconnected together, until another one is connected', async () => {
    await client.connect('github', 'ada-nowak');
    await client.connect('github', 'jonas-weber');
    await sync('gh-pulls', 'ada-nowak', DOTFILES);
    await client.json('PUT', `${INTEGRATIONS}/schedules/github/gh-pulls`, {
      every: 'daily',
      entitySettings: DOTFILES,
    });
    expect(await client.get<Schedule[]>(`${INTEGRATIONS}/schedules`)).toMatchObject([
      { account: 'ada-nowak' },
    ]);
    const rows = await pulls();
    await client.post(`${INTEGRATIONS}/providers/disconnect?provider=github`);
    expect((await namesOf('github')).map(({ status, isShown }) => [status, isShown])).toEqual([
      ['disconnected', true],
      ['disconnected', true],
    ]);
    expect(await pulls()).toEqual(rows);
    expect(await client.get<Schedule[]>(`${INTEGRATIONS}/schedules`)).toEqual([]);
    await client.connect('github', 'mei-tanaka');
    expect(await pulls()).toEqual([]);
    expect((await namesOf('github')).map(({ isShown }) => isShown)).toEqual([false, false, true]);
  });
});
