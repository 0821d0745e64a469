import type { Alert, AlertDelivery, Alerts, Notifications, SavedAlert } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleAlerts } from '../../../test-support/jobs.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, startSync, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { isReached } from './compare-number.ts';

const ALERTS = '/api/data/alerts';
const NAME = 'ada-nowak/dotfiles';
const ALERT = { kinds: ['changed'], digest: 'each', bell: true, email: false };
let server: TestServer;
let ada: Client;
/** Number of pull requests. */
let count: number;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await sync();
  count = server.control.github.pullNumbers(NAME).length;
});
afterAll(() => server?.remove());

async function sync(): Promise<void> {
  await awaitEnd(ada, (await startSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' }))._id);
}

/** Adds a pull request, and waits until alerts were compared. */
async function grow(): Promise<void> {
  server.control.github.insertPull(NAME);
  count++;
  await sync();
  await settleAlerts(server);
}

async function find(id: string): Promise<Alert | undefined> {
  return (await ada.get<Alerts>(ALERTS)).results.find(({ _id }) => _id === id);
}

/** Watches the number of a view and waits for the first comparison. */
async function watch(jsonNataQuery: string, condition: object): Promise<string> {
  const view = {
    title: 'Pulls',
    description: 'd',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
    jsonNataQuery,
  };
  const { _id: viewId } = await ada.post<{ _id: string }>('/api/data/views', view);
  const { _id } = await ada.post<SavedAlert>(ALERTS, { ...ALERT, viewId, condition });
  await until(async () => {
    const alert = await find(_id);
    return alert?.comparedAt != null || alert?.problem != null;
  });
  return _id;
}

/** Returns the numbers of the deliveries of an alert, oldest first. */
async function reported(id: string) {
  const { results } = await ada.get<{ results: AlertDelivery[] }>(`${ALERTS}/deliveries?alert=${id}`);
  return results.map(({ changes: { number } }) => [number?.before, number?.now]).toReversed();
}

describe('isReached', () => {
  it.each([
    ['above', 10, 10, 11, true],
    ['above', 10, 11, 12, false],
    ['above', 10, 9, 10, false],
    ['below', 10, 10, 9, true],
    ['below', 10, 9, 8, false],
    ['by', 3, 10, 12, false],
    ['by', 3, 10, 7, true],
  ] as const)('says for %s %d: from %d to %d, %s', (kind, value, before, now, expected) => {
    expect(isReached({ kind, value, group: '' }, before, now)).toBe(expected);
  });
});

describe('an alert on a number', () => {
  it('reports once that it rose above a value, and each change by an amount since the last message', async () => {
    const above = await watch('$count($)', { kind: 'above', value: count + 1, group: '' });
    const by = await watch('{"all": $count($), "none": 0}', { kind: 'by', value: 2, group: 'all' });
    const rows = await watch('$', { kind: 'below', value: count, group: '' });
    const first = count;
    await grow();
    expect([await reported(above), await reported(by)]).toEqual([[], []]);
    await grow();
    await grow();
    await grow();
    expect(await reported(above)).toEqual([[first + 1, first + 2]]);
    expect(await reported(by)).toEqual([
      [first, first + 2],
      [first + 2, first + 4],
    ]);
    expect(await reported(rows)).toEqual([]);
    const { results } = await ada.get<Notifications>('/api/notifications');
    expect(results.map(({ message }) => message)).toContain(
      `The number rose above ${first + 1}: ${first + 2} (before: ${first + 1}).`,
    );
  });

  it('says that the view yields no such number, and sends tests with an example', async () => {
    const id = await watch('{"all": $count($)}', { kind: 'above', value: 5, group: 'open' });
    expect((await find(id))?.problem).toContain('no number for "open"');
    const [sent] = await ada.post<AlertDelivery[]>(`${ALERTS}/${id}/test?rows=current`);
    expect(sent?.changes.number).toMatchObject({ before: 5, now: 6 });
  });

  it('counts rows from none over one, which is no list, to several', async () => {
    const next = count;
    const id = await watch(`$[[${next}..${next + 9}]]`, { kind: 'above', value: 0, group: '' });
    const two = await watch(`$[[${next}..${next + 9}]]`, { kind: 'above', value: 1, group: '' });
    await grow();
    await grow();
    expect([await reported(id), await reported(two)]).toEqual([[[0, 1]], [[1, 2]]]);
  });

  it('takes names of the prototype of objects for names that are missing', async () => {
    for (const group of ['constructor', '__proto__']) {
      const id = await watch('{"all": $count($)}', { kind: 'above', value: 5, group });
      expect((await find(id))?.problem).toContain(`no number for "${group}"`);
    }
  });

  it('refuses a change by nothing', async () => {
    const viewId = crypto.randomUUID();
    const condition = { kind: 'by', value: 0, group: '' };
    expect((await ada.call('POST', ALERTS, { ...ALERT, viewId, condition })).status).toBe(422);
  });
});
