import { type SmallServer, startSmallServer } from '@datadeck/connectors/small-server';
import { CONNECTOR_BOUNDS, type ConnectorTrialResult } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveDraft, seenDraft } from '../../test-support/save-draft.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { ticketDocument } from '../../test-support/ticket-service.ts';

const PATH = '/api/admin/connectors/helpdesk';
const SECRET = 'Sk-7f3a91c2-unlikely-Zq81';

let server: TestServer;
let service: SmallServer;
let root: Client;
let log = '';
/** Answers that are held back, by a secret that asks for it. */
let held: (() => void)[] = [];

const trialOf = (secret: string, document: unknown = ticketDocument(service.url)) => ({
  document: JSON.stringify(document),
  entity: 'helpdesk-tickets',
  secret,
});

async function audited() {
  const { results } = await root.get<{ results: { action: string; detail: string }[] }>('/api/admin/audit');
  return results.map(({ action, detail }) => `${action} ${detail}`);
}

describe('trials of an administrator', () => {
  beforeAll(async () => {
    service = await startSmallServer((request, response) => {
      const { authorization = '' } = request.headers;
      const body = { tickets: [], id: 1, name: 'Ada', seen: `${'x'.repeat(75)}${authorization}` };
      const answer = () => response.end(JSON.stringify(body));
      if (authorization.endsWith('wait')) held.push(answer);
      else answer();
    });
    server = await startTestServer(
      {
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
        CONNECT_HOSTS: '127.0.0.1',
        LOG_LEVEL: 'debug',
      },
      {
        logTo: {
          write(line: string) {
            log += line;
          },
        },
      },
    );
    root = await new Client(server).signIn('ada.nowak@sandbox.example');
    await server.product.context.db.$client.query(
      "update users set is_administrator = true where email = 'ada.nowak@sandbox.example'",
    );
    await saveDraft(root, 'helpdesk', ticketDocument(service.url));
  });
  afterAll(async () => {
    service?.close();
    await server?.remove();
  });

  it('are audited with the host that got the secret, which neither log has', async () => {
    const result = await root.post<ConnectorTrialResult>(`${PATH}/try`, trialOf(SECRET));
    expect(result.account).toBe('Ada');
    const wrong = { ...ticketDocument(service.url), failed: "$error('a' & response.seen)" };
    const failed = await root.post<ConnectorTrialResult>(`${PATH}/try`, trialOf(SECRET, wrong));
    expect(failed.problems.length).toBeGreaterThan(0);
    const host = new URL(service.url).host;
    expect((await audited()).slice(0, 2)).toEqual(Array(2).fill(`connector-tried helpdesk, ${host}`));
    for (const text of [JSON.stringify([result, failed]), log, (await audited()).join()])
      expect(text).not.toContain(SECRET.slice(3, 11));
  });

  it('send nothing without TLS to a host that the operator does not name, and are not audited', async () => {
    const before = await audited();
    const insecure = { ...ticketDocument(service.url), baseUrl: 'http://example.com' };
    const { problems, request } = await root.post<ConnectorTrialResult>(
      `${PATH}/try`,
      trialOf(SECRET, insecure),
    );
    expect([problems, request]).toEqual([
      [{ path: 'baseUrl', message: expect.stringMatching(/^Use https/) }],
      null,
    ]);
    expect(await audited()).toEqual(before);
  });

  it('take secrets as long as connecting does', async () => {
    const longest = 'k9-'.repeat(CONNECTOR_BOUNDS.value).slice(0, CONNECTOR_BOUNDS.value);
    const tried = await root.post<ConnectorTrialResult>(`${PATH}/try`, trialOf(longest));
    expect(tried.answer?.status).toBe(200);
    await root.post(`${PATH}/publish`, await seenDraft(root, 'helpdesk'));
    const connect = (token: string) =>
      root.call('POST', '/api/integrations/connections/helpdesk', { values: { token } });
    expect((await connect(longest)).status).toBe(200);
    expect((await connect(`${longest}k`)).status).toBe(422);
    expect((await root.call('POST', `${PATH}/try`, trialOf(`${longest}k`))).status).toBe(422);
  });

  it('wait for each other in a bounded number', async () => {
    const running = Array.from({ length: 4 }, () => root.call('POST', `${PATH}/try`, trialOf('to wait')));
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(4);
    const refused = await root.call('POST', `${PATH}/try`, trialOf(SECRET));
    expect([refused.status, await refused.text()]).toEqual([
      429,
      expect.stringContaining('Other trials are running on this server'),
    ]);
    const release = setInterval(() => {
      for (const answer of held) answer();
      held = [];
    }, 20);
    for (const one of await Promise.all(running)) expect(one.status).toBe(200);
    clearInterval(release);
    expect((await root.call('POST', `${PATH}/try`, trialOf(SECRET))).status).toBe(200);
  });

  it('leave a draft that is discarded, which is audited', async () => {
    await saveDraft(root, 'helpdesk', {});
    await root.json('DELETE', `${PATH}/draft?changedAt=${(await seenDraft(root, 'helpdesk')).changedAt}`);
    expect((await audited())[0]).toBe('connector-discarded helpdesk');
  });
});
