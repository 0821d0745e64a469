import {
  type AdminAccounts,
  type Alerts,
  ENDPOINTS,
  type EndpointName,
  type Notifications,
  type Passkeys,
  type StartedAll,
  type Sync,
} from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlanCapture } from '../../test-support/captured-plans.ts';
import { HookServer } from '../../test-support/hook-server.ts';
import { passScheduledTime } from '../../test-support/jobs.ts';
import { newUser } from '../../test-support/new-user.ts';
import { partitionTenantTables } from '../../test-support/partitions.ts';
import { PasskeyPeople } from '../../test-support/passkey-people.ts';
import { PRODUCT_ENTITIES } from '../../test-support/product-entities.ts';
import { awaitEnd, SYNCS, startSync, until } from '../../test-support/syncing.ts';
import { createEmptyDatabase, type TestDatabase } from '../../test-support/test-database.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { visitConnectors } from '../../test-support/visit-connectors.ts';
import { visitShares } from '../../test-support/visit-shares.ts';
import { linkIdentity, SHELL, setAdministrator } from '../features/accounts/index.ts';
import { prepareRecordTables } from '../features/records/index.ts';
import { openDatabase } from '../platform/db/database.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';
import { fingerprint } from '../platform/ids.ts';
import { createLogger } from '../platform/log.ts';
import { runHousekeeping } from './housekeeping.ts';
import { findFreePort } from './http/listen.ts';

/** Statements that are for all users by their nature: what they do, and a part of their text. docs/run/scale.md lists them. */
const OF_ALL_USERS: Readonly<Record<string, string>> = {
  'lists the keys of stored secrets, at a start': `select distinct "credentials"->>'key' as key from "connections" where`,
  'sends jobs for syncs without one, at a start and in housekeeping':
    'update syncs set job_id = gen_random_uuid()',
  'sends jobs for schedules without one, at a start': '"next_at" from "schedules"',
  'lists what a new version must extract again, at a start':
    'select user_id, connection_id from record_versions',
  'lists what a new version must index again, at a start':
    'select user_id, connection_id, entity, after from search_pending order by after',
  'deletes cached pages, in housekeeping': 'delete from template_pages where computed_at < now()',
  'lists tokens that expire soon, in housekeeping': '"connections"."expiry_notified_at" is null',
  'lists expired tokens, in housekeeping':
    '("connections"."status" = $1 and "connections"."expires_at" < now())',
  'deletes calls by tokens after 30 days, in housekeeping':
    'delete from "api_token_uses" where "api_token_uses"."at"',
  'deletes calls by tokens beyond 1,000 of a token, in housekeeping': 'delete from api_token_uses u using',
  'deletes deliveries of alerts after 30 days, in housekeeping':
    'delete from "alert_deliveries" where "alert_deliveries"."created_at"',
  'deletes ids listed by ended syncs, in housekeeping': 'delete from sync_seen where sync_id not in',
  'asks whether any account has a passkey, for the login screen': 'select exists (select from "passkeys")',
  'lists the providers that accounts have connected, for administrators':
    'from "connections" where ("connections"."user_id" in ($1, $2',
  'lists which accounts have a passkey, for administrators':
    'from "passkeys" where "passkeys"."user_id" in ($1, $2',
  'asks whether another user has the same account at the provider, at the end of a connection':
    '("connections"."provider" = $1 and "connections"."subject" = $2 and "connections"."credentials" is not null)',
  'counts the accounts of a connector': 'as accounts from connections where provider',
  'lists whose accounts it has': 'select distinct user_id as id from connections',
  'forgets results, when a connector is published':
    'update record_versions set version = version + 1 where entity',
};
const PARTITIONS = 4;
const ADA = 'ada.nowak@sandbox.example';
const PULLS = { providerId: 'github', entityLabel: 'gh-pulls' };
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const VIEW = { title: 'v', description: 'd', jsonNataQuery: '$' };
const NOTHING = { owner: 'nobody', repo: 'nothing' };
const PULLS_PATH = ['github', 'gh-pulls'];
const HOUR_MS = 3_600_000;
let database: TestDatabase;
let server: TestServer;
let capture: PlanCapture;
let hook: HookServer;
const visited = new Set<string>();

