import { DOVECOT_MISSING, Dovecot, freePort, MailboxControl } from '@datadeck/connectors/test-support/imap';
import type { Provider, Sync } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awaitEnd, SYNCS } from '../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';

const ADDRESS = 'ada@aurora.example';
const RENAMED = 'nowak@aurora.example';
const PASSWORD = 'open sesame';
const INBOX = {
  providerId: 'outlook',
  entityLabel: 'outlook-messages',
  entitySettings: { mailbox: 'INBOX' },
};

let server: TestServer;
let dovecot: Dovecot;
let mailbox: MailboxControl;
let ada: Client;
const log: string[] = [];
/** Tokens and codes of the whole file; a reset of the control forgets them. */
const secrets = new Set<string>();

const mail = (subject: string) =>
  `From: Bo <bo@example.org>\r\nTo: ${ADDRESS}\r\nSubject: ${subject}\r\n\r\nAbout ${subject}.`;

async function card(): Promise<Provider | undefined> {
  const providers = await ada.get<Provider[]>('/api/integrations/providers');
  return providers.find(({ key }) => key === 'outlook');
}

async function sync(request: object = INBOX): Promise<Sync> {
  const { _id } = await ada.post<Sync>(SYNCS, request);
  return awaitEnd(ada, _id);
}

async function rows(template: string, entity = 'outlook-messages'): Promise<Record<string, unknown>[]> {
  const path = `/api/integrations/entities/aggregation/${entity}/${template}`;
  return (await ada.get<{ results: Record<string, unknown>[] }>(path)).results;
}

const control = () => server.control.microsoft;
const collectSecrets = () => {
  for (const secret of control().issued()) secrets.add(secret);
};

