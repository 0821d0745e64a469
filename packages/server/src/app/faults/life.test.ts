import type { Sync, UserEntity } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Collection, FaultStage } from '../../testing/fault-stage.ts';
import { awaitEnd, readSync, SYNCS, startSync, until } from '../../testing/syncing.ts';

const FOR_LONG = Number.POSITIVE_INFINITY;
const BOTH = ['gmail', 'github'] as const;
/** Long enough for a person to do something while a request is under way. */
const SLOW = { milliseconds: 500 };
let stage: FaultStage;

beforeAll(async () => {
  stage = await FaultStage.open();
  // So many that a run commits a page while another one is still being read.
  while (stage.gmail.ids().length < 110) stage.gmail.insert();
  while (stage.github.ids().length < 210) stage.github.insert();
});
afterAll(() => stage?.close());
beforeEach(() => stage.enter());

/** How many syncs work in this process. */
async function running(): Promise<number> {
  const { values } = await stage.server.product.context.metrics.runningSyncs.get();
  return values[0]?.value ?? 0;
}

/** A run that has committed its first records, whose next request is under way. */
async function startAndReach(from: Collection): Promise<Sync> {
  const { api } = from;
  const [path, afterRequests] = api === 'gmail' ? [/messages\/\w/, 100] : [/pulls\?/, 2];
  stage.fault({ name: 'latency', options: SLOW, match: { api, path }, afterRequests, times: FOR_LONG });
  const sync = await stage.start(from);
  await until(async () => ((await readSync(stage.client, sync._id)).progress?.records ?? 0) > 0);
  expect(await running()).toBe(1);
  return sync;
}

/** Every row of every table that belongs to a user, by table. */
async function belongings(userId: string): Promise<Record<string, number>> {
  const { db } = stage.server.product.context;
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.columns where column_name = 'user_id' and table_schema = 'public'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await db.execute<{ n: number }>(
      sql`select count(*)::int as n from ${sql.identifier(name)} where user_id = ${userId}`,
    );
    if (rows[0]?.n) counts[name] = rows[0].n;
  }
  return counts;
}

async function userId(): Promise<string> {
  return (await stage.client.get<{ _id: string }>('/api/accounts'))._id;
}

test('disconnect during a run at github: it ends as cancelled, nothing is written afterwards', async () => {
  const { github } = stage;
  const { _id } = await startAndReach(github);
  await stage.client.post('/api/integrations/providers/disconnect?provider=github');
  const kept = await stage.stored(github);
  expect(kept.length).toBeGreaterThan(0);
  expect(await stage.connection(github)).toBeNull();
  await until(async () => (await running()) === 0);
  expect(await stage.stored(github)).toEqual(kept);
  stage.server.control.clearFaults();
  await stage.reconnect(github);
  expect(await readSync(stage.client, _id)).toMatchObject({
    status: 'failed',
    summary: { errMessage: 'Cancelled: the provider was disconnected' },
  });
  expect(await stage.connection(github)).toBe('connected');
  expect(await stage.run(github)).toMatchObject({ status: 'finished' });
  expect(await stage.stored(github)).toEqual(github.ids());
});

test.each(BOTH)(
  'deleting the data of %s during a run: the run is gone, nothing is written afterwards',
  async (api) => {
    const from = stage[api];
    await startAndReach(from);
    await stage.client.post(`/api/integrations/entities/delete-all-data?provider=${from.provider}`);
    expect(await stage.stored(from)).toEqual([]);
    await until(async () => (await running()) === 0);
    expect(await stage.stored(from)).toEqual([]);
    expect(await stage.client.get<Sync[]>(`${SYNCS}?providers=google,github`)).toEqual([]);
    const left = Object.keys(await belongings(await userId()));
    for (const table of ['syncs', 'records', 'record_undo', 'sync_seen', 'sync_cursors'])
      expect(left).not.toContain(table);
  },
);

test.each(BOTH)(
  'deleting the account during a run of %s: nothing of it is left, then or afterwards',
  async (api) => {
    const id = await userId();
    await startAndReach(stage[api]);
    await stage.client.json('DELETE', '/api/accounts/delete-account');
    expect(await belongings(id)).toEqual({});
    await until(async () => (await running()) === 0);
    expect(await belongings(id)).toEqual({});
  },
);

test('two starts at once: one run, the others are told of it, and the month counts one', async () => {
  const { github } = stage;
  const { provider, entity, settings } = github;
  const body = { providerId: provider, entityLabel: entity, entitySettings: settings };
  const answers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const response = await stage.client.call('POST', SYNCS, body);
      return { http: response.status, ...((await response.json()) as { _id?: string; error?: object }) };
    }),
  );
  const started = answers.filter(({ http }) => http < 300);
  const refused = answers.filter(({ http }) => http === 409);
  expect([started.length, refused.length]).toEqual([1, 5]);
  for (const { error } of refused) expect(error).toMatchObject({ code: 'sync-running' });
  expect(await awaitEnd(stage.client, started[0]?._id ?? '')).toMatchObject({ status: 'finished' });
  expect(await stage.stored(github)).toEqual(github.ids());
  const entities = await stage.client.get<UserEntity[]>('/api/integrations/entities');
  expect(entities.find(({ id }) => id === entity)?.usage.used).toBe(1);
});

test('runs of several entities at once, two of one connection: each finishes with all of its own', async () => {
  const labels = startSync(stage.client, 'gmail-labels');
  const others = [stage.gmail, stage.github].map((from) => stage.start(from));
  for (const { _id } of await Promise.all([labels, ...others]))
    expect(await awaitEnd(stage.client, _id)).toMatchObject({ status: 'finished' });
  for (const from of [stage.gmail, stage.github]) expect(await stage.stored(from)).toEqual(from.ids());
});