beforeAll(async () => {
  database = await createEmptyDatabase();
  const db = openDatabase({ connectionString: database.url }, createLogger('silent'));
  await migrateDatabase(db.$client, async (client) => {
    await prepareRecordTables(client, PRODUCT_ENTITIES);
    await partitionTenantTables(client, PARTITIONS);
  });
  await db.$client.end();
  hook = await new HookServer().start();
  capture = await PlanCapture.start(database.url);
  const port = String(await findFreePort('127.0.0.1'));
  const PUBLIC_URL = `http://localhost:${port}`;
  const settings = { PORT: port, PUBLIC_URL, CONNECT_HOSTS: '127.0.0.1' };
  server = await startTestServer({ DATABASE_URL: database.url, ...settings });
});
afterAll(async () => {
  capture?.stop();
  hook?.stop();
  await server?.remove();
  await database?.drop();
});

/** Calls an endpoint, which must succeed. @param rest values of the path's parameters, and the query */
async function visit<T = { _id: string }>(
  client: Client,
  name: EndpointName,
  { path = [], query = '', body }: { path?: readonly string[]; query?: string; body?: unknown } = {},
): Promise<T> {
  const values = [...path];
  const { method, path: template } = ENDPOINTS[name];
  const response = await client.call(
    method,
    template.replaceAll(/\{[^}]+\}/g, () => values.shift() ?? '') + query,
    body,
  );
  const text = await response.text();
  expect(response.ok, `${name}: ${response.status} ${text}`).toBe(true);
  visited.add(name);
  return (response.headers.get('content-type')?.includes('application/json') ? JSON.parse(text) : text) as T;
}

/** Changes, removes and adds a pull request at the provider. */
function changePulls(): void {
  const { github } = server.control;
  const name = `${DOTFILES.owner}/${DOTFILES.repo}`;
  const [changed = 0, gone = 0] = github.pullNumbers(name);
  github.changePull(name, changed, { title: 'Another title' });
  github.removePull(name, gone);
  github.insertPull(name);
}

/** Connects both providers and runs two syncs of each entity. @returns the last one, which changed pull requests */
async function fillAccount(client: Client, login: string): Promise<Sync> {
  await client.connect('google', login);
  await client.connect('github', 'ada-nowak');
  for (const [entity, settings] of [
    ['gmail-labels', {}],
    ['gmail-messages', { labelIds: 'INBOX' }],
  ] as const)
    for (let count = 0; count < 2; count++)
      await awaitEnd(client, (await startSync(client, entity, settings))._id);
  await awaitEnd(client, (await startSync(client, 'gh-pulls', DOTFILES))._id);
  changePulls();
  return awaitEnd(client, (await startSync(client, 'gh-pulls', DOTFILES))._id);
}

