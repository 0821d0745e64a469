import type {
  Schedule,
  ScopeChoices,
  StartedAll,
  Sync,
  SyncPlan,
  SyncScope,
  UserEntity,
  Verification,
} from '@datadeck/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { passScheduledTime } from '../../../test-support/jobs.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { allRows, awaitEnd, SYNCS, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { setPlan } from '../accounts/index.ts';

const ADA = 'ada.nowak@sandbox.example';
const PULLS = { providerId: 'github', entityLabel: 'gh-pulls' } as const;
const INTEGRATIONS = '/api/integrations';
let server: TestServer;
let ada: Client;
let userId: string;
let names: string[];
let owner: string;
let round = 0;

beforeAll(async () => {
  server = await shareServer();
});
afterAll(() => server?.remove());
beforeEach(async () => {
  server.control.reset();
  ada = await new Client(server).signIn(ADA);
  await ada.json('DELETE', '/api/accounts/delete-account');
  ada = await new Client(server).signIn(ADA);
  userId = (await ada.get<{ _id: string }>('/api/accounts'))._id;
  await ada.connect('github', 'ada-nowak');
  owner = `fleet-${++round}`;
  names = server.control.github.addRepositories({ owner, count: 6, pulls: 7, members: ['ada-nowak'] });
});

interface Stored {
  id: string;
  number: number;
  base: { repo: { full_name: string } };
}

const rows = () => allRows(ada, 'gh-pulls', 'pulls-all') as Promise<Stored[]>;
const start = (body: object) => ada.post<Sync>(SYNCS, { ...PULLS, ...body });
const run = async (scopes: readonly string[], more: object = {}) =>
  awaitEnd(ada, (await start({ scopes, ...more }))._id);
const scopesOf = async ({ _id }: Sync) =>
  (await ada.get<{ results: SyncScope[]; count: number }>(`${SYNCS}/${_id}/scopes`)).results;
const entity = async () =>
  (await ada.get<UserEntity[]>(`${INTEGRATIONS}/entities`)).find(({ id }) => id === 'gh-pulls') as UserEntity;

async function refusalOf(body: object): Promise<unknown> {
  const response = await ada.call('POST', SYNCS, { ...PULLS, ...body });
  const { error } = (await response.json()) as { error?: { fields?: object } };
  return [response.status, Object.keys(error?.fields ?? {})];
}

describe('a run over many repositories', () => {
  it('reads all of them, counts as one run, and names each in its receipt', async () => {
    const ended = await run(names);
    expect(ended).toMatchObject({
      status: 'finished',
      scopes: names,
      summary: { added: 42, entitiesSynced: 42, scopes: { count: 6, failedCount: 0, cutCount: 0 } },
    });
    expect(await rows()).toHaveLength(42);
    const scopes = await scopesOf(ended);
    expect(scopes.map(({ name, status, summary }) => [name, status, summary.added])).toEqual(
      names.map((name) => [name, 'finished', 7]),
    );
    const { usage, accounts } = await entity();
    expect(usage.used).toBe(1);
    expect(accounts[0]).toMatchObject({ source: { scopes: names, since: null }, records: 42 });
  });

  it('asks each unchanged repository once, without quota, and reads what changed', async () => {
    await run(names);
    const unchanged = await run([]);
    expect(unchanged.summary).toMatchObject({
      added: 0,
      updated: 0,
      entitiesSynced: 42,
      incremental: true,
      units: 0,
    });
    expect(unchanged.summary.requests).toBe(6);
    const [first = ''] = names;
    server.control.github.insertPull(first, { title: 'A new one' });
    const changed = await run([]);
    expect(changed.summary).toMatchObject({ added: 1, entitiesSynced: 43 });
    expect(changed.summary.requests).toBeLessThanOrEqual(6 + 2);
  });

  it('finishes with the repositories that fail, and keeps their data', async () => {
    await run(names);
    const [gone = '', hidden = ''] = names;
    server.control.github.deleteRepository(gone);
    server.control.github.setVisibility(hidden, ['jonas-weber']);
    const ended = await run([]);
    expect(ended.status).toBe('finished');
    expect(ended.summary.scopes).toMatchObject({ count: 6, failedCount: 2 });
    expect(ended.summary.scopes?.failed.map(({ name }) => name)).toEqual([gone, hidden]);
    expect(await rows()).toHaveLength(42);
    const failed = await run([gone, `${owner}/never-was`]);
    expect(failed).toMatchObject({ status: 'failed', failure: 'error' });
    expect(failed.summary.errMessage).toContain('None of the 2');
  });

  it('follows renamed and transferred repositories with their data', async () => {
    await run(names);
    const [first = '', second = ''] = names;
    server.control.github.renameRepository(first, 'renamed');
    server.control.github.transferRepository(second, 'other-owner');
    server.control.github.insertPull(`${owner}/renamed`, { title: 'After the rename' });
    const ended = await run([]);
    expect(ended.summary).toMatchObject({ added: 1, removed: 0, scopes: { failedCount: 0 } });
    const read = (await scopesOf(ended)).map(({ name }) => name);
    expect(read.slice(0, 2)).toEqual([`${owner}/renamed`, `other-owner/${second.split('/')[1]}`]);
    expect((await entity()).accounts[0]?.source?.scopes.slice(0, 2)).toEqual(read.slice(0, 2));
    expect(await rows()).toHaveLength(43);
    const again = await run([]);
    expect(again.summary).toMatchObject({ added: 0, updated: 0, removed: 0, requests: 6 });
  });

  it('resolves a pattern at the start of each run', async () => {
    const first = await run([`${owner}/*`]);
    expect(first.summary.scopes?.count).toBe(6);
    server.control.github.addRepositories({
      owner,
      count: 1,
      pulls: 2,
      members: ['ada-nowak'],
      prefix: 'later',
    });
    const second = await run([]);
    expect(second.summary).toMatchObject({ added: 2, scopes: { count: 7 } });
    const none = await run(['nobody-at-all/*']);
    expect(none).toMatchObject({ status: 'failed' });
  });

  it('reads as many as the plan allows, and names the others', async () => {
    await setPlan(server.product.context.db, userId, 'demo');
    const limits = server.product.registry.entity('github', 'gh-pulls').limits;
    expect(limits.demo.scopes).toBe(1);
    await setPlan(server.product.context.db, userId, 'standard');
    const many = Array.from({ length: 101 }, (_, index) => `${owner}/none-${index}`);
    const plan = await ada.post<SyncPlan>(`${SYNCS}/plan`, { ...PULLS, scopes: [...names, ...many] });
    expect(plan.scopes).toMatchObject({ count: 100, cutCount: 7 });
  });

  it('is undone as a whole', async () => {
    await run(names.slice(0, 2));
    const before = await rows();
    const [first = ''] = names;
    server.control.github.insertPull(first, { title: 'New' });
    const ended = await run(names);
    expect(await rows()).toHaveLength(43);
    await ada.call('DELETE', `${SYNCS}/${ended._id}`);
    expect(await rows()).toEqual(before);
    expect((await run(names)).summary).toMatchObject({ added: 29, entitiesSynced: 43 });
  });

  it('is planned and verified by repository', async () => {
    const plan = await ada.post<SyncPlan>(`${SYNCS}/plan`, { ...PULLS, scopes: names });
    expect(plan).toMatchObject({ total: 42, records: 42, scopes: { count: 6, estimated: 6 } });
    const ended = await run(names);
    const [first = ''] = names;
    server.control.github.insertPull(first, { title: 'New' });
    server.control.github.removePull(names[1] ?? '', 1);
    const verified = await ada.post<Verification>(`${SYNCS}/${ended._id}/verify`);
    expect(verified).toMatchObject({
      provider: 42,
      stored: 42,
      missing: 1,
      gone: 1,
      scopes: { compared: 6 },
    });
    expect(verified.scopes?.results.map(({ name }) => name)).toEqual([first, names[1]]);
  });

  it('keeps what it has read when it is cancelled', async () => {
    server.control.fault({
      name: 'latency',
      match: { api: 'github', path: new RegExp(`/${names[3]}/pulls`) },
      times: 9,
      options: { milliseconds: 600_000 },
    } as Parameters<typeof server.control.fault>[0]);
    const since = '2000-01-01';
    const { _id } = await start({ scopes: names, since });
    await until(async () => {
      const { results } = await ada.get<{ results: SyncScope[] }>(`${SYNCS}/${_id}/scopes`);
      return results.filter(({ status }) => status === 'finished').length === 3;
    });
    const cancelled = await ada.post<Sync>(`${SYNCS}/${_id}/cancel`);
    server.control.reset();
    const summary = { added: 21, since };
    expect(cancelled).toMatchObject({ status: 'failed', failure: 'cancelled', summary });
    const begun = (await scopesOf(cancelled)).filter(({ name }) => names.indexOf(name) < 4);
    expect(begun.map((scope) => scope.summary.since)).toEqual([since, since, since, since]);
    expect(await rows()).toHaveLength(21);
    expect((await entity()).usage.used).toBe(1);
  });

  it('is refused for names that are none, at their field', async () => {
    for (const scopes of [['octo'], ['../x'], ['a/b?c'], ['a/b\n'], ['x'.repeat(1001)], ['']])
      expect(await refusalOf({ scopes }), JSON.stringify(scopes)).toEqual([
        422,
        [expect.stringMatching(/^scopes/)],
      ]);
    expect(await refusalOf({ scopes: [] })).toEqual([422, ['scopes']]);
    const labels = {
      providerId: 'github',
      entityLabel: 'gh-pulls',
      scopes: [`${owner}/*`],
      since: 'yesterday',
    };
    expect(await refusalOf(labels)).toEqual([422, ['since']]);
  });
});

describe('the choice of repositories', () => {
  it('lists what the account can see, with patterns and stored records', async () => {
    await run(names.slice(0, 1));
    const path = `${INTEGRATIONS}/scopes/github/gh-pulls`;
    const found = await ada.get<ScopeChoices>(`${path}?search=${owner}`);
    expect(found.results.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(found.results.find(({ name }) => name === names[0])?.stored).toBe(7);
    expect(found.patterns.find(({ pattern }) => pattern === `${owner}/*`)?.count).toBe(6);
    expect((await ada.get<ScopeChoices>(`${path}?search=nothing-like-it`)).count).toBe(0);
  });

  it('is saved with a day since which a first sync reads', async () => {
    const [first = ''] = names;
    const numbers = server.control.github.pullNumbers(first);
    const old = { created_at: '2020-01-01T00:00:00Z', updated_at: '2020-01-02T00:00:00Z' };
    server.control.github.changePull(first, numbers[0] ?? 0, old);
    await ada.json('PUT', `${INTEGRATIONS}/sources/github/gh-pulls`, {
      scopes: [first],
      since: '2021-01-01',
    });
    const ended = await run([]);
    expect(ended.summary).toMatchObject({ since: '2021-01-01', scopes: { count: 1 } });
    expect((await rows()).some(({ number }) => number === numbers[0])).toBe(
      (server.control.github.pull(first, numbers[0] ?? 0)?.updated_at as string) >= '2021',
    );
  });
});

describe('all sources', () => {
  it('are started together, and each that cannot be is named', async () => {
    await ada.connect('google', ADA);
    await run(names.slice(0, 2));
    const labels = { providerId: 'google', entityLabel: 'gmail-labels', entitySettings: {} };
    await awaitEnd(ada, (await ada.post<Sync>(SYNCS, labels))._id);
    const { started, skipped } = await ada.post<StartedAll>(`${SYNCS}/all`);
    expect(started.map(({ entityLabel }) => entityLabel).toSorted()).toEqual(['gh-pulls', 'gmail-labels']);
    expect(skipped).toEqual([]);
    for (const { _id } of started) expect((await awaitEnd(ada, _id)).status).toBe('finished');
  });

  it('may be scheduled with some of their scopes', async () => {
    await run(names);
    const cron = { cron: '0 7 * * *', timeZone: 'UTC', scopes: names.slice(0, 1) };
    const saved = await ada.post<Schedule>(`${INTEGRATIONS}/schedules`, { ...PULLS, ...cron });
    expect(saved.scopes).toEqual(names.slice(0, 1));
    await passScheduledTime(server, userId, 25 * 3_600_000);
    const [latest] = await ada.get<Sync[]>(`${SYNCS}?providers=github`);
    expect(latest).toMatchObject({ isScheduled: true, scopes: names.slice(0, 1) });
    expect((await awaitEnd(ada, latest?._id ?? '')).status).toBe('finished');
    expect((await entity()).accounts[0]?.source?.scopes).toEqual(names);
  });
});
