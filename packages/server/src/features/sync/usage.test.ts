import type { Plan, SyncDays, SyncHistory, SyncNews, UserEntity } from '@datadeck/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, SYNCS, startSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { AppError } from '../../platform/app-error.ts';
import { startSync as startSyncOf } from './start.ts';
import { countRun, monthOf, readUsage, toUsage, uncountRun } from './usage.ts';

const EMAIL = 'ada.nowak@sandbox.example';
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const ENTITIES = ['gmail-labels', 'gmail-messages', 'gh-pulls'] as const;
type Entity = (typeof ENTITIES)[number];

let server: TestServer;
let ada: Client;
let userId: string;
let address = 0;

const database = () => server.product.context.db;
const entityOf = (id: Entity) =>
  server.product.registry.entity(id.startsWith('gh-') ? 'github' : 'google', id);

beforeAll(async () => {
  server = await shareServer();
});
afterAll(() => server?.remove());
beforeEach(async () => {
  server.control.reset();
  // Sign-ins are rate limited per address.
  address += 1;
  ada = await new Client(server, `203.0.113.${address}`).signIn(EMAIL);
  await ada.json('DELETE', '/api/accounts/delete-account');
  ada = await new Client(server, `203.0.113.${address}`).signIn(EMAIL);
  await ada.connect('google', EMAIL);
  await ada.connect('github', 'ada-nowak');
  const { rows } = await database().$client.query<{ id: string }>('select id from users where email = $1', [
    EMAIL,
  ]);
  userId = rows[0]?.id ?? '';
});

async function setPlan(plan: Plan): Promise<void> {
  await database().$client.query('update users set plan = $1 where id = $2', [plan, userId]);
}

/** Sets the month's number of runs. */
async function setRuns(entity: Entity, runs: number, month = monthOf(new Date())): Promise<void> {
  await database().$client.query(
    'insert into sync_usage (user_id, entity, month, runs) values ($1, $2, $3, $4)',
    [userId, entity, month, runs],
  );
}

function count(entity: Entity, plan: Plan, now: Date): Promise<void> {
  return countRun(database(), { userId, entity: entityOf(entity), plan }, now);
}

const usedAt = async (entity: Entity, now: Date) =>
  (await readUsage(database(), userId, now)).get(entity) ?? 0;

async function listed(client: Client, entity: Entity): Promise<UserEntity | undefined> {
  return (await client.get<UserEntity[]>('/api/integrations/entities')).find(({ id }) => id === entity);
}

const settingsOf = (entity: Entity): Record<string, string> =>
  entity === 'gh-pulls' ? DOTFILES : entity === 'gmail-messages' ? { labelIds: 'INBOX' } : {};

describe('monthly usage', () => {
  /** The last instant of a month, the first of the next one, and the next reset, UTC. */
  const EDGES = [
    ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z'],
    ['2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00.000Z', '2028-04-01T00:00:00.000Z'],
  ] as const;
  const ZONES = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];
  const cases = EDGES.flatMap((edge) => ZONES.map((zone) => [zone, ...edge] as const));

  // @covers 9.usage-resets-monthly
  it.each(cases)('resets at midnight UTC on a server in %s, after %s', async (zone, last, first, after) => {
    const before = process.env.TZ;
    process.env.TZ = zone;
    try {
      const [end, begin] = [new Date(last), new Date(first)];
      await setRuns('gmail-labels', 99, last.slice(0, 7));
      await count('gmail-labels', 'standard', end);
      await expect(count('gmail-labels', 'standard', end)).rejects.toThrow(first.slice(0, 10));
      expect(await usedAt('gmail-labels', begin)).toBe(0);
      await count('gmail-labels', 'standard', begin);
      expect(await usedAt('gmail-labels', begin)).toBe(1);
      expect(toUsage(1, 100, end).resetsAt).toBe(first);
      expect(toUsage(1, 100, begin).resetsAt).toBe(after);
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });

  it('subtracts a run from the month in which it was counted', async () => {
    const [end, begin] = [new Date('2026-01-31T23:59:59.999Z'), new Date('2026-02-01T00:00:00.000Z')];
    await count('gmail-labels', 'standard', end);
    await count('gmail-labels', 'standard', begin);
    await uncountRun(database(), userId, 'gmail-labels', end);
    expect([await usedAt('gmail-labels', end), await usedAt('gmail-labels', begin)]).toEqual([0, 1]);
  });

  // @covers 9.usage-resets-monthly
  it('counts a run in the month of its creation and subtracts a failed one there', async () => {
    const setStart = (instant: string) =>
      database().$client.query(`alter table syncs alter created_at set default ${instant}`);
    const lastMonth = new Date();
    lastMonth.setUTCDate(0);
    await setStart(`'${lastMonth.toISOString()}'`);
    try {
      const { _id } = await startSync(ada, 'gh-pulls', DOTFILES);
      await awaitEnd(ada, _id);
      expect([await usedAt('gh-pulls', lastMonth), await usedAt('gh-pulls', new Date())]).toEqual([1, 0]);

      const failing = await startSync(ada, 'gmail-messages', { labelIds: 'NOPE' }).catch(() => undefined);
      if (failing) await awaitEnd(ada, failing._id);
      expect([await usedAt('gmail-messages', lastMonth), await usedAt('gmail-messages', new Date())]).toEqual(
        [0, 0],
      );
    } finally {
      await setStart('now()');
    }
  });
});