/** Visits the endpoints that show syncs and records. */
async function visitSyncs(ada: Client, { _id: id }: Sync): Promise<void> {
  const { results } = await visit<{ results: { recordId: string }[] }>(ada, 'syncChanges', { path: [id] });
  const record = `?record=${results[0]?.recordId}`;
  await visit(ada, 'providers');
  await visit(ada, 'diskUse');
  await visit(ada, 'entities');
  await visit(ada, 'search', { query: '?q=dotfiles+is:merged' });
  await visit(ada, 'search', { query: '?q=otfil+author:ada-nowka' });
  for (const operator of ['author', 'label'])
    await visit(ada, 'searchValues', { query: `?operator=${operator}&text=a` });
  await visit(ada, 'exampleRecords', { path: PULLS_PATH });
  await visit(ada, 'exportRecords', { path: PULLS_PATH });
  await visit(ada, 'syncs', { query: '?providers=google,github' });
  await visit(ada, 'syncHistory', { query: '?provider=github&entity=gh-pulls&status=finished' });
  await visit(ada, 'syncHistory');
  await visit(ada, 'syncDays', { query: '?timeZone=UTC' });
  await visit(ada, 'syncNews', { query: '?from=2020-01-01T00:00:00.000Z' });
  await visit(ada, 'planSync', { body: { ...PULLS, entitySettings: DOTFILES } });
  await visit(ada, 'verifySync', { path: [id] });
  await visit(ada, 'recordChange', { path: [id], query: record });
  await visit(ada, 'recordVersions', { path: PULLS_PATH, query: record });
  await visit(ada, 'recordReading', { path: PULLS_PATH, query: record });
  await visit(ada, 'recordConversation', { path: PULLS_PATH, query: record });
  const found = await visit<{ results: { recordId: string }[] }>(ada, 'search', {
    query: '?q=has:attachment',
  });
  await visit(ada, 'attachment', {
    path: ['google', 'gmail-messages'],
    query: `?record=${found.results[0]?.recordId}&index=0`,
  });
  for (const path of [PULLS_PATH, ['google', 'gmail-messages'], ['google', 'gmail-labels']]) {
    const templates = await visit<{ templateKey: string }[]>(ada, 'templates', { path });
    for (const { templateKey } of templates)
      await visit(ada, 'aggregation', { path: [path[1] ?? '', templateKey] });
  }
  const search = 'is:merged OR (before:2030 label:bug)';
  const query = `?${new URLSearchParams({ search })}`;
  await visit(ada, 'aggregation', { path: ['gh-pulls', 'pulls-all'], query });
  await visit(ada, 'deleteSync', { path: [id] });
  const started = await startSync(ada, 'gh-pulls', DOTFILES);
  visited.add('startSync');
  await ada.call('POST', `${SYNCS}/${started._id}/cancel`);
  visited.add('cancelSync');
  await awaitEnd(ada, started._id);
}

/** Names an account, chooses the scopes of a source, and starts all sources. */
async function visitSources(ada: Client): Promise<void> {
  await visit(ada, 'nameAccount', { path: ['github'], body: { account: 'ada-nowak', title: 'Work' } });
  await visit(ada, 'scopeChoices', { path: PULLS_PATH, query: '?search=dotfiles' });
  const scopes = [`${DOTFILES.owner}/${DOTFILES.repo}`];
  await visit(ada, 'saveSource', { path: PULLS_PATH, body: { scopes } });
  const { started } = await visit<StartedAll>(ada, 'startAllSyncs');
  for (const { _id } of started) {
    await awaitEnd(ada, _id);
    await visit(ada, 'syncScopes', { path: [_id] });
  }
}

/** Visits the endpoints of queries, views and categories. */
async function visitViews(ada: Client): Promise<void> {
  const query = { title: 'q', jsonNataQuery: '$count($)' };
  const saved = await visit(ada, 'saveQuery', { body: query });
  await visit(ada, 'updateQuery', { path: [saved._id], body: { ...query, title: 'r' } });
  await visit(ada, 'savedQueries');
  for (const jsonNataQuery of ['$count($)', '$[state = "open"].title', '$[number > 3]'])
    await visit(ada, 'runQuery', {
      body: { entryCollection: 'gh-pulls', templateKey: 'pulls-all', jsonNataQuery },
    });
  await visit(ada, 'runQuery', {
    body: { entryCollection: 'gh-pulls', templateKey: 'pulls-all', search: 'is:merged', jsonNataQuery: '$' },
  });
  await visit(ada, 'downloadQuery', {
    body: { entryCollection: 'gh-pulls', templateKey: 'pulls-all', jsonNataQuery: '$', format: 'csv' },
  });
  const category = await visit(ada, 'createCategory', { body: { title: 'c' } });
  await visit(ada, 'updateCategory', { path: [category._id], body: { title: 'd' } });
  await visit(ada, 'categories');
  const base = await visit(ada, 'createView', {
    body: { ...VIEW, ...PULLS, templateKey: 'pulls-all', search: 'is:merged', category: category._id },
  });
  const top = await visit(ada, 'createView', { body: { ...VIEW, ...PULLS, basedOn: base._id } });
  await visit(ada, 'updateView', { path: [top._id], body: { ...VIEW, title: 'w' } });
  await visit(ada, 'views', { query: '?providerId=github&entityLabel=gh-pulls' });
  await visit(ada, 'viewResults', { path: [top._id] });
  await visit(ada, 'queryView', { path: [top._id], body: { jsonNataQuery: '$count($)' } });
  for (const format of ['json', 'ndjson', 'csv'])
    await visit(ada, 'downloadView', { path: [base._id], query: `?format=${format}` });
  await visit(ada, 'allViews', { query: '?page=1' });
  await visit(ada, 'viewFeed', { path: [base._id] });
  const { undo } = await visit<{ undo: string }>(ada, 'deleteView', { path: [top._id] });
  await visit(ada, 'restoreView', { body: { undo } });
  await visit(ada, 'deleteCategory', { path: [category._id] });
  await visit(ada, 'deleteQuery', { path: [saved._id] });
}

