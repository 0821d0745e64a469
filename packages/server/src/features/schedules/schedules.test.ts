import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Notifications, SavedWebhook, Schedule, Sync, UserEntity, Webhook } from '@datadeck/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HookServer, isSigned } from '../../../test-support/hook-server.ts';
import { hastenJobs, jobsOf, passScheduledTime } from '../../../test-support/jobs.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, readSync, runSync, SYNCS, startSync, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { setPlan } from '../accounts/index.ts';
import { WEBHOOK_QUEUE } from '../notifications/index.ts';
import { SCHEDULED_FAILURE_QUEUE } from '../sync/index.ts';
import { SCHEDULE_QUEUE, workOnSchedules } from './index.ts';
import { nextTimeAfter, timeNextMonth } from './timetable.ts';

const HOUR = 3_600_000;
const MIGRATION = fileURLToPath(new URL('../../../migrations/0016_schedule-jobs.sql', import.meta.url));
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const NOTHING = { owner: 'nobody', repo: 'nothing' };
const SCHEDULES = '/api/integrations/schedules';
let server: TestServer;
let ada: Client;
let userId: string;
let hook: HookServer;

beforeAll(async () => {
  server = await shareServer();
  hook = await new HookServer().start();
});
afterAll(async () => {
  hook?.stop();
  await server?.remove();
});
beforeEach(async () => {
  server.control.reset();
  hook.hits.length = 0;
  hook.status = 200;
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.json('DELETE', '/api/accounts/delete-account');
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('google', 'ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  userId = (await ada.get<{ _id: string }>('/api/accounts'))._id;
});

const later = (ms: number) => passScheduledTime(server, userId, ms);

function schedule(every: Schedule['every'], entitySettings: Record<string, string>): Promise<Schedule> {
  return ada.json<Schedule>('PUT', `${SCHEDULES}/github/gh-pulls`, { every, entitySettings });
}

const syncsOf = () => ada.get<Sync[]>(`${SYNCS}?providers=github`);
const notificationsOf = () => ada.get<Notifications>('/api/notifications');

async function usage(): Promise<number | undefined> {
  const entities = await ada.get<UserEntity[]>('/api/integrations/entities');
  return entities.find(({ id }) => id === 'gh-pulls')?.usage.used;
}

/** Uses up the runs of the plan `standard` in the months of today and tomorrow. */
async function useUp(): Promise<void> {
  const months = [0, 25 * HOUR].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 7));
  await server.product.context.db.$client.query(
    `insert into sync_usage (user_id, entity, month, runs) select id, 'gh-pulls', month, 50 from users,
      unnest($1::text[]) month where email = 'ada.nowak@sandbox.example'`,
    [[...new Set(months)]],
  );
}

/** Waits until failures have been reported. */
async function awaitReports(): Promise<void> {
  await until(async () => (await jobsOf(server, SCHEDULED_FAILURE_QUEUE.name)).length === 0);
}

/** Moves to the next hour and waits until its scheduled run has ended. */
async function nextRun(): Promise<Sync> {
  const before = (await syncsOf()).length;
  await later(HOUR);
  const [started, ...others] = await syncsOf();
  if (!started || others.length !== before) throw new Error('expected exactly one new run');
  const ended = await awaitEnd(ada, started._id);
  await awaitReports();
  return ended;
}

