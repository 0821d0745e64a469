import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';

const PULLS = { providerId: 'github', entityLabel: 'gh-pulls' };
const SETTINGS = { entitySettings: { owner: 'aurora-labs', repo: 'harbor' } };
const ALERT = { kinds: ['appeared'], digest: 'each', bell: true, email: false };
const TEXTS = { title: 'a', description: 'x', jsonNataQuery: '$' };
/** Requests that store something for the user. */
const STORING_REQUESTS: [method: string, path: string, body: object][] = [
  ['POST', '/api/integrations/synchronizations', { ...PULLS, ...SETTINGS }],
  ['PUT', '/api/integrations/schedules/github/gh-pulls', { every: 'daily', ...SETTINGS }],
  ['POST', '/api/integrations/schedules', { ...PULLS, ...SETTINGS, cron: '0 8 1 1 *', timeZone: 'UTC' }],
  ['PUT', '/api/notifications/webhook', { url: 'https://hook.example/' }],
  ['POST', '/api/data/jnata-queries', TEXTS],
  ['POST', '/api/data/views/category', TEXTS],
  ['POST', '/api/data/views', { ...PULLS, ...TEXTS, templateKey: 'pulls-all' }],
];
let server: TestServer;

beforeAll(async () => {
  server = await shareServer();
});
afterAll(() => server?.remove());

/** Creates a view, keeps its curve, and creates an alert that has deliveries. */
async function watchView(ada: Client): Promise<string> {
  const view = { ...PULLS, ...TEXTS, title: 'watched', templateKey: 'pulls-all' };
  const { _id: viewId } = await ada.post<{ _id: string }>('/api/data/views', view);
  const { _id } = await ada.post<{ _id: string }>('/api/data/alerts', { ...ALERT, viewId });
  await ada.post(`/api/data/alerts/${_id}/test`);
  await ada.json('PUT', `/api/data/views/curve/${viewId}`, { isKept: true });
  return viewId;
}

async function query(statement: string): Promise<Record<string, unknown>[]> {
  return (await server.product.context.db.execute(sql.raw(statement))).rows;
}

/** Returns the tables with rows of users who do not exist. */
async function tablesWithRemains(): Promise<string[]> {
  const tables = await query(
    "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'user_id'",
  );
  expect(tables.length).toBeGreaterThan(10);
  const found: string[] = [];
  for (const { name } of tables) {
    const [rest] = await query(`select 1 from "${name}" where user_id not in (select id from users) limit 1`);
    if (rest) found.push(String(name));
  }
  return found;
}

describe('DELETE /api/accounts/delete-account', () => {
  // @covers 1.nothing-left-deleted
  it('leaves no rows of the user, even if requests store some during it', async () => {
    for (let time = 0; time < 10; time++) {
      const ada = await new Client(server).signIn('ada.nowak@sandbox.example');
      await ada.connect('github', 'ada-nowak');
      const viewId = await watchView(ada);
      const creations: typeof STORING_REQUESTS = [
        ['POST', '/api/data/alerts', { ...ALERT, viewId }],
        ['PUT', `/api/data/views/curve/${viewId}`, { isKept: true, parameters: '{}' }],
        ['POST', '/api/data/invitations', { viewId }],
      ];
      const requests = [...STORING_REQUESTS, ...creations];
      const deleting = ada.call('DELETE', '/api/accounts/delete-account');
      const answers = await Promise.all(requests.map((call) => ada.call(...call)));
      expect((await deleting).status).toBe(200);
      for (const { status, url } of answers) expect([200, 201, 202, 401, 404, 409], url).toContain(status);
    }
    await until(async () => (await tablesWithRemains()).length === 0);
  });
});

describe('the alerts on a view, and its curve', () => {
  const ALERTS = '/api/data/alerts';

  async function remaining(ada: Client): Promise<unknown[]> {
    const { results: alerts } = await ada.get<{ results: unknown[] }>(ALERTS);
    const { results } = await ada.get<{ results: unknown[] }>(`${ALERTS}/deliveries`);
    const tables = ['alert_snapshots', 'curves', 'curve_points'];
    const rows = await Promise.all(tables.map((table) => query(`select 1 from ${table}`)));
    return [...alerts, ...results, ...rows.flat()];
  }

  it('end with the view, with the data of its provider, and with all data', async () => {
    const ada = await new Client(server).signIn('ada.nowak@sandbox.example');
    await ada.connect('github', 'ada-nowak');
    for (const [method, pathOf] of [
      ['DELETE', (viewId: string) => `/api/data/views/${viewId}`],
      ['POST', () => '/api/integrations/entities/delete-all-data?provider=github'],
      ['DELETE', () => '/api/accounts/delete-data'],
    ] as const) {
      const viewId = await watchView(ada);
      await until(async () => (await remaining(ada)).length === 5);
      await ada.json(method, pathOf(viewId));
      expect(await remaining(ada), pathOf(viewId)).toEqual([]);
    }
    await ada.json('DELETE', '/api/accounts/delete-account');
  });
});
