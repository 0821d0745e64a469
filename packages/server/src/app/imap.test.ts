import { DOVECOT_MISSING, Dovecot, MailboxControl } from '@datadeck/connectors/test-support/imap';
import type { Provider, Sync, SyncPlan, Verification } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../test-support/shared-server.ts';
import { SYNCS } from '../../test-support/syncing.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';

const CONNECT = '/api/integrations/connections/imap';
const FIRST = 'open sesame';
const SECOND = 'a better one';
let server: TestServer;
let dovecot: Dovecot;
let mailbox: MailboxControl;
let ada: Client;

const values = (password: string) => ({
  host: '127.0.0.1',
  port: String(dovecot.ports.plain),
  security: 'none',
  user: 'ada',
  password,
});

const mail = (sender: string, subject: string) =>
  `From: ${sender}\r\nTo: ada@example.org\r\nSubject: ${subject}\r\n\r\nAbout ${subject}.`;

async function imapCard(): Promise<Provider | undefined> {
  const providers = await ada.get<Provider[]>('/api/integrations/providers');
  return providers.find(({ key }) => key === 'imap');
}

async function sync(entityLabel = 'imap-messages', settings: Record<string, string> = { mailbox: 'inbox' }) {
  const request = { providerId: 'imap', entityLabel, entitySettings: settings };
  const { _id } = await ada.post<Sync>(SYNCS, request);
  let latest: Sync | undefined;
  await expect
    .poll(
      async () => {
        const syncs = await ada.get<Sync[]>(`${SYNCS}?providers=imap`);
        latest = syncs.find((one) => one._id === _id);
        return latest?.status;
      },
      { timeout: 60_000, interval: 40 },
    )
    .not.toBe('started');
  return latest as Sync;
}

async function rows(template: string, entity = 'imap-messages'): Promise<Record<string, unknown>[]> {
  const path = `/api/integrations/entities/aggregation/${entity}/${template}`;
  return (await ada.get<{ results: Record<string, unknown>[] }>(path)).results;
}