describe('a schedule', () => {
  it('starts its run when it is due, and the next one an hour later', async () => {
    const made = await schedule('hourly', DOTFILES);
    expect(made).toMatchObject({ every: 'hourly', entitySettings: DOTFILES, blockedReason: null });
    expect(await syncsOf()).toEqual([]);
    const first = await nextRun();
    expect(first).toMatchObject({ status: 'finished', isScheduled: true, entitySettings: DOTFILES });
    expect(first.summary.added).toBeGreaterThan(5);
    expect(await usage()).toBe(1);
    expect(await nextRun()).toMatchObject({ status: 'finished', summary: { incremental: true } });
    expect(await usage()).toBe(2);
    expect((await notificationsOf()).results).toEqual([]);
    const [next] = await ada.get<Schedule[]>(SCHEDULES);
    expect(next?.nextAt).toBe(made.nextAt);
  });

  it('starts one run when several workers fetch its job', async () => {
    await schedule('hourly', DOTFILES);
    const { background, registry } = server.product;
    await Promise.all(Array.from({ length: 5 }, () => workOnSchedules(background, registry)));
    await later(HOUR);
    const syncs = await syncsOf();
    expect(syncs).toHaveLength(1);
    await awaitEnd(ada, syncs[0]?._id ?? '');
    expect(await usage()).toBe(1);
  });

  it('makes up for missed times with one run', async () => {
    const made = await schedule('hourly', DOTFILES);
    await later(7.5 * HOUR);

    const [only, ...others] = await syncsOf();
    expect(others).toEqual([]);
    await awaitEnd(ada, only?._id ?? '');
    expect(await syncsOf()).toHaveLength(1);

    const [next] = await ada.get<Schedule[]>(SCHEDULES);
    expect(Date.parse(next?.nextAt ?? '')).toBe(Date.parse(made.nextAt ?? '') - 0.5 * HOUR);

    const [job, ...more] = (await jobsOf(server, SCHEDULE_QUEUE.name)).filter(
      ({ data }) => data.userId === userId,
    );
    expect(more).toEqual([]);
    expect(Math.abs((job?.inSeconds ?? 0) - HOUR / 2000)).toBeLessThan(120);
  });

  it('skips a time while a run of the entity is active', async () => {
    const made = await schedule('hourly', DOTFILES);
    const slow = { match: { api: 'github' as const }, times: 9, options: { milliseconds: 600_000 } };
    server.control.fault({ name: 'latency', ...slow });
    const { _id } = await startSync(ada, 'gh-pulls', DOTFILES);
    await later(HOUR);
    expect(await syncsOf()).toHaveLength(1);
    const [next] = await ada.get<Schedule[]>(SCHEDULES);
    expect(next?.nextAt).toBe(made.nextAt);
    server.control.reset();
    await awaitEnd(ada, _id);
  });

  it('waits for the next month when the runs are used up and shows the reason', async () => {
    const made = await schedule('daily', DOTFILES);

    await useUp();
    await later(24 * HOUR);

    expect(await syncsOf()).toEqual([]);
    const [waiting] = await ada.get<Schedule[]>(SCHEDULES);
    expect(waiting?.blockedReason).toBe('month-used-up');
    const passed = new Date(Date.parse(made.nextAt ?? '') - 24 * HOUR);
    const begin = Date.UTC(passed.getUTCFullYear(), passed.getUTCMonth() + 1, 1);
    const next = Date.parse(waiting?.nextAt ?? '');
    expect(next >= begin && next < begin + 24 * HOUR).toBe(true);
    expect((await notificationsOf()).results).toEqual([]);

    expect((await schedule('daily', DOTFILES)).blockedReason).toBeNull();
  });

  it('continues at its next time once the plan allows more runs', async () => {
    await schedule('hourly', DOTFILES);
    await useUp();
    await later(HOUR);
    expect((await ada.get<Schedule[]>(SCHEDULES))[0]?.blockedReason).toBe('month-used-up');
    await setPlan(server.product.context.db, (await ada.get<{ _id: string }>('/api/accounts'))._id, 'pro');
    expect(await nextRun()).toMatchObject({ status: 'finished' });
    expect((await ada.get<Schedule[]>(SCHEDULES))[0]?.blockedReason).toBeNull();
  });

  it('validates settings and ends with off, disconnecting or deleting data', async () => {
    const refused = await ada.call('PUT', `${SCHEDULES}/github/gh-pulls`, {
      every: 'daily',
      entitySettings: { owner: '', repo: 'a b' },
    });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { error: { fields: { owner: 'Required', repo: 'Please enter a valid repository name' } } },
    ]);

    const countSchedules = async () => (await ada.get<Schedule[]>(SCHEDULES)).length;

    await schedule('daily', DOTFILES);
    expect(await schedule('off', {})).toMatchObject({ every: 'off', nextAt: null });
    expect(await countSchedules()).toBe(0);
    await schedule('daily', DOTFILES);
    await ada.post('/api/integrations/entities/delete-all-data?provider=github');
    expect(await countSchedules()).toBe(0);
    await schedule('daily', DOTFILES);
    await ada.post('/api/integrations/providers/disconnect?provider=github');
    await ada.connect('github', 'ada-nowak');
    expect(await countSchedules()).toBe(0);

    expect((await schedule('hourly', DOTFILES)).every).toBe('hourly');
  });

  it('keeps its account when another one is connected, and each account has its own', async () => {
    await schedule('hourly', DOTFILES);
    await ada.connect('github', 'jonas-weber');
    expect(await nextRun()).toMatchObject({ status: 'finished', account: 'ada-nowak' });
    await ada.json('PUT', `${SCHEDULES}/github/gh-pulls`, {
      every: 'daily',
      account: 'jonas-weber',
      entitySettings: DOTFILES,
    });
    const all = await ada.get<Schedule[]>(SCHEDULES);
    expect(all.map(({ account, every }) => [account, every]).toSorted()).toEqual([
      ['ada-nowak', 'hourly'],
      ['jonas-weber', 'daily'],
    ]);
  });
});

