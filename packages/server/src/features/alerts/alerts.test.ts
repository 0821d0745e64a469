import type { Alert, AlertDelivery, Alerts, Notifications, SavedAlert } from '@datadeck/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hastenJobs, jobsOf, settleAlerts } from '../../../test-support/jobs.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, readSync, SYNCS, startSync, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { ALERT_CHECK_QUEUE } from './index.ts';

const ALERTS = '/api/data/alerts';
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const NAME = 'ada-nowak/dotfiles';
const VIEW = { title: 'All', description: 'd', providerId: 'github', entityLabel: 'gh-pulls' };
const ALL = { kinds: ['appeared', 'changed', 'disappeared'], digest: 'each', bell: true, email: false };
let server: TestServer;
let ada: Client;
let viewId: string;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await sync();
  viewId = await createView('$');
});
afterAll(() => server?.remove());
afterEach(async () => {
  for (const { _id } of (await ada.get<Alerts>(ALERTS)).results) await ada.call('DELETE', `${ALERTS}/${_id}`);
});

/** Runs a sync of the pull requests to its end. @returns its id */
async function sync(): Promise<string> {
  const { _id } = await awaitEnd(ada, (await startSync(ada, 'gh-pulls', DOTFILES))._id);
  return _id;
}

async function createView(jsonNataQuery: string, more: object = {}): Promise<string> {
  const body = { ...VIEW, jsonNataQuery, templateKey: 'pulls-all', ...more };
  return (await ada.post<{ _id: string }>('/api/data/views', body))._id;
}

/** Watches a view and waits for the first comparison. */
async function watch(more: object = {}): Promise<SavedAlert> {
  const saved = await ada.post<SavedAlert>(ALERTS, { ...ALL, viewId, ...more });
  await until(
    async () => (await find(saved._id)).comparedAt !== null || (await find(saved._id)).problem !== null,
  );
  return saved;
}

async function find(id: string): Promise<Alert> {
  const { results } = await ada.get<Alerts>(ALERTS);
  const found = results.find(({ _id }) => _id === id);
  if (!found) throw new Error('the alert is gone');
  return found;
}

async function deliveries(id: string): Promise<AlertDelivery[]> {
  return (await ada.get<{ results: AlertDelivery[] }>(`${ALERTS}/deliveries?alert=${id}`)).results;
}

/** Returns the counts of each delivery, oldest first: `+1 ~0 -0`. */
async function counts(id: string): Promise<string[]> {
  const found = (await deliveries(id)).map(({ changes }) => changes);
  return found
    .map(({ appeared, changed, disappeared }) => `+${appeared} ~${changed} -${disappeared}`)
    .toReversed();
}

async function notices(): Promise<string[]> {
  const { results } = await ada.get<Notifications>('/api/notifications');
  return results.map(({ title, message }) => `${title}: ${message}`);
}

