import { startSmallServer } from '@datadeck/connectors/small-server';
import type { StartedDocument } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { startTicketService, TICKET_TOKEN } from '../../test-support/ticket-service.ts';

const START = '/api/admin/connectors/start';

let service: Awaited<ReturnType<typeof startTicketService>>;
let server: TestServer;
let root: Client;

interface Written {
  authentication: unknown;
  connect: { secret?: unknown };
  entities: { records: string; pagination: unknown; columns: Record<string, { type: string }> }[];
}

const start = (values: object) =>
  root.call('POST', START, { from: 'address', key: 'desk', title: 'Desk', ...values });

async function written(values: object): Promise<{ text: string; document: Written; remarks: string[] }> {
  const response = await start(values);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const { document, remarks } = JSON.parse(text) as StartedDocument;
  return { text, document: JSON.parse(document) as Written, remarks };
}

async function refusal(values: object): Promise<{ message: string; fields: Record<string, string> }> {
  const response = await start(values);
  expect(response.status).toBe(422);
  return ((await response.json()) as { error: { message: string; fields: Record<string, string> } }).error;
}

describe('a document that is started from an address', () => {
  beforeAll(async () => {
    service = await startTicketService(700);
    server = await startTestServer({ CONNECT_HOSTS: '127.0.0.1' });
    root = await new Client(server).signIn('ada.nowak@sandbox.example');
    await server.product.context.db.$client.query('update users set is_administrator = true');
  });
  afterAll(async () => {
    service?.close();
    await server?.remove();
  });

  it('has the list, pages and columns of the answer, and neither the secret nor a value of it', async () => {
    const address = `${service.url}/api/tickets?page=1&per_page=50`;
    const { text, document, remarks } = await written({ address, secret: TICKET_TOKEN });
    expect(document.authentication).toEqual({ kind: 'bearer' });
    expect(document.entities[0]).toMatchObject({
      records: 'response.tickets',
      pagination: { kind: 'page', parameter: 'page', size: 50, sizeParameter: 'per_page' },
      columns: { subject: { type: 'text' }, points: { type: 'integer' }, updated_at: { type: 'time' } },
    });
    expect(text).not.toContain(TICKET_TOKEN);
    expect(text).not.toContain('printers');
    expect(remarks.join(' ')).not.toContain('bearer token');
  });

  it('sends a key in a header or in the parameter that the address has', async () => {
    const seen: string[] = [];
    const other = await startSmallServer((request, response) => {
      seen.push(
        `${request.headers['x-api-key'] ?? ''} ${request.headers.authorization ?? ''} ${request.url}`,
      );
      response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id": 1, "title": "One"}]');
    });
    const byHeader = await written({
      address: `${other.url}/items`,
      header: 'X-Api-Key',
      secret: 'key-1234',
    });
    expect(byHeader.document.authentication).toEqual({ kind: 'api-key', in: 'header', name: 'x-api-key' });
    const inAddress = await written({ address: `${other.url}/items?api_key=key-5678` });
    expect(inAddress.document.authentication).toEqual({ kind: 'api-key', in: 'query', name: 'api_key' });
    const open = await written({ address: `${other.url}/items` });
    expect(open.document).toMatchObject({ authentication: { kind: 'none' }, connect: {} });
    expect(open.document.connect.secret).toBeUndefined();
    expect(seen).toEqual(['key-1234  /items', '  /items?api_key=key-5678', '  /items']);
    expect([byHeader.text, inAddress.text].join()).not.toMatch(/key-1234|key-5678/);
    other.close();
  });

  it('says at its field what the service refuses', async () => {
    const address = `${service.url}/api/tickets`;
    expect((await refusal({ address, secret: 'wrong' })).fields.secret).toContain('status 401');
    expect(
      (await refusal({ address: `${service.url}/nothing`, secret: TICKET_TOKEN })).fields.address,
    ).toContain('status 404');
  });

  it.each(['http://example.com/items', 'https://10.0.0.1/items', 'https://localhost/items'])(
    'calls no host that a trial would not call: %s',
    async (address) => {
      expect(Object.keys((await refusal({ address })).fields)).toEqual(['address']);
    },
  );

  it.each(['ftp://example.com/x', 'https://exa_mple.com', '//', ' '])(
    'is refused for %j',
    async (address) => {
      expect((await refusal({ address })).fields.address).toMatch(/no address of an API|Required/);
    },
  );

  it('says that a header cannot have the secret', async () => {
    const address = `${service.url}/api/tickets`;
    expect(Object.keys((await refusal({ address, header: 'Host', secret: 'x' })).fields)).toEqual(['header']);
  });

  it('is one to complete by hand when the answer is not JSON', async () => {
    const other = await startSmallServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).end('id,title\n1,One\n');
    });
    const { document, remarks } = await written({ address: `${other.url}/items.csv` });
    expect(remarks[0]).toBe('The answer is not JSON, but text/csv: choose its format.');
    expect(document.entities).toHaveLength(1);
    other.close();
  });
});
