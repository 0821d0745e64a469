import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Notifications, Schedule, Sync, Timetable } from '@datadeck/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobsOf, passScheduledTime } from '../../../test-support/jobs.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, SYNCS, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { setPlan } from '../accounts/index.ts';
import { SCHEDULE_QUEUE } from './index.ts';

const DAY = 86_400_000;
const MIGRATION = fileURLToPath(new URL('../../../migrations/0040_several-schedules.sql', import.meta.url));
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const NOTHING = { owner: 'nobody', repo: 'nothing' };
const SCHEDULES = '/api/integrations/schedules';
const DAILY = {
  providerId: 'github',
  entityLabel: 'gh-pulls',
  cron: '30 7 * * *',
  timeZone: 'Europe/Berlin',
  entitySettings: DOTFILES,
};
let server: TestServer;
let ada: Client;
let userId: string;

beforeAll(async () => {
  server = await shareServer();
});
afterAll(() => server?.remove());
beforeEach(async () => {
  server.control.reset();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.json('DELETE', '/api/accounts/delete-account');
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('google', 'ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  userId = (await ada.get<{ _id: string }>('/api/accounts'))._id;
});

const create = (change: Partial<typeof DAILY> = {}) => ada.post<Schedule>(SCHEDULES, { ...DAILY, ...change });
const list = () => ada.get<Schedule[]>(SCHEDULES);
const syncsOf = () => ada.get<Sync[]>(`${SYNCS}?providers=github`);
const setInterval = (every: string) =>
  ada.json<Schedule>('PUT', `${SCHEDULES}/github/gh-pulls`, { every, entitySettings: DOTFILES });

/** Returns the status and the fields of a refused request. */
async function refusal(method: string, path: string, body?: object): Promise<unknown[]> {
  const response = await ada.call(method, path, body);
  const { error } = (await response.json()) as { error: { code: string; fields?: object } };
  return [response.status, error.code, error.fields];
}

/** Waits until the given number of runs has been started, and all of them have ended. */
async function awaitRuns(count: number): Promise<Sync[]> {
  await until(async () => (await syncsOf()).length >= count);
  const syncs = await syncsOf();
  expect(syncs).toHaveLength(count);
  return Promise.all(syncs.map(({ _id }) => awaitEnd(ada, _id)));
}

describe('a schedule by a cron line', () => {
  it('shows its next times and its runs a month', async () => {
    const made = await create();
    expect(made).toMatchObject({
      every: 'cron',
      cron: '30 7 * * *',
      timeZone: 'Europe/Berlin',
      entitySettings: DOTFILES,
      runsPerMonth: 31,
      blockedReason: null,
    });
    expect(made.nextTimes[0]).toBe(made.nextAt);
    const inBerlin = made.nextTimes.map((time) =>
      new Date(time).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' }),
    );
    expect(inBerlin).toEqual(['07:30:00', '07:30:00', '07:30:00']);
    expect(await list()).toEqual([made]);
  });

  it('starts its run when it is due, and the next one at the next time of its line', async () => {
    const made = await create();
    await passScheduledTime(server, userId, DAY);
    const [run] = await awaitRuns(1);
    expect(run).toMatchObject({ status: 'finished', isScheduled: true, entitySettings: DOTFILES });
    expect((await list())[0]?.nextTimes).toEqual(made.nextTimes);
  });

  it('is beside the interval of the entity, which is set as before', async () => {
    const daily = await setInterval('daily');
    expect(daily).toMatchObject({ every: 'daily', cron: null, timeZone: 'UTC', runsPerMonth: 30 });
    const weekly = await create({ cron: '0 8 * * 1' });
    expect(await list()).toEqual([daily, weekly]);
    const hourly = await setInterval('hourly');
    expect(hourly._id).toBe(daily._id);
    await setInterval('off');
    expect(await list()).toEqual([weekly]);
  });

  it('is changed and deleted by its id', async () => {
    const { _id } = await create();
    const change = { cron: '0 8 * * 1-5', timeZone: 'UTC', entitySettings: NOTHING };
    const changed = await ada.json<Schedule>('PUT', `${SCHEDULES}/${_id}`, change);
    expect(changed).toMatchObject({ ...change, _id, runsPerMonth: 23 });
    const jobs = (await jobsOf(server, SCHEDULE_QUEUE.name)).filter(({ data }) => data.userId === userId);
    expect(jobs.map(({ data }) => data)).toEqual([{ userId, scheduleId: _id }]);
    await ada.json('DELETE', `${SCHEDULES}/${_id}`);
    expect(await list()).toEqual([]);
    expect((await refusal('DELETE', `${SCHEDULES}/${_id}`)).slice(0, 2)).toEqual([404, 'not-found']);
    expect((await refusal('PUT', `${SCHEDULES}/nothing`, change)).slice(0, 2)).toEqual([404, 'not-found']);
  });

  it('replaces an interval that is changed by its id', async () => {
    const { _id } = await setInterval('daily');
    const { cron, timeZone, entitySettings } = DAILY;
    await ada.json('PUT', `${SCHEDULES}/${_id}`, { cron, timeZone, entitySettings });
    expect(await list()).toMatchObject([{ _id, every: 'cron' }]);
  });

  it('starts one run when another one with its settings is due at the same moment', async () => {
    await setPlan(server.product.context.db, userId, 'pro');
    await create();
    await create({ cron: '30 7 * * 0-6' });
    await passScheduledTime(server, userId, DAY);
    await awaitRuns(1);
    const [first, second] = await list();
    expect(first?.nextTimes).toEqual(second?.nextTimes);
    expect([first?.blockedReason, second?.blockedReason]).toEqual([null, null]);
  });

  it('ends when its account is disconnected or its data is deleted', async () => {
    await create();
    await ada.post('/api/integrations/entities/delete-all-data?provider=github');
    expect(await list()).toEqual([]);
  });
});

describe('a schedule that is refused', () => {
  it('needs more runs than the plan has, and says who can raise them', async () => {
    const message =
      'This schedule needs 744 runs a month; your plan has 50 for pull requests. Choose fewer times. The administrator can raise this: `datadeck plan ada.nowak@sandbox.example pro`, or PLAN_LIMITS.';
    const hourly = { ...DAILY, cron: '0 * * * *' };
    expect(await refusal('POST', SCHEDULES, hourly)).toEqual([422, 'validation-failed', { cron: message }]);
    await setPlan(server.product.context.db, userId, 'pro');
    expect((await create({ cron: '0 */4 * * *' })).runsPerMonth).toBe(186);
  });

  it('does not fit beside the other schedules of the entity', async () => {
    const { _id } = await create();
    expect(await refusal('POST', SCHEDULES, { ...DAILY, cron: '0 8 * * 1-5' })).toEqual([
      422,
      'validation-failed',
      { cron: expect.stringContaining('and its other schedules need 31.') },
    ]);
    const { cron, timeZone, entitySettings } = DAILY;
    const own = { cron: cron.replace('7', '7,12'), timeZone, entitySettings };
    expect((await refusal('PUT', `${SCHEDULES}/${_id}`, own))[2]).toEqual({
      cron: expect.stringContaining('needs 62 runs a month; your plan has 50'),
    });
    expect(await list()).toMatchObject([{ cron }]);
  });

  it('has a wrong line, time zone or settings, or is one too many', async () => {
    const wrong: [Partial<typeof DAILY>, object][] = [
      [{ cron: '* * * * * *' }, { cron: expect.stringContaining('five fields') }],
      [{ cron: '@daily' }, { cron: expect.stringContaining('five fields') }],
      [{ cron: '0 8 30 2 *' }, { cron: 'Must have a time in the future' }],
      [{ timeZone: 'Mars/Olympus' }, { timeZone: 'Must be a time zone, such as Europe/Berlin' }],
      [{ entitySettings: { owner: '', repo: 'x' } }, { owner: 'Required' }],
    ];
    for (const [change, fields] of wrong)
      expect((await refusal('POST', SCHEDULES, { ...DAILY, ...change }))[2]).toEqual(fields);
    await server.product.context.db.$client.query(
      `insert into schedules (user_id, connection_id, entity, provider, every, cron, settings, next_at)
      select $1, gen_random_uuid(), 'x', 'x', 'cron', '0 8 1 1 *', '{}', now() + interval '1 year'
      from generate_series(1, 50)`,
      [userId],
    );
    expect((await refusal('POST', SCHEDULES, DAILY)).slice(0, 2)).toEqual([409, 'limit-reached']);
  });
});

describe('GET /api/integrations/timetable', () => {
  it('shows the next times and the runs a month of a line', async () => {
    const query = new URLSearchParams({ cron: '0 8 * * 1-5', timeZone: 'UTC' });
    const { nextTimes, runsPerMonth } = await ada.get<Timetable>(`/api/integrations/timetable?${query}`);
    expect(nextTimes).toHaveLength(3);
    expect(nextTimes.every((time) => /T08:00:00\.000Z$/.test(time))).toBe(true);
    expect(runsPerMonth).toBe(23);
  });

  it('reports errors at their fields', async () => {
    const pathOf = (cron: string, timeZone: string) =>
      `/api/integrations/timetable?${new URLSearchParams({ cron, timeZone })}`;
    expect((await refusal('GET', pathOf('0 8 * *', 'UTC')))[2]).toEqual({ cron: expect.any(String) });
    expect((await refusal('GET', pathOf('0 8 * * *', 'x')))[2]).toEqual({ timeZone: expect.any(String) });
  });
});

describe('a failed run', () => {
  it('is reported with the schedule that started it, once until its settings succeed', async () => {
    await setPlan(server.product.context.db, userId, 'pro');
    await create({ entitySettings: NOTHING });
    await create({ cron: '30 8 * * *' });
    const notices = () => ada.get<Notifications>('/api/notifications');

    // The good schedule runs between two failures of the other one.
    for (const runs of [2, 4]) {
      await server.product.context.db.$client.query(
        "update schedules set next_at = next_at + interval '1 day' where user_id = $1 and settings->>'repo' = 'dotfiles'",
        [userId],
      );
      await passScheduledTime(server, userId, DAY);
      await awaitRuns(runs - 1);
      await passScheduledTime(server, userId, DAY);
      await awaitRuns(runs);
    }
    await until(async () => (await notices()).unread > 0);
    expect((await notices()).results).toMatchObject([
      { title: 'The scheduled sync of GitHub pull requests failed' },
    ]);
  });
});

describe('an upgrade', () => {
  it('makes the jobs of the older version name their schedules', async () => {
    const { _id } = await setInterval('daily');
    const { $client } = server.product.context.db;
    await $client.query(`alter table schedules drop constraint schedules_user_id_id_pk, drop column id, drop column cron,
      drop column time_zone, drop column last_sync, drop column last_start_at`);
    await $client.query(`drop index schedules_source; drop index schedules_interval`);
    await $client.query(
      'alter table schedules add constraint schedules_user_id_connection_id_entity_pk primary key (user_id, connection_id, entity)',
    );
    await $client.query(
      `update pgboss.job j set singleton_key = concat_ws('/', s.user_id, s.connection_id, s.entity),
        data = jsonb_build_object('userId', s.user_id, 'connectionId', s.connection_id, 'entity', s.entity)
      from schedules s where name = 'schedule' and state <= 'active' and j.data->>'userId' = s.user_id::text`,
    );

    await $client.query(readFileSync(MIGRATION, 'utf8').replaceAll('--> statement-breakpoint', ''));

    const [schedule] = await list();
    expect(schedule).toMatchObject({ every: 'daily', timeZone: 'UTC' });
    expect(schedule?._id).not.toBe(_id);
    const jobs = (await jobsOf(server, SCHEDULE_QUEUE.name)).filter(({ data }) => data.userId === userId);
    expect(jobs.map(({ data }) => data)).toEqual([{ userId, scheduleId: schedule?._id }]);
    await passScheduledTime(server, userId, DAY);
    expect(await awaitRuns(1)).toMatchObject([{ status: 'finished' }]);
  });
});
