import {
  type Alert,
  type ApiToken,
  type Category,
  ENDPOINTS,
  type Endpoint,
  type SavedQuery,
  type Schedule,
  type SearchResults,
  type Sync,
  type View,
} from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../test-support/shared-server.ts';
import { awaitEnd, startSync } from '../../test-support/syncing.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';

let server: TestServer;
let ada: Client;
let jonas: Client;
let demo: Client;
/** Ids of Ada's objects. */
const ids = {
  sync: '',
  query: '',
  view: '',
  category: '',
  notification: '',
  token: '',
  record: '',
  alert: '',
  delivery: '',
  schedule: '',
  passkey: '',
};

/** Returns the id of one of Ada's records, which exists. */
async function firstRecord(): Promise<string> {
  const { results } = await ada.get<SearchResults>('/api/data/search');
  const id = results[0]?.recordId ?? '';
  const path = `/api/data/records/github/gh-pulls?record=${id}`;
  expect((await ada.call('GET', path)).status).toBe(200);
  return id;
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
  demo = await new Client(server).demo();
  await ada.connect('github', 'ada-nowak');
  const started = await startSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
  ids.sync = (await awaitEnd(ada, started._id))._id;
  ids.record = await firstRecord();
  ids.notification = crypto.randomUUID();
  await server.product.context.db.$client.query(
    `insert into notifications (user_id, id, title, message, advice, provider, entity)
     select id, $1, '', '', '', '', '' from users where email like 'ada%'`,
    [ids.notification],
  );
  ids.passkey = crypto.randomUUID();
  await server.product.context.db.$client.query(
    `insert into passkeys (user_id, id, credential_id, public_key, counter, transports, name, is_backed_up)
     select id, $1, 'x', '', 0, '{}', 'mine', false from users where email like 'ada%'`,
    [ids.passkey],
  );
  ids.query = (
    await ada.post<SavedQuery>('/api/data/jnata-queries', { title: 'mine', jsonNataQuery: '$' })
  )._id;
  ids.category = (await ada.post<Category>('/api/data/views/category', { title: 'mine' }))._id;
  const view = {
    title: 'mine',
    description: 'x',
    jsonNataQuery: '$',
    providerId: 'github',
    entityLabel: 'gh-pulls',
  };
  ids.view = (
    await ada.post<View>('/api/data/views', { ...view, templateKey: 'pulls-all', category: ids.category })
  )._id;
  ids.alert = (await ada.post<Alert>('/api/data/alerts', { ...ALERT, viewId: ids.view }))._id;
  await ada.post(`/api/data/alerts/${ids.alert}/test`);
  const sent = await ada.get<{ results: { _id: string }[] }>('/api/data/alerts/deliveries');
  ids.delivery = sent.results[0]?._id ?? '';
  const daily = { every: 'daily', entitySettings: SCHEDULE.entitySettings };
  const saved = await ada.json<Schedule>('PUT', '/api/integrations/schedules/github/gh-pulls', daily);
  ids.schedule = saved._id ?? '';
  ids.token = (
    await ada.post<ApiToken>('/api/accounts/tokens', { name: 'mine', scope: 'read', expiresInDays: 1 })
  )._id;
});
afterAll(() => server?.remove());

const ALERT = { kinds: ['appeared'], digest: 'daily', bell: true, email: false };

const SCHEDULE = { cron: '0 8 * * *', timeZone: 'UTC', entitySettings: { owner: 'a', repo: 'b' } };

/** A valid body for each endpoint that has one. */
const BODIES: Record<string, unknown> = {
  renamePasskey: { name: 'theirs' },
  createToken: { name: 'theirs', scope: 'read', expiresInDays: 1 },
  connect: { values: {} },
  startSync: { providerId: 'github', entityLabel: 'gh-pulls', entitySettings: { owner: 'a', repo: 'b' } },
  planSync: { providerId: 'github', entityLabel: 'gh-pulls', entitySettings: { owner: 'a', repo: 'b' } },
  saveSchedule: { every: 'daily', entitySettings: { owner: 'a', repo: 'b' } },
  createSchedule: { ...SCHEDULE, providerId: 'github', entityLabel: 'gh-pulls' },
  updateSchedule: SCHEDULE,
  saveWebhook: { url: 'https://hook.example/' },
  saveNoticeMail: { email: false },
  saveQuery: { title: 'theirs', jsonNataQuery: '$' },
  updateQuery: { title: 'theirs', jsonNataQuery: '$' },
  queryView: { jsonNataQuery: '$count($)' },
  viewChart: { timeZone: 'UTC' },
  queryChart: {
    entryCollection: 'gh-pulls',
    templateKey: 'pulls-all',
    jsonNataQuery: '$',
    timeZone: 'UTC',
  },
  runQuery: { entryCollection: 'gh-pulls', templateKey: 'pulls-all', jsonNataQuery: '$' },
  downloadQuery: { entryCollection: 'gh-pulls', templateKey: 'pulls-all', jsonNataQuery: '$' },
  createView: {
    title: 't',
    description: 'd',
    jsonNataQuery: '$',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
  },
  restoreView: { undo: 'x' },
  keepCurve: { isKept: true },
  updateView: { title: 't', description: 'd', jsonNataQuery: '$' },
  createCategory: { title: 'theirs' },
  updateCategory: { title: 'theirs' },
  createAlert: { ...ALERT, viewId: crypto.randomUUID() },
  updateAlert: { ...ALERT, isPaused: true },
  adminChangePlan: { plan: 'pro' },
  adminSetAdministrator: { isAdministrator: true },
  adminDeleteAccount: { confirmation: 'ada.nowak@sandbox.example' },
};