describe('the timetable', () => {
  it('stays on a fixed grid of hours and days', () => {
    const due = new Date('2026-11-20T09:17:00Z');
    expect(nextTimeAfter('hourly', due, due)).toEqual(new Date('2026-11-20T10:17:00Z'));
    expect(nextTimeAfter('hourly', due, new Date('2026-11-21T10:17:00Z'))).toEqual(
      new Date('2026-11-21T11:17:00Z'),
    );
    expect(nextTimeAfter('daily', due, new Date('2026-11-25T09:16:59Z'))).toEqual(
      new Date('2026-11-25T09:17:00Z'),
    );
    expect(timeNextMonth('daily', new Date('2027-01-01T09:16:00Z'))).toEqual(
      new Date('2027-01-01T09:16:00Z'),
    );
    expect(timeNextMonth('hourly', new Date('2026-12-01T01:00:00Z'))).toEqual(
      new Date('2027-01-01T00:00:00Z'),
    );
  });
});

describe('a failed scheduled run', () => {
  it('is reported once until a run succeeds, also to the webhook', async () => {
    const { secret } = await ada.json<SavedWebhook>('PUT', '/api/notifications/webhook', { url: hook.url });
    await schedule('hourly', NOTHING);
    const failed = await nextRun();
    expect(failed).toMatchObject({ status: 'failed', isScheduled: true });
    await nextRun();
    await nextRun();
    const { results, unread } = await notificationsOf();
    expect(unread).toBe(1);
    expect(results).toMatchObject([
      {
        title: 'The hourly sync of GitHub pull requests failed',
        message: failed.summary.errMessage,
        entityLabel: 'gh-pulls',
        syncId: failed._id,
        isRead: false,
      },
    ]);
    await until(() => hook.hits.length > 0);
    const [hit] = hook.hits;
    expect(JSON.parse(hit?.body ?? '')).toEqual({
      event: 'sync.failed',
      entity: 'gh-pulls',
      syncId: failed._id,
      message: failed.summary.errMessage,
      at: expect.stringMatching(/^\d{4}-/),
    });
    expect(hit && isSigned(hit, secret)).toBe(true);

    await schedule('hourly', DOTFILES);
    expect(await nextRun()).toMatchObject({ status: 'finished' });
    await schedule('hourly', NOTHING);
    const again = await nextRun();
    const reportedSyncs = (await notificationsOf()).results.map(({ syncId }) => syncId);
    expect(reportedSyncs).toEqual([again._id, failed._id]);
    await until(() => hook.hits.length > 1);
    expect(hook.hits).toHaveLength(2);
  });

  it('is reported again after a success that the user started', async () => {
    await schedule('hourly', NOTHING);
    await nextRun();
    await runSync(ada, 'gh-pulls', DOTFILES);
    await nextRun();
    expect((await notificationsOf()).unread).toBe(2);
  });

  it('is reported once, and runs pause, until the user connects again', async () => {
    await schedule('hourly', DOTFILES);
    server.control.github.expireAccessTokens();
    expect((await runSync(ada, 'gh-pulls', DOTFILES)).status).toBe('failed');

    for (let hour = 0; hour < 3; hour++) {
      await later(HOUR);
    }

    expect(await syncsOf()).toHaveLength(1);
    const [waiting] = await ada.get<Schedule[]>(SCHEDULES);
    expect(waiting?.blockedReason).toBe('reconnect-needed');
    expect((await notificationsOf()).results).toMatchObject([
      { syncId: null, message: expect.stringContaining('Connect it again') },
    ]);

    await ada.connect('github', 'ada-nowak');
    expect(await nextRun()).toMatchObject({ status: 'finished' });
    expect((await ada.get<Schedule[]>(SCHEDULES))[0]?.blockedReason).toBeNull();
  });

  it('is reported after an upgrade if the older version did not report it', async () => {
    await schedule('daily', NOTHING);
    const { _id, summary } = await runSync(ada, 'gh-pulls', NOTHING);
    const { $client } = server.product.context.db;
    await $client.query('alter table schedules add column running_sync uuid');
    await $client.query('create index schedules_due on schedules (next_at)');
    await $client.query('update schedules set running_sync = $1 where user_id = $2', [_id, userId]);

    await $client.query(readFileSync(MIGRATION, 'utf8').replaceAll('--> statement-breakpoint', ''));

    await until(async () => (await notificationsOf()).unread === 1);
    expect((await notificationsOf()).results).toMatchObject([{ syncId: _id, message: summary.errMessage }]);
  });

  it('does not include failed runs that the user started', async () => {
    await schedule('hourly', DOTFILES);
    const { _id, status } = await runSync(ada, 'gh-pulls', NOTHING);
    expect(status).toBe('failed');
    const { rows } = await server.product.context.db.$client.query(
      "select from pgboss.job where name = 'scheduled-failure' and data->>'syncId' = $1",
      [_id],
    );
    expect(rows).toEqual([]);
  });

  it('is not reported when the user cancelled it', async () => {
    await schedule('hourly', DOTFILES);
    server.control.fault({ name: 'latency', match: { api: 'github' }, options: { milliseconds: 600_000 } });
    await later(HOUR);
    const [started] = await syncsOf();
    await ada.post(`${SYNCS}/${started?._id}/cancel`);
    expect(await readSync(ada, started?._id ?? '')).toMatchObject({ status: 'failed' });
    await awaitReports();
    expect((await notificationsOf()).results).toEqual([]);
  });
});