/** Each test continues from the state of the previous one. */
describe.skipIf(DOVECOT_MISSING)('a mailbox connected by a form', () => {
  beforeAll(async () => {
    dovecot = await Dovecot.start({ ada: FIRST });
    mailbox = new MailboxControl(dovecot, 'ada', FIRST);
    await mailbox.append('INBOX', mail('Bo <bo@example.org>', 'one'), new Date('2026-01-05T10:00:00Z'));
    await mailbox.append('INBOX', mail('Cy <cy@example.com>', 'two'), new Date('2026-02-05T10:00:00Z'), [
      '\\Seen',
    ]);
    await mailbox.append('INBOX', mail('Bo <bo@example.org>', 'three'), new Date('2026-02-06T10:00:00Z'));
    await mailbox.create('Archive');
    server = await shareServer();
    ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  });
  afterAll(async () => {
    mailbox?.close();
    await server?.remove();
    await dovecot?.stop();
  });

  it('reports a wrong password or field at the field and does not connect', async () => {
    const wrong = await ada.call('POST', CONNECT, { values: values('wrong') });
    expect(wrong.status).toBe(422);
    const message = 'The mail server refused the user name or the password.';
    expect(await wrong.json()).toEqual({
      error: { code: 'validation-failed', message, fields: { password: message } },
    });
    const bad = await ada.call('POST', CONNECT, { values: { ...values(FIRST), port: 'x', user: '' } });
    expect(await bad.json()).toMatchObject({
      error: { fields: { port: 'Please enter a valid port', user: 'Required' } },
    });
    expect(await imapCard()).toMatchObject({ isBlocked: false, connection: null });
    expect((await ada.call('POST', '/api/integrations/connections/google', { values: {} })).status).toBe(404);
    expect((await ada.call('GET', '/auth/imap')).status).toBe(404);
  });

  it('connects, keeps the password encrypted, and never sends it back', async () => {
    await ada.post(CONNECT, { values: values(FIRST) });

    const card = await imapCard();
    expect(card).toMatchObject({
      isBlocked: true,
      connection: { status: 'connected', account: 'ada@127.0.0.1' },
    });
    expect(card?.form?.fields.map(({ name, defaultValue }) => [name, defaultValue])).toEqual([
      ['host', '127.0.0.1'],
      ['security', 'none'],
      ['port', String(dovecot.ports.plain)],
      ['user', 'ada'],
      ['password', ''],
    ]);

    const { rows: stored } = await server.product.context.db.execute(
      sql`select credentials::text from connections where provider = 'imap'`,
    );
    expect(JSON.stringify(stored)).not.toMatch(/sesame|accessToken/);
  });

  it('syncs mailboxes and messages, over which templates run', async () => {
    expect(await sync('imap-mailboxes', {})).toMatchObject({
      status: 'finished',
      summary: { entitiesSynced: 2 },
    });
    expect(await rows('imap-mailboxes-all', 'imap-mailboxes')).toMatchObject([
      { id: 'INBOX', messages: 3, unread: 2 },
      { id: 'Archive', messages: 0 },
    ]);

    expect(await sync()).toMatchObject({ status: 'finished', summary: { added: 3, total: 3 } });
    const all = await rows('imap-messages-all');
    expect(all.map(({ subject, unread }) => [subject, unread])).toEqual([
      ['three', true],
      ['two', false],
      ['one', true],
    ]);
    expect(all[0]).toMatchObject({
      from: { name: 'Bo', address: 'bo@example.org' },
      snippet: 'About three.',
    });
    expect(await rows('imap-messages-by-sender')).toMatchObject([
      { sender: 'bo@example.org', name: 'Bo', messages: 2, unread: 2, first: '2026-01-05T10:00:00Z' },
      { sender: 'cy@example.com', messages: 1, unread: 0 },
    ]);
    expect(await rows('imap-messages-by-month')).toEqual([
      { month: '2026-02', mailbox: 'INBOX', messages: 2, senders: 2, account: 'ada@127.0.0.1' },
      { month: '2026-01', mailbox: 'INBOX', messages: 1, senders: 1, account: 'ada@127.0.0.1' },
    ]);
  });

  it('fetches only new, flagged and deleted messages in the next sync', async () => {
    await mailbox.append('INBOX', mail('Di <di@example.org>', 'four'), new Date('2026-03-01T10:00:00Z'));
    await mailbox.flag('INBOX', 3, '\\Seen');
    await mailbox.remove('INBOX', 1);

    const request = {
      providerId: 'imap',
      entityLabel: 'imap-messages',
      entitySettings: { mailbox: 'INBOX' },
    };
    expect(await ada.post<SyncPlan>(`${SYNCS}/plan`, request)).toMatchObject({
      incremental: true,
      total: 3,
      records: 2,
      unitsPerMinute: null,
    });

    const done = await sync();
    expect(done.summary).toMatchObject({ incremental: true, added: 1, updated: 1, removed: 1 });
    const all = await rows('imap-messages-all');
    expect(all.map(({ subject, unread }) => [subject, unread])).toEqual([
      ['four', true],
      ['three', false],
      ['two', false],
    ]);
    expect(await ada.post<Verification>(`${SYNCS}/${done._id}/verify`)).toMatchObject({
      provider: 3,
      stored: 3,
      missing: 0,
      gone: 0,
    });
  });

  it('compares with the stored flags, which cursors do not repeat', async () => {
    const { db } = server.product.context;
    const isOwn = sql`user_id = (select id from users where email = 'ada.nowak@sandbox.example')`;
    const cursors = () =>
      db.execute<{ cursor: object }>(sql`select cursor from sync_cursors where scope = 'INBOX' and ${isOwn}`);
    const { rows: found } = await cursors();
    expect(found.map(({ cursor }) => Object.keys(cursor).sort())).toEqual([
      ['askAgain', 'older', 'uidValidity'],
    ]);

    // As a version before the column left it.
    await db.execute(sql`update imap_messages set flags = null, extraction = 3 where ${isOwn}`);
    await db.execute(sql`
      update sync_cursors set cursor = cursor - 'askAgain' || '{"known": {"a": "2:4"}}'
      where scope = 'INBOX' and ${isOwn}`);
    expect((await sync()).summary).toMatchObject({ incremental: true, added: 0, updated: 0, total: 3 });
    await mailbox.flag('INBOX', 4, '$Work');
    await db.execute(sql`update imap_messages set flags = '{}' where subject = 'four' and ${isOwn}`);
    expect((await sync()).summary).toMatchObject({ incremental: true, added: 0, updated: 1, total: 3 });
    expect((await rows('imap-messages-all'))[0]).toMatchObject({ subject: 'four', flags: ['$Work'] });
  });

  it('reads a mailbox in full when its UIDVALIDITY changed', async () => {
    await mailbox.append('Archive', mail('Bo <bo@example.org>', 'old'));
    await sync('imap-messages', { mailbox: 'Archive' });

    await mailbox.recreate('Archive');
    await mailbox.append('Archive', mail('Bo <bo@example.org>', 'older'));

    expect((await sync('imap-messages', { mailbox: 'Archive' })).summary).toMatchObject({
      added: 1,
      removed: 1,
    });
  });

  it('reports an unknown mailbox by its name', async () => {
    expect(await sync('imap-messages', { mailbox: 'Nowhere' })).toMatchObject({
      status: 'failed',
      summary: { errMessage: 'The mail server has no mailbox Nowhere. Check its name.' },
    });
  });

  it('asks to connect again after a password change, then syncs incrementally', async () => {
    await dovecot.changePasswords({ ada: SECOND });
    const failed = await sync();
    expect(failed.summary.errMessage).toBe(
      'The mail server refused the user name or the password. Connect it again.',
    );
    expect((await imapCard())?.connection?.status).toBe('reconnect-needed');

    await ada.post(CONNECT, { values: values(SECOND) });
    expect((await imapCard())?.connection?.status).toBe('connected');
    expect((await sync()).summary).toMatchObject({ incremental: true, added: 0, entitiesSynced: 3 });
  });

  it('deletes the password and keeps the data on disconnect', async () => {
    await ada.post('/api/integrations/providers/disconnect?provider=imap');
    expect(await imapCard()).toMatchObject({ isBlocked: false, connection: null });
    const { rows: stored } = await server.product.context.db.execute(
      sql`select credentials from connections where provider = 'imap'`,
    );
    expect(stored).toEqual([{ credentials: null }]);
    expect(await rows('imap-messages-all')).toHaveLength(4);
  });
});