/** Visits the curve of a view, the view as of a run, its chart, and a board. */
async function visitHistory(ada: Client): Promise<void> {
  const { _id } = await visit(ada, 'createView', { body: { ...VIEW, ...PULLS, templateKey: 'pulls-all' } });
  const path = [_id];
  const { results: runs } = await visit<{ results: Sync[] }>(ada, 'viewRuns', { path });
  const query = `?run=${runs.at(-1)?._id}`;
  await visit(ada, 'viewAsOf', { path, query });
  await visit(ada, 'viewDifference', { path, query });
  await visit(ada, 'keepCurve', { path, body: { isKept: true } });
  await until(async () => (await visit<{ count: number }>(ada, 'curve', { path })).count > 0);
  await visit(ada, 'curvePoints', { path });
  await visit(ada, 'downloadCurve', { path });
  await visit(ada, 'keepCurve', { path, body: { isKept: false } });
  await visit(ada, 'viewChart', { path, body: { timeZone: 'UTC' } });
  const asked = { entryCollection: 'gh-pulls', templateKey: 'pulls-by-author', jsonNataQuery: '$' };
  await visit(ada, 'queryChart', { body: { ...asked, timeZone: 'UTC' } });
  const tile = { id: 'a', kind: 'view', width: 6, height: 4, viewId: _id, picture: 'chart', title: '' };
  const board = { path: [(await visit(ada, 'createBoard', { body: { title: 'b' } }))._id] };
  await visit(ada, 'addTile', { ...board, body: tile });
  await visit(ada, 'updateBoard', { ...board, body: { title: 'c', tiles: [tile], version: 2 } });
  for (const name of ['boards', 'board'] as const) await visit(ada, name, name === 'board' ? board : {});
  await visit(ada, 'mailBoard', { ...board, body: { weekly: false } });
  await visit(ada, 'deleteBoard', board);
  await visit(ada, 'deleteView', { path });
}

/** Visits the endpoints of schedules and notifications, and lets a scheduled run fail. */
async function visitSchedules(ada: Client, userId: string): Promise<void> {
  await visit(ada, 'saveWebhook', { body: { url: hook.url } });
  await visit(ada, 'saveNoticeMail', { body: { email: false } });
  await visit(ada, 'testWebhook');
  await visit(ada, 'webhook');
  for (const entitySettings of [NOTHING, DOTFILES]) {
    await visit(ada, 'saveSchedule', { path: PULLS_PATH, body: { every: 'hourly', entitySettings } });
    await passScheduledTime(server, userId, HOUR_MS);
    const [newest] = await visit<Sync[]>(ada, 'syncs', { query: '?providers=github' });
    await awaitEnd(ada, newest?._id ?? '');
  }
  const list = () => visit<Notifications>(ada, 'notifications');
  await until(async () => (await list()).results.length > 0);
  await visit(ada, 'readNotification', { path: [(await list()).results[0]?._id ?? ''] });
  await visit(ada, 'readNotifications');
  await visit(ada, 'schedules');
  const times = { cron: '0 8 1 * *', timeZone: 'UTC', entitySettings: DOTFILES };
  await visit(ada, 'saveSchedule', { path: PULLS_PATH, body: { every: 'off' } });
  const { _id } = await visit<{ _id: string }>(ada, 'createSchedule', { body: { ...PULLS, ...times } });
  await visit(ada, 'updateSchedule', { path: [_id], body: times });
  await visit(ada, 'deleteSchedule', { path: [_id] });
  await visit(ada, 'timetable', { query: `?${new URLSearchParams({ cron: times.cron, timeZone: 'UTC' })}` });
  await visit(ada, 'deleteWebhook');
}