describe('the list of notifications', () => {
  it('marks notifications as read singly or together, for their user only', async () => {
    await schedule('hourly', NOTHING);
    await nextRun();
    await runSync(ada, 'gh-pulls', DOTFILES);
    await nextRun();
    const [newest] = (await notificationsOf()).results;

    await ada.post(`/api/notifications/${newest?._id}/read`);
    expect(await notificationsOf()).toMatchObject({
      unread: 1,
      results: [{ isRead: true }, { isRead: false }],
    });

    const jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
    expect((await jonas.call('POST', `/api/notifications/${newest?._id}/read`)).status).toBe(404);
    await jonas.post('/api/notifications/read');
    expect((await notificationsOf()).unread).toBe(1);

    await ada.post('/api/notifications/read');
    expect((await notificationsOf()).unread).toBe(0);
    await ada.json('DELETE', '/api/accounts/delete-data');
    expect(await notificationsOf()).toEqual({ results: [], unread: 0 });
  });
});

describe('a webhook', () => {
  it('retries after a pause, shows the outcome and stores its secret encrypted', async () => {
    const saved = await ada.json<SavedWebhook>('PUT', '/api/notifications/webhook', { url: hook.url });
    const { rows } = await server.product.context.db.$client.query<{ stored: string }>(
      'select sealed::text as stored from webhooks',
    );
    expect(rows.some(({ stored }) => stored.includes(saved.secret) || stored.includes(hook.url))).toBe(false);

    hook.status = 500;
    await schedule('hourly', NOTHING);
    await nextRun();
    const webhook = () => ada.get<Webhook>('/api/notifications/webhook');
    await until(async () => (await webhook()).last !== null);
    expect(await webhook()).toMatchObject({ url: hook.url, last: { isDelivered: false, status: 500 } });

    hook.status = 200;
    await until(async () =>
      (await jobsOf(server, WEBHOOK_QUEUE.name)).some(({ state }) => state === 'created'),
    );
    await hastenJobs(server, WEBHOOK_QUEUE.name);
    await until(async () => (await webhook()).last?.isDelivered === true);

    expect(hook.hits).toHaveLength(2);
    expect(hook.hits[0]?.headers['x-datadeck-delivery']).toBe(hook.hits[1]?.headers['x-datadeck-delivery']);
  });

  it('does not show the outcome of a call made before it was replaced', async () => {
    await ada.json<SavedWebhook>('PUT', '/api/notifications/webhook', { url: hook.url });
    hook.status = null;
    const tested = ada.post<{ isDelivered: boolean }>('/api/notifications/webhook/test');
    await until(() => hook.hits.length > 0);
    await ada.json<SavedWebhook>('PUT', '/api/notifications/webhook', { url: `${hook.url}/new` });
    hook.hangUp();
    expect((await tested).isDelivered).toBe(false);
    const shown = await ada.get<Webhook>('/api/notifications/webhook');
    expect(shown).toMatchObject({ url: `${hook.url}/new`, last: null });
  });

  it('shows the outcome of a test call and refuses invalid addresses', async () => {
    expect((await ada.call('POST', '/api/notifications/webhook/test')).status).toBe(404);
    const { secret } = await ada.json<SavedWebhook>('PUT', '/api/notifications/webhook', { url: hook.url });
    expect(await ada.post('/api/notifications/webhook/test')).toMatchObject({
      isDelivered: true,
      status: 200,
    });
    expect(hook.hits.map((hit) => [JSON.parse(hit.body).event, isSigned(hit, secret)])).toEqual([
      ['test', true],
    ]);

    hook.status = 302;
    expect(await ada.post('/api/notifications/webhook/test')).toMatchObject({
      isDelivered: false,
      message: 'Answered 302: redirects are not followed.',
    });

    for (const url of ['http://example.com/', 'ftp://example.com/', 'https://a:b@example.com/', 'no', ''])
      expect((await ada.call('PUT', '/api/notifications/webhook', { url })).status, url).toBe(422);

    await ada.json('DELETE', '/api/notifications/webhook');
    expect(await ada.get('/api/notifications/webhook')).toMatchObject({ url: '', last: null });
  });
});