describe('an alert', () => {
  it('reports what a sync added, changed and removed, once', async () => {
    const { github } = server.control;
    const { _id } = await watch();
    const [changed = 0, gone = 0] = github.pullNumbers(NAME);
    github.changePull(NAME, changed, { title: 'Another title' });
    github.removePull(NAME, gone);
    github.insertPull(NAME);
    await sync();
    await settleAlerts(server);
    expect(await counts(_id)).toEqual(['+1 ~1 -1']);
    const [delivery] = await deliveries(_id);
    expect(delivery).toMatchObject({ channel: 'bell', status: 'delivered', title: 'All' });
    expect(delivery?.changes.rows.find(({ kind }) => kind === 'changed')).toMatchObject({
      row: { title: 'Another title' },
      before: { number: changed },
    });
    expect(await notices()).toContain('All changed: 1 row appeared, 1 row changed, 1 row disappeared.');

    await sync();
    await settleAlerts(server);
    expect(await counts(_id)).toEqual(['+1 ~1 -1']);
  });

  it('reports only the chosen kinds', async () => {
    const { github } = server.control;
    const { _id } = await watch({ kinds: ['disappeared'] });
    const [gone = 0] = github.pullNumbers(NAME);
    github.insertPull(NAME);
    await sync();
    await settleAlerts(server);
    expect(await counts(_id)).toEqual([]);
    github.removePull(NAME, gone);
    await sync();
    await settleAlerts(server);
    expect(await counts(_id)).toEqual(['+0 ~0 -1']);
  });

  it('reports each change once when syncs follow one another', async () => {
    const { _id } = await watch();
    for (let round = 0; round < 6; round++) {
      server.control.github.insertPull(NAME);
      await sync();
    }
    await settleAlerts(server);
    const appeared = (await deliveries(_id)).reduce((total, { changes }) => total + changes.appeared, 0);
    expect(appeared).toBe(6);
  });

  it('reports what an undone sync takes back', async () => {
    const { _id } = await watch();
    server.control.github.insertPull(NAME);
    const last = await sync();
    await settleAlerts(server);
    await ada.json('DELETE', `${SYNCS}/${last}`);
    await settleAlerts(server);
    expect(await counts(_id)).toEqual(['+1 ~0 -0', '+0 ~0 -1']);
    await sync();
    await settleAlerts(server);
  });

  it.each(['cancelled', 'failed'])('reports what a %s sync stored before it ended', async (outcome) => {
    await ada.connect('google', 'ada.nowak@sandbox.example');
    const mails = { providerId: 'google', entityLabel: 'gmail-messages', templateKey: 'messages-all' };
    const { _id } = await watch({ viewId: await createView('$', { title: outcome, ...mails }) });
    const match = { api: 'gmail', path: /(messages|threads)\/\w/ } as const;
    const forever = { times: Number.POSITIVE_INFINITY, match, afterRequests: 100 };
    if (outcome === 'failed') server.control.fault({ name: 'insufficient-scope', ...forever });
    else server.control.fault({ name: 'latency', options: { milliseconds: 600_000 }, ...forever });
    const started = await startSync(ada, 'gmail-messages', { labelIds: 'INBOX' });
    if (outcome === 'cancelled') {
      await until(async () => ((await readSync(ada, started._id)).progress?.records ?? 0) >= 100);
      await ada.post(`${SYNCS}/${started._id}/cancel`);
    }
    expect((await awaitEnd(ada, started._id)).status).toBe('failed');
    server.control.clearFaults();
    await settleAlerts(server);
    const stored = (await find(_id)).rowCount ?? 0;
    expect(stored).toBeGreaterThanOrEqual(100);
    expect(await counts(_id)).toEqual([`+${stored} ~0 -0`]);
    expect((await deliveries(_id))[0]?.changes.rows).toHaveLength(20);
    await ada.post('/api/integrations/entities/delete-all-data?provider=google');
  });

  it('sends one message an hour with the difference over that time', async () => {
    const { github } = server.control;
    const { _id } = await watch({ digest: 'hourly' });
    for (let round = 0; round < 2; round++) {
      github.insertPull(NAME);
      await sync();
      await settleAlerts(server);
    }
    expect(await counts(_id)).toEqual([]);
    const [job, ...others] = await jobsOf(server, ALERT_CHECK_QUEUE.name);
    expect(others).toEqual([]);
    expect(job?.inSeconds).toBeGreaterThan(3000);
    expect(job?.inSeconds).toBeLessThanOrEqual(3600);
    await hastenJobs(server, ALERT_CHECK_QUEUE.name);
    await settleAlerts(server);
    expect(await counts(_id)).toEqual(['+2 ~0 -0']);
  });

  it('reports after a snooze, once, what changed during it, and at once when the snooze is ended', async () => {
    const { _id } = await watch();
    const save = (snoozedUntil: string | null | undefined) =>
      ada.json('PUT', `${ALERTS}/${_id}`, { ...ALL, isPaused: false, snoozedUntil });
    const add = async () => {
      server.control.github.insertPull(NAME);
      await sync();
      await settleAlerts(server);
    };
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await save(until);
    await add();
    await add();
    expect(await find(_id)).toMatchObject({ snoozedUntil: until, changedAt: null, lastDelivery: null });
    // A change of something else leaves the snooze.
    await save(undefined);
    const [job, ...others] = await jobsOf(server, ALERT_CHECK_QUEUE.name);
    expect(others).toEqual([]);
    expect(job?.inSeconds).toBeGreaterThan(3000);
    await save(null);
    await settleAlerts(server);
    expect(await counts(_id)).toEqual(['+2 ~0 -0']);
    const found = await find(_id);
    expect(found).toMatchObject({
      snoozedUntil: null,
      lastDelivery: { channel: 'bell', isTest: false, status: 'delivered' },
    });
    expect(found.changedAt).not.toBeNull();
  });

  it('is snoozed for at most 31 days', async () => {
    const { _id } = await watch();
    const snoozedUntil = new Date(Date.now() + 32 * 86_400_000).toISOString();
    const answer = await ada.call('PUT', `${ALERTS}/${_id}`, { ...ALL, isPaused: false, snoozedUntil });
    expect(answer.status).toBe(422);
  });

  it('starts again without a message when its view or its values change', async () => {
    const id = await createView('$[number > $from]', {
      title: 'From',
      parameters: [{ name: 'from', type: 'number', default: 0 }],
    });
    const { _id } = await watch({ viewId: id });
    const { rowCount } = await find(_id);
    expect(rowCount).toBeGreaterThan(0);
    await ada.json('PUT', `${ALERTS}/${_id}`, { ...ALL, parameters: '{"from":1000000}', isPaused: false });
    await until(async () => (await find(_id)).rowCount === 0);
    await ada.json('PUT', `/api/data/views/${id}`, {
      title: 'From',
      description: 'd',
      jsonNataQuery: '$[number > $from - 2000000]',
    });
    await sync();
    await settleAlerts(server);
    expect((await find(_id)).rowCount).toBe(rowCount);
    expect(await counts(_id)).toEqual([]);
  });

  it('identifies rows by the chosen field', async () => {
    const { github } = server.control;
    const id = await createView('$.{"number": number, "title": title}', { title: 'Titles' });
    const byNumber = await watch({ viewId: id, keyField: 'number' });
    const byContent = await watch({ viewId: id });
    const [changed = 0] = github.pullNumbers(NAME);
    github.changePull(NAME, changed, { title: 'Renamed once more' });
    await sync();
    await settleAlerts(server);
    expect(await counts(byNumber._id)).toEqual(['+0 ~1 -0']);
    expect(await counts(byContent._id)).toEqual(['+1 ~0 -1']);
  });
});

