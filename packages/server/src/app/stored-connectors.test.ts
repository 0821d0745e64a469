import { startSmallServer } from '@datadeck/connectors/small-server';
import type {
  ConnectorDetail,
  ConnectorProof,
  Connectors,
  ConnectorTrialResult,
  Provider,
  StartedDocument,
  Sync,
} from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveDraft, seenDraft } from '../../test-support/save-draft.ts';
import { runSyncOf, SYNCS } from '../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { startTicketService, TICKET_TOKEN, ticketDocument } from '../../test-support/ticket-service.ts';
import { finishDeletedConnectors } from './deleted-connectors.ts';

const PATH = '/api/admin/connectors/helpdesk';
const ENTITY = 'helpdesk-tickets';
const KEYS = { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'), CONNECT_HOSTS: '127.0.0.1' };
const POINTS_AS_TEXT = { points: { type: 'text', value: "record.points & ' points'" } };

let service: Awaited<ReturnType<typeof startTicketService>>;
let server: TestServer;
/** Another process on the same database. */
let second: TestServer;
let root: Client;
let jonas: Client;
let elsewhere: Client;

type Row = Record<string, unknown>;

const sync = (client: Client) => runSyncOf(client, { providerId: 'helpdesk', entityLabel: ENTITY });

async function rowsOf(client: Client, template = 'helpdesk-rows'): Promise<Row[]> {
  const path = `/api/integrations/entities/aggregation/${ENTITY}/${template}`;
  return (await client.get<{ results: Row[] }>(path)).results;
}

async function publish(document: unknown): Promise<number> {
  await saveDraft(root, 'helpdesk', document);
  return (await root.post<{ version: number }>(`${PATH}/publish`, await seenDraft(root, 'helpdesk'))).version;
}

/** Waits until a process has the published version. */
async function untilKnown(client: Client): Promise<void> {
  const known = async () =>
    (await client.get<Provider[]>('/api/integrations/providers')).some(({ key }) => key === 'helpdesk');
  await expect.poll(known, { timeout: 10_000, interval: 20 }).toBe(true);
}

const tables = async () => {
  const { rows } = await server.product.context.db.$client.query<{ name: string }>(
    "select relname as name from pg_class where relname like 'helpdesk%' and relkind = 'r'",
  );
  return rows.map(({ name }) => name);
};

/** Each test continues from the state of the previous one. */
describe('a connector that an administrator writes', () => {
  beforeAll(async () => {
    service = await startTicketService(700);
    server = await startTestServer(KEYS);
    const { DATABASE_URL = '' } = server.config;
    second = await startTestServer({ ...KEYS, DATABASE_URL });
    root = await new Client(server).signIn('ada.nowak@sandbox.example');
    jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
    elsewhere = new Client(second);
    elsewhere.token = jonas.token;
    await server.product.context.db.$client.query(
      "update users set is_administrator = true where email = 'ada.nowak@sandbox.example'",
    );
  });
  afterAll(async () => {
    service?.close();
    await second?.remove();
    await server?.remove();
  });

  it('is a draft with faults at their places, which nobody sees and which is not published', async () => {
    const document = { ...ticketDocument(service.url), key: 'gitlab' };
    const saved = await saveDraft(root, 'helpdesk', document);
    expect(saved).toMatchObject({ problems: [{ path: 'entities.0.id' }, { path: 'key' }] });
    // Without TLS, only hosts are called that the operator names.
    const insecure = { ...ticketDocument(service.url), baseUrl: 'http://example.com/api' };
    const open = await saveDraft(root, 'helpdesk', insecure);
    expect(open).toMatchObject({ problems: [{ path: 'baseUrl' }] });
    await saveDraft(root, 'helpdesk', document);
    const refused = await root.call('POST', `${PATH}/publish`, await seenDraft(root, 'helpdesk'));
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ error: { fields: { key: expect.any(String) } } });
    expect(await tables()).toEqual([]);
    expect((await jonas.call('GET', PATH)).status).toBe(403);
  });

  it('is tried against the real API, and proved with the answer', async () => {
    const document = JSON.stringify(ticketDocument(service.url));
    const trial = { document, entity: ENTITY, secret: TICKET_TOKEN };
    const result = await root.post<ConnectorTrialResult>(`${PATH}/try`, trial);
    expect(result).toMatchObject({ answer: { status: 200 }, records: { count: 500 }, problems: [] });
    expect(result.columns.map(({ name, filled }) => [name, filled])).toContainEqual(['points', 500]);
    expect(result.suggestions.map(({ name }) => name)).toContain('state');
    expect(JSON.stringify(result)).not.toContain(TICKET_TOKEN);
    await root.post<ConnectorTrialResult>(`${PATH}/try`, trial);
    const { recordings } = await root.get<ConnectorDetail>(PATH);
    expect(result.account).toBe('ada@helpdesk.example');
    // The second trial's recordings took the place of the first's.
    expect(recordings).toMatchObject([
      { entity: 'identity', records: 1 },
      { entity: ENTITY, records: 500 },
    ]);
    const stored = await server.product.context.db.$client.query(
      'select answer::text from connector_recordings',
    );
    expect(JSON.stringify(stored.rows)).not.toMatch(/printers|ticket-token|ada@/);
    const { checks } = await root.post<ConnectorProof>(`${PATH}/prove`, { document });
    expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(12);
    const wrong = document.replace('"response.tickets"', '"response.nothing"');
    const failed = await root.post<ConnectorProof>(`${PATH}/prove`, { document: wrong });
    expect(failed.checks.map(({ path }) => path)).toContain('entities.0.records');
    const elsewhere = document.replace('"path":"/api/tickets"', '"path":"/api/closed"');
    expect(elsewhere).not.toBe(document);
    const again = await root.post<ConnectorProof>(`${PATH}/prove`, { document: elsewhere });
    const own = again.checks.filter(({ entity }) => entity === ENTITY);
    expect(own.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['undecided', 'Try this entity again: its request changed after the answer was recorded.'],
    ]);
  });

  it('is started from an answer of the API', async () => {
    const start = {
      from: 'example',
      key: 'desk2',
      title: 'Desk',
      address: `https://desk.example.com/api/tickets?per_page=50&page=1`,
      answer: JSON.stringify({ tickets: service.tickets.slice(0, 3), total: 700 }),
    };
    const { document } = await root.post<StartedDocument>('/api/admin/connectors/start', start);
    const draft = { document, changedAt: null };
    const saved = await root.json('PUT', '/api/admin/connectors/desk2/draft', draft);
    expect(saved).toMatchObject({ problems: [] });
    await root.json(
      'DELETE',
      `/api/admin/connectors/desk2/draft?changedAt=${(await seenDraft(root, 'desk2')).changedAt}`,
    );
    expect((await root.call('GET', '/api/admin/connectors/desk2')).status).toBe(404);
  });

  it('is offered in all processes once it is published, with a table of its own', async () => {
    expect(await publish(ticketDocument(service.url))).toBe(1);
    expect(await tables()).toEqual(['helpdesk_tickets']);
    await untilKnown(jonas);
    await untilKnown(elsewhere);
    const { connectors } = await root.get<Connectors>('/api/admin/connectors');
    expect(connectors).toMatchObject([{ key: 'helpdesk', state: 'published', version: 1, draftAt: null }]);
  });

  it('is connected and synchronized, found and read, in any process', async () => {
    const connect = { values: { token: TICKET_TOKEN } };
    await elsewhere.post('/api/integrations/connections/helpdesk', connect);
    expect(await sync(elsewhere)).toMatchObject({ status: 'finished' });
    const rows = await rowsOf(jonas);
    expect(rows[0]).toMatchObject({ subject: 'Ticket 700 about printers', points: 11 });
    const found = await jonas.get<{ results: unknown[] }>(
      '/api/data/search?q=%22Ticket%20300%20about%22&page=1',
    );
    expect(found.results).toHaveLength(1);
  });

  it('converts what is stored when a column is retyped, added and removed, and when it is rolled back', async () => {
    const [before] = await rowsOf(jonas, 'helpdesk-groups');
    expect(before).toMatchObject({ points: expect.any(Number) });
    const version2 = ticketDocument(service.url, {
      ...POINTS_AS_TEXT,
      state: { type: 'text', value: 'record.state' },
    });
    expect(await publish(version2)).toBe(2);
    for (const client of [jonas, elsewhere])
      await expect
        .poll(async () => (await rowsOf(client))[0], { timeout: 20_000 })
        .toMatchObject({
          points: '11 points',
          state: 'open',
        });
    const groups = await rowsOf(jonas, 'helpdesk-groups');
    expect(groups.every(({ points }) => / points$/.test(String(points)))).toBe(true);
    expect(await root.post(`${PATH}/restore`, { version: 1 })).toEqual({ version: 3 });
    for (const client of [jonas, elsewhere])
      await expect
        .poll(async () => (await rowsOf(client))[0], { timeout: 20_000 })
        .toEqual({
          subject: 'Ticket 700 about printers',
          points: 11,
          updated_at: expect.any(String),
        });
    expect(await sync(jonas)).toMatchObject({ status: 'finished' });
    const { versions } = await root.get<ConnectorDetail>(PATH);
    expect(versions.map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(versions[0]?.publishedBy).toBe('Ada Nowak');
  });

  it('shows what changed templates say at once, in all processes', async () => {
    const document = ticketDocument(service.url);
    const [entity] = document.entities as { templates: { key: string; orderBy?: unknown }[] }[];
    const rows = entity?.templates.find(({ key }) => key === 'helpdesk-rows');
    if (rows) rows.orderBy = [{ by: 'updated_at' }];
    await publish(document);
    for (const client of [jonas, elsewhere])
      await expect
        .poll(async () => (await rowsOf(client))[0], { timeout: 10_000 })
        // The plan keeps the newest 500.
        .toMatchObject({ subject: 'Ticket 201 about printers' });
  });

  it('finds nothing of an entity that its version no longer has, and the rest', async () => {
    const document = ticketDocument(service.url);
    const [entity] = document.entities as Record<string, unknown>[];
    const other = {
      ...entity,
      id: 'helpdesk-cases',
      templates: [{ key: 'helpdesk-cases-all', kind: 'records', title: 'All', description: 'All.' }],
    };
    await publish({ ...document, entities: [other] });
    const search = () => jonas.get<{ results: unknown[] }>('/api/data/search?q=printers&page=1');
    expect((await search()).results).toEqual([]);
    expect((await jonas.call('GET', '/api/data/search/facets?q=printers')).status).not.toBe(500);
    await root.post(`${PATH}/restore`, { version: 3 });
    await expect.poll(async () => (await search()).results.length, { timeout: 10_000 }).toBeGreaterThan(0);
  });

  it('is left out when it takes what the product has, and stops neither the others nor a start', async () => {
    const { context, connectors, registry } = server.product;
    const taken = JSON.stringify({ ...ticketDocument(service.url), key: 'gitlab' }).replaceAll(
      'helpdesk-',
      'gitlab-',
    );
    await context.db.$client.query(`insert into connectors (key, version) values ('gitlab', 1)`);
    await context.db.$client.query(
      `insert into connector_versions (connector_key, version, document, stored_names, published_by) values ('gitlab', 1, $1, '{}', gen_random_uuid())`,
      [taken],
    );
    await connectors.reload(context);
    expect(registry.connector('gitlab').title).toBe('GitLab');
    expect(registry.all().map(({ key }) => key)).toContain('helpdesk');
    await context.db.$client.query(`delete from connectors where key = 'gitlab'`);
    await context.db.$client.query(`delete from connector_versions where connector_key = 'gitlab'`);
  });

  it('asks to connect again when a version has another host, and sends it no secret', async () => {
    const seen: (string | undefined)[] = [];
    const other = await startSmallServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"tickets": []}');
    });
    await publish(ticketDocument(other.url));
    expect(await sync(jonas)).toMatchObject({ status: 'failed' });
    const providers = await jonas.get<Provider[]>('/api/integrations/providers');
    expect(providers.find(({ key }) => key === 'helpdesk')?.accounts).toMatchObject([
      { status: 'reconnect-needed' },
    ]);
    expect(seen.filter((header) => header?.includes(TICKET_TOKEN))).toEqual([]);
    await root.post(`${PATH}/restore`, { version: 3 });
    other.close();
  });

  it('is withdrawn: data stays readable, nothing is connected or synchronized', async () => {
    await root.post(`${PATH}/withdraw`, { isWithdrawn: true });
    expect((await rowsOf(jonas)).length).toBeGreaterThan(0);
    const refused = await jonas.call('POST', SYNCS, { providerId: 'helpdesk', entityLabel: ENTITY });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('withdrawn');
    const connect = { values: { token: TICKET_TOKEN } };
    expect((await jonas.call('POST', '/api/integrations/connections/helpdesk', connect)).status).toBe(409);
    const [last] = await jonas.get<Sync[]>(`${SYNCS}?providers=helpdesk`);
    expect((await jonas.call('POST', `${SYNCS}/${last?._id}/verify`)).status).toBe(409);
    await root.post(`${PATH}/withdraw`, { isWithdrawn: false });
  });

  it('is deleted with the data of all users, its tables and functions', async () => {
    expect((await root.call('POST', `${PATH}/delete`, { confirmation: 'wrong' })).status).toBe(422);
    await root.post(`${PATH}/delete`, { confirmation: 'helpdesk' });
    const gone = async () => {
      await finishDeletedConnectors(server.product);
      return tables();
    };
    await expect.poll(gone, { timeout: 20_000 }).toEqual([]);
    const { rows } = await server.product.context.db.$client.query(
      "select proname from pg_proc where proname like 'helpdesk%' union all select entity from search_entries where entity like 'helpdesk%'",
    );
    expect(rows).toEqual([]);
    const listed = async () =>
      (await elsewhere.get<Provider[]>('/api/integrations/providers')).map(({ key }) => key);
    await expect.poll(listed, { timeout: 10_000 }).not.toContain('helpdesk');
    const { results } = await root.get<{ results: { action: string; account: unknown; detail: string }[] }>(
      '/api/admin/audit',
    );
    const own = results.filter(({ action }) => /^connector-(?!edited|discarded)/.test(action));
    expect(own[0]).toMatchObject({ action: 'connector-deleted', account: null, detail: 'helpdesk' });
    expect(own.length).toBe(13);
  });
});