/** Each test continues from the state of the previous one. */
describe.skipIf(DOVECOT_MISSING)('a mailbox of Microsoft', () => {
  beforeAll(async () => {
    const port = await freePort();
    const users = { [ADDRESS]: PASSWORD, [RENAMED]: PASSWORD };
    dovecot = await Dovecot.start(users, `http://127.0.0.1:${port}/sandbox/microsoft/introspect`);
    mailbox = new MailboxControl(dovecot, ADDRESS, PASSWORD);
    await mailbox.append('INBOX', mail('one'), new Date('2026-01-05T10:00:00Z'));
    await mailbox.append('INBOX', mail('two'), new Date('2026-02-05T10:00:00Z'), ['\\Seen']);
    server = await startTestServer(
      {
        PORT: String(port),
        LOG_LEVEL: 'debug',
        // The host of this setting is allowed although no other one is.
        CONNECT_HOSTS: 'mail.example.org',
        OUTLOOK_IMAP_HOST: `imap://127.0.0.1:${dovecot.ports.plain}`,
      },
      { logTo: { write: (line) => void log.push(line) } },
    );
    ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  });
  afterAll(async () => {
    mailbox?.close();
    await server?.remove();
    await dovecot?.stop();
  });

  it('is not connected when the person declines, and the log names the code', async () => {
    control().refuse('authorize', {
      error: 'access_denied',
      code: 90094,
      text: 'Admin consent is required.',
    });
    const { url } = await ada.navigator.visit(`${server.url}/auth/outlook`);
    expect(url.searchParams.get('provider')).toBe('');
    expect(ada.navigator.cookie('dd-failure')).toMatch(
      /lets only an administrator allow this app.*AADSTS90094/,
    );
    control().refuse('authorize', undefined);
    expect(log.join('')).toMatch(/lets only an administrator allow this app.*AADSTS90094/);
    expect(await card()).toMatchObject({ isBlocked: false, connection: null });
  });

  it('connects on the pages of Microsoft and keeps its tokens encrypted', async () => {
    expect(await ada.connect('outlook', ADDRESS)).toBe('outlook');
    expect(await card()).toMatchObject({
      isBlocked: true,
      connection: { status: 'connected', account: ADDRESS },
    });
    const { rows: stored } = await server.product.context.db.execute<{ subject: string }>(
      sql`select subject, credentials::text from connections where provider = 'outlook'`,
    );
    expect(stored[0]?.subject).toBe(
      '5d2b1c1e-7f0a-4a55-9a57-1f6f0c0a7d11/a0a7e2f4-30c5-4d5b-8a3e-6d2c9f1b0001',
    );
    collectSecrets();
    for (const secret of secrets) expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it('syncs mailboxes and messages, over which templates and searches run', async () => {
    const mailboxes = { providerId: 'outlook', entityLabel: 'outlook-mailboxes', entitySettings: {} };
    expect(await sync(mailboxes)).toMatchObject({ status: 'finished' });
    expect(await rows('outlook-mailboxes-all', 'outlook-mailboxes')).toMatchObject([
      { id: 'INBOX', messages: 2 },
    ]);
    expect(await sync()).toMatchObject({ status: 'finished', summary: { added: 2, total: 2 } });
    expect((await rows('outlook-messages-all')).map(({ subject }) => subject)).toEqual(['two', 'one']);
    expect(await rows('outlook-messages-by-sender')).toMatchObject([
      { sender: 'bo@example.org', messages: 2 },
    ]);
    expect(await rows('outlook-messages-by-month')).toMatchObject([
      { month: '2026-02' },
      { month: '2026-01' },
    ]);
  });

  it('finds messages by words and operators', async () => {
    const found = (q: string) =>
      ada.get<{ results: { title: string }[] }>(
        `/api/data/search?${new URLSearchParams({ q, providerId: 'outlook' })}`,
      );
    await expect
      .poll(async () => (await found('two from:bo in:inbox')).results.length, { timeout: 30_000 })
      .toBe(1);
    expect((await found('is:unread')).results).toHaveLength(1);
  });

  it('renews an expired access token', async () => {
    await mailbox.append('INBOX', mail('three'), new Date('2026-03-01T10:00:00Z'));
    const before = control().issued().length;
    control().expireAccessTokens();
    expect((await sync()).summary).toMatchObject({ incremental: true, added: 1 });
    expect(control().issued().length).toBeGreaterThan(before);
    expect((await card())?.connection?.status).toBe('connected');
  });

  it('names the reason when the organization switched IMAP off, and continues when it is on', async () => {
    control().switchImap(ADDRESS, false);
    const failed = await sync();
    expect(failed.status).toBe('failed');
    expect(failed.summary.errMessage).toMatch(
      /^Microsoft accepted the sign-in, but its mail server refuses IMAP .* IMAP is switched off.* Manage email apps/,
    );
    // To connect again would change nothing.
    expect((await card())?.connection?.status).toBe('connected');
    control().switchImap(ADDRESS, true);
    expect((await sync()).status).toBe('finished');
  });

  it('asks to connect again when the consent was withdrawn, and then continues', async () => {
    collectSecrets();
    control().withdrawConsent(ADDRESS);
    const failed = await sync();
    expect(failed.status).toBe('failed');
    expect(failed.summary.errMessage).toMatch(/Connect Outlook again.*AADSTS65001/);
    expect((await card())?.connection?.status).toBe('reconnect-needed');
    await ada.connect('outlook', ADDRESS);
    expect((await card())?.connection?.status).toBe('connected');
    expect((await sync()).summary).toMatchObject({ incremental: true, added: 0 });
  });

  it('stays the same account when its address changes', async () => {
    control().changeAddress(ADDRESS, RENAMED);
    collectSecrets();
    await ada.connect('outlook', RENAMED);
    expect((await card())?.connection).toMatchObject({ account: RENAMED });
    expect((await card())?.accounts).toHaveLength(1);
    expect(await rows('outlook-messages-all')).toHaveLength(3);
  });

  it('is disconnected and keeps the data', async () => {
    await ada.post('/api/integrations/providers/disconnect?provider=outlook');
    expect(await card()).toMatchObject({ isBlocked: false, connection: null });
    expect(await rows('outlook-messages-all')).toHaveLength(3);
  });

  it('leaves no token, code or secret in the log', () => {
    collectSecrets();
    const text = log.join('');
    expect(log.length).toBeGreaterThan(50);
    expect(text).toContain('/auth/outlook/callback');
    // A code, and an access, refresh and ID token for each sign-in and renewal.
    expect(secrets.size).toBeGreaterThan(12);
    for (const secret of [...secrets, PASSWORD, 'sandbox-secret']) expect(text.includes(secret)).toBe(false);
    expect(text).not.toMatch(/EwBA|M\.C5|eyJ[A-Za-z0-9_-]{20}/);
  });
});
