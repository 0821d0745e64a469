import type { ConnectorDetail, Provider } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveDraft, seenDraft } from '../../test-support/save-draft.ts';
import { runSyncOf } from '../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { consentDocument, startTicketService, TICKET_CLIENT } from '../../test-support/ticket-service.ts';

const PATH = '/api/admin/connectors/helpdesk';
const ENTITY = 'helpdesk-tickets';

let service: Awaited<ReturnType<typeof startTicketService>>;
let server: TestServer;
let root: Client;

const sync = () => runSyncOf(root, { providerId: 'helpdesk', entityLabel: ENTITY });

const provider = async () =>
  (await root.get<Provider[]>('/api/integrations/providers')).find(({ key }) => key === 'helpdesk');

/** Each test continues from the state of the previous one. */
describe('a connector with the page of its provider', () => {
  beforeAll(async () => {
    service = await startTicketService(30);
    server = await startTestServer({ CONNECT_HOSTS: '127.0.0.1' });
    root = await new Client(server).signIn('ada.nowak@sandbox.example');
    await server.product.context.db.$client.query('update users set is_administrator = true');
    await saveDraft(root, 'helpdesk', consentDocument(service.url));
    await root.post(`${PATH}/publish`, await seenDraft(root, 'helpdesk'));
  });
  afterAll(async () => {
    service?.close();
    await server?.remove();
  });

  it('cannot be connected before the administrator has entered its client', async () => {
    expect(await provider()).toMatchObject({
      unavailable: expect.stringContaining('OAuth client of Help desk'),
    });
    const page = await root.navigator.visit(`${server.url}/auth/helpdesk`);
    expect(page.url.pathname).toBe('/dashboard/integrations/providers');
    expect(await root.get<ConnectorDetail>(PATH)).toMatchObject({
      clientId: null,
      callbackUrl: `${server.url}/auth/helpdesk/callback`,
    });
  });

  it('shows the id of the client and never its secret, which is encrypted', async () => {
    await root.json('PUT', `${PATH}/client`, TICKET_CLIENT);
    const text = JSON.stringify(await root.get<ConnectorDetail>(PATH));
    expect(text).toContain('"clientId":"datadeck"');
    expect(text).not.toContain(TICKET_CLIENT.secret);
    const { rows } = await server.product.context.db.$client.query('select * from connector_clients');
    expect(JSON.stringify(rows)).not.toContain(TICKET_CLIENT.secret);
    expect((await provider())?.unavailable).toBeUndefined();
  });

  it('connects an account by its page, with PKCE, and synchronizes it', async () => {
    const page = await root.navigator.visit(`${server.url}/auth/helpdesk`);
    expect(page.url.searchParams.get('provider')).toBe('helpdesk');
    expect(await provider()).toMatchObject({
      accounts: [{ account: 'ada@helpdesk.example', method: 'consent' }],
    });
    expect(await sync()).toMatchObject({ status: 'finished' });
  });

  it('renews a token that the provider no longer accepts', async () => {
    service.tokens.current = 'another-token';
    const ended = await sync();
    expect(ended).toMatchObject({ status: 'finished' });
    expect(service.tokens.current).toMatch(/^access-token-2/);
    expect(service.tokens.refused).toBe(0);
  });

  it('asks to connect again once the provider refuses the renewal', async () => {
    service.tokens.current = undefined;
    expect(await sync()).toMatchObject({ status: 'failed' });
    expect(await provider()).toMatchObject({ accounts: [{ status: 'reconnect-needed' }] });
  });

  it('sends its client to no address but the one for which it was entered', async () => {
    const other = await startTicketService(1);
    const seen: string[] = [];
    const watch = other.tokens.exchange.bind(other.tokens);
    other.tokens.exchange = (form) => {
      seen.push(form.toString());
      return watch(form);
    };
    await saveDraft(root, 'helpdesk', consentDocument(other.url));
    await root.post(`${PATH}/publish`, await seenDraft(root, 'helpdesk'));
    const page = await root.navigator.visit(`${server.url}/auth/helpdesk`);
    expect(page.url.searchParams.get('provider')).toBe('');
    expect(seen).toEqual([]);
    other.close();
  });

  it('has no path below /auth that belongs to the product', async () => {
    for (const [path, status] of [
      ['/auth/unknown', 404],
      ['/auth/unknown/callback', 404],
      ['/auth/demo', 200],
    ] as const)
      expect((await fetch(server.url + path)).status, path).toBe(status);
    for (const key of ['google', 'github', 'link', 'demo', 'gitlab']) {
      const saved = await saveDraft(root, key, { ...consentDocument(service.url), key });
      expect(saved.problems.map(({ path, message }) => `${path} ${message}`).join('\n')).toContain(
        'belongs to the product',
      );
      expect(
        (await root.call('POST', `/api/admin/connectors/${key}/publish`, await seenDraft(root, key))).status,
      ).toBe(422);
    }
  });
});