describe('the limit of a plan', () => {
  const limits = [
    ['standard', 'gmail-labels', 100],
    ['standard', 'gmail-messages', 50],
    ['standard', 'gh-pulls', 50],
    ['pro', 'gmail-labels', 1000],
    ['pro', 'gmail-messages', 300],
    ['pro', 'gh-pulls', 300],
  ] as const;

  // @covers 9.plan-limits-sync
  it.each(limits)('lets the plan %s start %s up to %i times', async (plan, entity, allowed) => {
    await setPlan(plan);
    await setRuns(entity, allowed - 1);
    const { _id } = await startSync(ada, entity, settingsOf(entity));
    expect((await awaitEnd(ada, _id)).status).toBe('finished');
    expect((await listed(ada, entity))?.usage).toMatchObject({ used: allowed, allowed });

    const refused = await ada.call('POST', SYNCS, {
      providerId: entity === 'gh-pulls' ? 'github' : 'google',
      entityLabel: entity,
      entitySettings: settingsOf(entity),
    });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: 'usage-exhausted' } });

    // The rejected start is not counted, and other entities are not affected.
    expect((await listed(ada, entity))?.usage.used).toBe(allowed);
    const other = entity === 'gmail-labels' ? 'gh-pulls' : 'gmail-labels';
    expect((await listed(ada, other))?.usage.used).toBe(0);
  });

  // @covers 9.monthly-limit-ends
  it('counts concurrent starts one by one', async () => {
    await setRuns('gmail-labels', 98);
    const now = new Date();
    const ends = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        database().transaction((tx) =>
          countRun(tx, { userId, entity: entityOf('gmail-labels'), plan: 'standard' }, now),
        ),
      ),
    );
    const refused = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason);
    expect(refused.map((reason) => reason instanceof AppError && reason.code)).toEqual(
      Array(3).fill('usage-exhausted'),
    );
    expect(await usedAt('gmail-labels', now)).toBe(100);
  });

  // @covers 9.demo-caps-effect
  it('allows demo users 10 records per entity and no sync', async () => {
    const demo = await new Client(server).demo();
    for (const id of ENTITIES) {
      const { cap, monthlyRuns } = entityOf(id).limits.demo;
      expect([cap, monthlyRuns]).toEqual([10, id === 'gmail-labels' ? 100 : 50]);
      expect(await listed(demo, id)).toMatchObject({ cap: 10, usage: { allowed: monthlyRuns } });
      const refused = await demo.call('POST', SYNCS, {
        providerId: id === 'gh-pulls' ? 'github' : 'google',
        entityLabel: id,
        entitySettings: settingsOf(id),
      });
      expect(refused.status).toBe(403);
    }
  });
});