/** Watches a view, waits for a change, and visits the endpoints of alerts. */
async function visitAlerts(ada: Client): Promise<void> {
  const [view] = await visit<{ _id: string }[]>(ada, 'views');
  const alert = { kinds: ['appeared', 'changed', 'disappeared'], digest: 'each', bell: true, email: false };
  const body = { ...alert, webhookUrl: hook.url };
  const { _id } = await visit(ada, 'createAlert', { body: { ...body, viewId: view?._id } });
  const list = () => visit<Alerts>(ada, 'alerts');
  await until(async () => (await list()).results[0]?.comparedAt !== null);
  changePulls();
  await awaitEnd(ada, (await startSync(ada, 'gh-pulls', DOTFILES))._id);
  await until(async () => (await visit<{ count: number }>(ada, 'alertDeliveries')).count === 2);
  await until(() => hook.hits.some(({ body: text }) => text.includes(_id)));
  const { results } = await visit<{ results: { _id: string }[] }>(ada, 'alertDeliveries', {
    query: `?alert=${_id}`,
  });
  await visit(ada, 'alertDelivery', { path: [results[0]?._id ?? ''] });
  await visit(ada, 'testAlert', { path: [_id] });
  await visit(ada, 'updateAlert', { path: [_id], body: { ...body, isPaused: true } });
  await visit(ada, 'deleteAlert', { path: [_id] });
}

/** Makes an API token, calls with it, and revokes it. */
async function visitTokens(ada: Client): Promise<void> {
  const [view] = await visit<{ _id: string }[]>(ada, 'views');
  const body = { name: 't', scope: 'view', expiresInDays: 1, viewId: view?._id, rowBudget: 1000 };
  const made = await visit<{ _id: string; token: string }>(ada, 'createToken', { body });
  const caller = new Client(server);
  caller.token = made.token;
  await visit(caller, 'viewResults', { path: [view?._id ?? ''] });
  await until(async () => (await visit<{ count: number }>(ada, 'tokenUses')).count > 0);
  await visit(ada, 'tokens');
  await visit(ada, 'revokeToken', { path: [made._id] });
}

/** Lists the sign-in methods, begins to add one, and removes one of two. */
async function visitSignInMethods(ada: Client, userId: string): Promise<void> {
  const headers = { authorization: `Bearer ${ada.token}` };
  const url = `${server.url}/auth/sign-in-methods/google`;
  expect((await ada.navigator.visit(url, { method: 'POST', headers })).status).toBe(200);
  visited.add('addSignInMethod');
  const identity = { issuer: 'https://second.example', subject: 'ada', email: '', name: '' };
  const owner = { userId, sessionHash: fingerprint(ada.token) };
  await linkIdentity(server.product.context, owner, { identity, provider: 'second' });
  const [oldest] = await visit<{ _id: string }[]>(ada, 'signInMethods');
  await visit(ada, 'removeSignInMethod', { path: [oldest?._id ?? ''] });
}

/** Adds a passkey, signs in with it, and removes it. */
async function visitPasskeys(ada: Client): Promise<void> {
  const people = new PasskeyPeople(server);
  const authenticator = await people.add(ada);
  const { status } = await people.signIn(authenticator);
  expect(status).toBe(200);
  for (const name of ['startPasskey', 'addPasskey', 'startPasskeySignIn', 'signInWithPasskey'])
    visited.add(name);
  const { passkeys } = await visit<Passkeys>(ada, 'passkeys');
  const path = [passkeys[0]?._id ?? ''];
  await visit(ada, 'renamePasskey', { path, body: { name: 'Key' } });
  await visit(ada, 'removePasskey', { path });
}