const ID_OF: Record<string, () => string> = {
  deleteSync: () => ids.sync,
  cancelSync: () => ids.sync,
  verifySync: () => ids.sync,
  syncChanges: () => ids.sync,
  recordChange: () => ids.sync,
  readNotification: () => ids.notification,
  revokeToken: () => ids.token,
  renamePasskey: () => ids.passkey,
  removePasskey: () => ids.passkey,
  recordReading: () => ids.record,
  recordConversation: () => ids.record,
  attachment: () => ids.record,
  updateQuery: () => ids.query,
  deleteQuery: () => ids.query,
  updateView: () => ids.view,
  deleteView: () => ids.view,
  viewResults: () => ids.view,
  queryView: () => ids.view,
  viewChart: () => ids.view,
  downloadView: () => ids.view,
  viewFeed: () => ids.view,
  viewRuns: () => ids.view,
  viewAsOf: () => ids.view,
  viewDifference: () => ids.view,
  curve: () => ids.view,
  keepCurve: () => ids.view,
  curvePoints: () => ids.view,
  downloadCurve: () => ids.view,
  updateCategory: () => ids.category,
  deleteCategory: () => ids.category,
  createAlert: () => ids.view,
  updateAlert: () => ids.alert,
  deleteAlert: () => ids.alert,
  testAlert: () => ids.alert,
  alertDelivery: () => ids.delivery,
  updateSchedule: () => ids.schedule,
  deleteSchedule: () => ids.schedule,
};

/** The id of no run. */
const RUN = '6d0c2d0e-3c5e-4a59-8f0d-0d2a3b9c7e10';

/** The query of endpoints that need one. */
const QUERIES: Record<string, string> = {
  syncs: '?providers=google,github',
  searchValues: '?operator=from',
  timetable: '?cron=0+8+*+*+*&timeZone=UTC',
  syncDays: '?timeZone=UTC',
  syncNews: '?from=2026-11-26T00:00:00.000Z',
  viewAsOf: `?run=${RUN}`,
  viewDifference: `?run=${RUN}`,
};

function pathOf(name: string, endpoint: Endpoint): string {
  const path = endpoint.path
    .replace(/\{provider(Id)?\}/, 'github')
    .replace(/\{(entityLabel|entryCollection)\}/, 'gh-pulls')
    .replace('{templateKey}', 'pulls-all')
    .replace(/\{(id|viewId)\}/, ID_OF[name]?.() ?? 'x');
  const fields = endpoint.query?.shape ?? {};
  if ('provider' in fields) return `${path}?provider=github`;
  if ('record' in fields) return `${path}?record=${ID_OF[name]?.() ?? 'x'}`;
  return path + (QUERIES[name] ?? '');
}

const endpoints = Object.entries(ENDPOINTS) as [string, Endpoint][];

describe('each endpoint', () => {
  // @covers 6.without-token-route
  it.each(endpoints.filter(([, endpoint]) => endpoint.access !== 'none'))(
    'returns 401 without a token: %s',
    async (name, endpoint) => {
      const response = await new Client(server).call(endpoint.method, pathOf(name, endpoint), BODIES[name]);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: 'unauthenticated' } });
    },
  );

  // @covers 6.gate-answers-403
  it.each(endpoints.filter(([, endpoint]) => endpoint.access === 'change'))(
    'returns 403 when the plan does not include it: %s',
    async (name, endpoint) => {
      const response = await demo.call(endpoint.method, pathOf(name, endpoint), BODIES[name]);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ error: { code: 'plan-forbids' } });
    },
  );

  // @covers 6.another-user-things
  it.each(endpoints.filter(([name]) => name in ID_OF))(
    "returns 404 for another user's id and changes nothing: %s",
    async (name, endpoint) => {
      const response = await jonas.call(endpoint.method, pathOf(name, endpoint), BODIES[name]);
      expect(response.status).toBe(404);
      expect((await ada.call('GET', `/api/data/views/aggregate/${ids.view}`)).status).toBe(200);
      expect(await ada.get<SavedQuery[]>('/api/data/jnata-queries')).toEqual([
        { _id: ids.query, title: 'mine', jsonNataQuery: '$' },
      ]);
    },
  );

  // @covers 7.server-registers-exactly
  it('is one that the server registers, and the reverse', async () => {
    const description = await ada.get<{ paths: Record<string, object> }>('/api/openapi.json');
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(endpoints.map(([, { method, path }]) => `${method} ${path}`).sort());
  });
});