describe('an alert that cannot compare', () => {
  it.each([
    ['$error("Nothing works")', 'Nothing works'],
    ['[1..20001]', 'The result has more than 20,000 rows.'],
  ])('says so once, and pauses after five failures: %s', async (expression, problem) => {
    const id = await createView(expression, { title: expression.slice(0, 20) });
    const { _id } = await watch({ viewId: id });
    expect((await find(_id)).problem).toContain(problem);
    const title = expression.slice(0, 20);
    for (let failures = 2; failures <= 5; failures++) {
      const found = (await notices()).filter((text) => text.startsWith(`The alert on ${title}`));
      expect(found).toHaveLength(1);
      expect((await find(_id)).isPaused).toBe(false);
      server.control.github.insertPull(NAME);
      await sync();
      await settleAlerts(server);
    }
    const { isPaused } = await find(_id);
    expect(isPaused).toBe(true);
    expect((await notices())[0]).toBe(`The alert on ${title} is paused: ${(await find(_id)).problem}`);
  });

  it('compares with the last known rows after it is resumed', async () => {
    const { _id } = await watch();
    await ada.json('PUT', `${ALERTS}/${_id}`, { ...ALL, isPaused: true });
    server.control.github.insertPull(NAME);
    await sync();
    await settleAlerts(server);
    expect(await counts(_id)).toEqual([]);
    await ada.json('PUT', `${ALERTS}/${_id}`, { ...ALL, isPaused: false });
    await settleAlerts(server);
    expect(await counts(_id)).toEqual(['+1 ~0 -0']);
  });
});