/** Lists accounts as an administrator, and changes and deletes one. */
async function visitAdministration(ada: Client, userId: string): Promise<void> {
  const { db } = server.product.context;
  await setAdministrator(db, { actor: SHELL, accountId: userId }, true);
  const { results } = await visit<AdminAccounts>(ada, 'adminAccounts');
  expect(results.length).toBeGreaterThan(1);
  const leaving = await newUser(server, 'leaving');
  const { _id } = await leaving.get<{ _id: string }>('/api/accounts');
  await visit(ada, 'adminAccount', { path: [userId] });
  await visit(ada, 'adminChangePlan', { path: [_id], body: { plan: 'pro' } });
  await visit(ada, 'adminSetAdministrator', { path: [_id], body: { isAdministrator: true } });
  await visit(ada, 'adminSetAdministrator', { path: [_id], body: { isAdministrator: false } });
  await visit(ada, 'adminSignOut', { path: [_id] });
  await visit(ada, 'adminDeleteAccount', { path: [_id], body: { confirmation: 'leaving@test.example' } });
  for (const name of ['adminPlans', 'adminHealth', 'adminFindings', 'adminAudit'] as const)
    await visit(ada, name);
  await visitConnectors(visit, ada);
}

/** Reads the first bytes of an event stream. */
async function visitEvents(ada: Client): Promise<void> {
  const response = await ada.call('GET', ENDPOINTS.events.path);
  expect(response.status).toBe(200);
  visited.add('events');
  await response.body?.cancel();
}

/** Deletes an account in steps, and waits until its rows are deleted. */
async function visitDeletions(ada: Client): Promise<void> {
  await visit(ada, 'deleteProviderData', { query: '?provider=github' });
  const token = server.control.github.createToken('ada-nowak');
  await visit(ada, 'connect', { path: ['github'], body: { values: { token } } });
  await visit(ada, 'disconnect', { query: '?provider=github' });
  await visit(ada, 'deleteAllData');
  await visit(ada, 'deleteAccount');
  const { db } = server.product.context;
  await db.execute('update deletions set created_at = now()');
  await until(
    async () => (await db.execute('select from deletions where swept_at is null')).rows.length === 0,
  );
}

describe('the statements of all requests and jobs', () => {
  beforeAll(async () => {
    const ada = await new Client(server).signIn(ADA);
    visited.add('signIn');
    const jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
    await visit(new Client(server), 'demoLogin');
    await visit(ada, 'product');
    const { _id: userId } = await visit(ada, 'profile');
    await visit(ada, 'updateProfile', { body: { timeZone: 'Europe/Berlin' } });
    await fillAccount(jonas, 'jonas.weber@sandbox.example');
    await visitSyncs(ada, await fillAccount(ada, ADA));
    await visitSources(ada);
    await visitViews(ada);
    await visitHistory(ada);
    await visitAlerts(ada);
    await visit(ada, 'addReadyBoard', { body: { key: 'team-reviews' } });
    await visitTokens(ada);
    await visitShares(visit, { reader: new Client(server), ada, jonas });
    await visitSchedules(ada, userId);
    await visitEvents(ada);
    await visitSignInMethods(ada, userId);
    await visitPasskeys(ada);
    await visitAdministration(ada, userId);
    await runHousekeeping(server.product);
    await visitDeletions(ada);
    await visit(jonas, 'logout');
  });

  it('are captured for each endpoint and each table of users', () => {
    const unvisited = Object.keys(ENDPOINTS).filter((name) => !visited.has(name));
    expect(unvisited).toEqual(['signInPreview']);
    const touched = new Set(capture.statements.flatMap(({ tables }) => [...tables]));
    expect(capture.tenantTables.filter((table) => !touched.has(table))).toEqual([]);
  });

  it('touch the rows of one partition, except those that are for all users', () => {
    const distinct = Map.groupBy(
      capture.statements.filter(({ tables }) => tables.size > 0),
      ({ text }) => text,
    );
    const wide = new Map(
      [...distinct].filter(([, all]) => all.some(({ partitions }) => partitions.size > 1)),
    );
    const isExpected = (text: string) => Object.values(OF_ALL_USERS).some((part) => text.includes(part));
    const unexpected = [...wide.keys()].filter((text) => !isExpected(text));
    console.log(
      `${capture.statements.length} statements captured, ${distinct.size} different ones on tables of users: ` +
        `${distinct.size - wide.size} touch one partition, ${wide.size} are for all users`,
    );
    expect(unexpected).toEqual([]);
    expect(distinct.size).toBeGreaterThan(150);
  });
});