describe('version 1', () => {
  it('has the same endpoints below /api/v1, and describes them as OpenAPI 3.1', async () => {
    expect(await ada.get('/api/v1/data/views')).toEqual(await ada.get('/api/data/views'));
    expect((await ada.call('GET', '/api/v1/nothing')).status).toBe(404);
    expect((await new Client(server).call('GET', '/api/v1/data/views')).status).toBe(401);
    const description = await ada.get<{
      openapi: string;
      paths: Record<string, Record<string, { operationId: string; security: object[] }>>;
    }>('/api/v1/openapi.json');
    expect(description.openapi).toMatch(/^3\.1/);
    for (const [name, { method, path }] of endpoints) {
      const described = description.paths[path.replace(/^\/api\//, '/api/v1/')]?.[method.toLowerCase()];
      expect(described, name).toMatchObject({ operationId: name });
    }
    const views = description.paths['/api/v1/data/views']?.get;
    expect(views?.security).toEqual([{ session: [] }, { token: [] }]);
  });
});

describe('the description', () => {
  it('has the media type of each format of a file', async () => {
    const { paths } = await ada.get<{
      paths: Record<string, Record<string, { responses: Record<string, { content: object }> }>>;
    }>('/api/openapi.json');
    const typesOf = (path: string, method: string) =>
      Object.keys(paths[path]?.[method]?.responses[200]?.content ?? {}).sort();
    const tables = [
      'application/json',
      'application/vnd.apache.parquet',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/x-ndjson',
      'text/csv',
    ];
    expect(typesOf('/api/data/views/download/{viewId}', 'get')).toEqual(tables);
    expect(typesOf('/api/data/query/download', 'post')).toEqual(tables);
    expect(typesOf('/api/data/records/{providerId}/{entityLabel}/export', 'get')).toEqual(
      [...tables, 'application/mbox'].sort(),
    );
    expect(typesOf('/api/data/views/feed/{viewId}', 'get')).toEqual([
      'application/atom+xml',
      'text/calendar',
    ]);
  });
});

describe('each list', () => {
  it('contains only the objects of the caller', async () => {
    const lists = [
      '/api/integrations/synchronizations?providers=google,github',
      '/api/data/jnata-queries',
      '/api/data/views',
      '/api/data/views/categories',
      '/api/integrations/schedules',
    ];
    for (const path of lists) {
      expect(await ada.get<unknown[]>(path), path).toHaveLength(1);
      expect(await jonas.get<unknown[]>(path), path).toEqual([]);
    }

    for (const path of ['/api/data/alerts', '/api/data/alerts/deliveries'])
      expect(await jonas.get(path), path).toMatchObject({ results: [] });
    expect(await ada.get('/api/data/alerts')).toMatchObject({ results: [{ _id: ids.alert }] });
    const rows = '/api/integrations/entities/aggregation/gh-pulls/pulls-all';
    expect((await ada.get<{ count: number }>(rows)).count).toBeGreaterThan(10);
    expect(await jonas.get(rows)).toEqual({ results: [], count: 0 });
    expect(await jonas.get('/api/integrations/entities/mini/github/gh-pulls')).toEqual({
      results: [],
      count: 0,
    });
    expect(await jonas.get('/api/integrations/synchronizations/history')).toEqual({ results: [], count: 0 });
    const query = { entryCollection: 'gh-pulls', templateKey: 'pulls-all', jsonNataQuery: '$count($)' };
    expect(await jonas.post('/api/data/query', query)).toMatchObject({ results: [0] });
  });
});

describe('the store of records', () => {
  // @covers 1.data-provider-can authorisation.same-provider-account
  it('is separate for two users with the same provider account', async () => {
    await jonas.connect('github', 'ada-nowak');
    const { _id } = await startSync(jonas, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
    await awaitEnd(jonas, _id);
    await jonas.post('/api/integrations/entities/delete-all-data?provider=github');
    expect((await ada.get<Sync[]>('/api/integrations/synchronizations?providers=github')).length).toBe(1);
    expect(
      (await ada.get<{ count: number }>('/api/integrations/entities/aggregation/gh-pulls/pulls-all')).count,
    ).toBeGreaterThan(10);
  });
});

describe('GET /api/accounts', () => {
  it('refuses a session cookie without the Authorization header', async () => {
    const response = await fetch(`${server.url}/api/accounts`, {
      headers: { cookie: `dd-session=${ada.token}` },
    });
    expect(response.status).toBe(401);
  });
});

describe('POST /api/data/jnata-queries', () => {
  // @covers 5.saved-query-title
  it('reports invalid fields by their names, and malformed JSON', async () => {
    const response = await ada.call('POST', '/api/data/jnata-queries', {
      title: 'x'.repeat(21),
      jsonNataQuery: ' ',
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      error: {
        code: 'validation-failed',
        message: 'The request is not valid.',
        fields: { title: 'Must be 20 characters or less', jsonNataQuery: 'Required' },
      },
    });

    const broken = await fetch(`${server.url}/api/data/jnata-queries`, {
      method: 'POST',
      headers: { authorization: ada.token, 'content-type': 'application/json' },
      body: '{',
    });
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: { code: 'malformed-request' } });
  });
});