describe('a run with the demo plan', () => {
  // @covers 9.demo-caps-effect
  it('stores 10 records and reports them in its receipt', async () => {
    const { context, registry } = server.product;
    const harbor = { owner: 'aurora-labs', repo: 'harbor' };
    const request = { providerId: 'github', entityLabel: 'gh-pulls', entitySettings: harbor };
    const { _id } = await startSyncOf(context, registry, { ...request, by: { userId, plan: 'demo' } });
    const { summary } = await awaitEnd(ada, _id);
    expect(summary).toMatchObject({ entitiesSynced: 10, added: 10 });
    const stored = '/api/integrations/entities/aggregation/gh-pulls/pulls-all';
    expect(await ada.get(stored)).toMatchObject({ count: 10 });
  });
});

describe('GET /api/integrations/synchronizations/history', () => {
  const started = (client: Client) => client.get<SyncHistory>(`${SYNCS}/history?status=started`);

  it('lists a running sync under status=started until it ends', async () => {
    expect(await started(ada)).toEqual({ results: [], count: 0 });
    const blocked = server.control.fault({
      name: 'latency',
      times: Number.POSITIVE_INFINITY,
      options: { milliseconds: 600_000 },
      match: { api: 'gmail' },
    });
    const { _id } = await startSync(ada, 'gmail-labels');

    const running = await started(ada);
    expect(running).toMatchObject({ count: 1, results: [{ _id, status: 'started' }] });
    expect(await ada.get(`${SYNCS}/history?status=started&entity=gmail-labels`)).toMatchObject({ count: 1 });
    expect(await ada.get(`${SYNCS}/history?status=started&entity=gh-pulls`)).toMatchObject({ count: 0 });
    expect(await ada.get(`${SYNCS}/history?status=finished`)).toMatchObject({ count: 0 });

    blocked.remove();
    await awaitEnd(ada, _id);
    expect(await started(ada)).toEqual({ results: [], count: 0 });
    expect(await ada.get(`${SYNCS}/history?status=finished`)).toMatchObject({ count: 1, results: [{ _id }] });
  });

  it('limits the list to the syncs that ended between two instants', async () => {
    const { _id } = await startSync(ada, 'gmail-labels');
    const { updated_at: endedAt } = await awaitEnd(ada, _id);
    const at = Date.parse(endedAt);
    const between = (from: number, to: number) =>
      ada.get<SyncHistory>(
        `${SYNCS}/history?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`,
      );
    expect(await between(at, at + 1)).toMatchObject({ count: 1, results: [{ _id }] });
    expect(await between(at - 60_000, at)).toMatchObject({ count: 0 });
    expect(await between(at + 1, at + 60_000)).toMatchObject({ count: 0 });
  });
});

describe('GET /api/integrations/synchronizations/days', () => {
  it('counts the syncs of a day of the time zone by status', async () => {
    const { _id } = await startSync(ada, 'gmail-labels');
    const { updated_at: endedAt } = await awaitEnd(ada, _id);
    const days = (query: string) => ada.get<SyncDays>(`${SYNCS}/days?${query}`);
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu']) {
      const day = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(endedAt));
      const counted = [{ day, finished: 1, failed: 0, started: 0 }];
      expect(await days(`timeZone=${timeZone}`)).toEqual(counted);
      expect(await days(`timeZone=${timeZone}&entity=gmail-labels&status=finished`)).toEqual(counted);
    }
    expect(await days('timeZone=UTC&status=failed')).toEqual([]);
    await expect(days('timeZone=Nowhere')).rejects.toThrow(/time zone/);
  });
});

describe('GET /api/integrations/synchronizations/news', () => {
  it('sums what syncs since an instant changed, by entity and account', async () => {
    const { _id, created_at } = await startSync(ada, 'gmail-labels');
    const { summary, updated_at: endedAt } = await awaitEnd(ada, _id);
    const second = await startSync(ada, 'gmail-labels');
    await awaitEnd(ada, second._id);
    const news = (from: string) => ada.get<SyncNews>(`${SYNCS}/news?from=${from}`);
    expect(await news(created_at)).toMatchObject([
      { providerId: 'google', entityLabel: 'gmail-labels', runs: 2, added: summary.added, removed: 0 },
    ]);
    expect(await news(new Date(Date.parse(endedAt) + 3_600_000).toISOString())).toEqual([]);
    await expect(news('yesterday')).rejects.toThrow();
  });
});
