import type { Alerts, CreatedToken, Curve, QueryAnswer, SavedAlert, View } from '@datadeck/contract';
import { Client as Assistant } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobsOf, settleAlerts } from '../../test-support/jobs.ts';
import { ADA, MAIL_SETTINGS, MAILS, PULLS, signInWithBases } from '../../test-support/joined-bases.ts';
import { shareServer } from '../../test-support/shared-server.ts';
import { runSync, until } from '../../test-support/syncing.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';

/** One row for each of the three newest mails, with the number of pull requests. */
const ROWS =
  '($n := $count($pulls); $mails[[0..2]].{"id": id, "subject": subject, "date": date, "pulls": $n})';
let server: TestServer;
let ada: Client;
let viewId: string;

beforeAll(async () => {
  server = await shareServer();
  ada = await signInWithBases(server);
  viewId = await createView(ROWS);
}, 120_000);
afterAll(() => server?.remove());

/** Creates a view of pull requests and mails. @returns its id */
async function createView(jsonNataQuery: string): Promise<string> {
  const { name: _name, ...first } = PULLS;
  const request = { title: 'Both', description: 'd', ...first, bases: [PULLS, MAILS], jsonNataQuery };
  return (await ada.post<View>('/api/data/views', request))._id;
}

/** Creates a token for the view. */
async function tokenOf(rowBudget: number): Promise<string> {
  const request = { name: 't', scope: 'view', viewId, rowBudget, expiresInDays: 1 };
  return (await ada.post<CreatedToken>('/api/accounts/tokens', request)).token;
}

/** Removes the newest mail at the provider and reads the mails again. */
async function removeNewestMail(): Promise<void> {
  const newest = { entryCollection: 'gmail-messages', templateKey: 'messages-all', jsonNataQuery: '$[0].id' };
  const { results } = await ada.post<QueryAnswer>('/api/data/query', newest);
  server.control.gmail.remove(ADA, String(results[0]));
  await runSync(ada, 'gmail-messages', MAIL_SETTINGS);
}

describe('a view of mails and pull requests', () => {
  it('raises its alert and extends its curve after a sync of a further base', async () => {
    const curveId = await createView('$count($pulls) + $count($mails)');
    await ada.json('PUT', `/api/data/views/curve/${curveId}`, { isKept: true });
    const texts = { kinds: ['appeared', 'disappeared'], digest: 'each', bell: true, email: false };
    const { _id } = await ada.post<SavedAlert>('/api/data/alerts', { ...texts, viewId });
    const find = async () =>
      (await ada.get<Alerts>('/api/data/alerts')).results.find((one) => one._id === _id);
    await until(async () => (await find())?.comparedAt != null);
    await until(async () => (await jobsOf(server, 'curve-point')).length === 0);

    await removeNewestMail();
    await settleAlerts(server);
    await until(async () => (await jobsOf(server, 'curve-point')).length === 0);

    expect(await find()).toMatchObject({ problem: null, rowCount: 3 });
    const { results } = await ada.get<{ results: { changes: object }[] }>(
      `/api/data/alerts/deliveries?alert=${_id}`,
    );
    expect(results.map(({ changes }) => changes)).toEqual([
      expect.objectContaining({ appeared: 1, disappeared: 1 }),
    ]);
    const { points } = await ada.get<Curve>(`/api/data/views/curve/${curveId}`);
    const [first, second] = points.map(({ values }) => values['']);
    expect(second).toBe(Number(first) - 1);
  });

  it('is read by a token within its row budget', async () => {
    const reader = new Client(server);
    reader.token = await tokenOf(5);
    const path = `/api/v1/data/views/aggregate/${viewId}`;
    expect((await reader.get<QueryAnswer>(path)).results).toHaveLength(3);
    const refused = await reader.call('GET', path);
    expect(await refused.json()).toMatchObject({ error: { code: 'token-exhausted' } });
    expect((await reader.call('GET', '/api/v1/data/views')).status).toBe(403);
  });

  it.each([
    ['csv', /^id,subject,date,pulls\r?\n/],
    ['ndjson', /^\{"id":/],
    ['xlsx', /^PK/],
    ['parquet', /^PAR1/],
  ])('is exported as %s', async (format, expected) => {
    const response = await ada.call('GET', `/api/data/views/download/${viewId}?format=${format}`);
    const file = Buffer.from(await response.arrayBuffer()).toString('latin1');
    expect(response.status).toBe(200);
    expect(file.replace(/^\u00ef\u00bb\u00bf/, '')).toMatch(expected);
  });

  it('is a feed, and a tool of assistants', async () => {
    const token = await tokenOf(100);
    const feed = await fetch(`${server.url}/api/data/views/feed/${viewId}?token=${token}`);
    expect((await feed.text()).match(/<entry>/g)).toHaveLength(3);
    const assistant = new Assistant({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit });
    await assistant.connect(transport as Parameters<Assistant['connect']>[0]);
    const answer = await assistant.callTool({ name: 'run_view', arguments: { viewId } });
    await assistant.close();
    expect(JSON.stringify(answer.content)).toContain('pulls');
    expect(answer.isError).not.toBe(true);
  });
});
