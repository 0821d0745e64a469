import { randomBytes } from 'node:crypto';
import { DOVECOT_MISSING, Dovecot, MailboxControl } from '@datadeck/connectors/test-support/imap';
import type { CreatedToken, ErrorBody, RecordReading, Sync } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileFiles, mailOfFiles } from '../../../connectors/test-support/mail/hostile-files.ts';
import { shareServer } from '../../test-support/shared-server.ts';
import { runSync, SYNCS, until } from '../../test-support/syncing.ts';
import { Client, type TestServer } from '../../test-support/test-server.ts';

const ADA = 'ada.nowak@sandbox.example';
const JONAS = 'jonas.weber@sandbox.example';
const PASSWORD = 'open sesame';
const HOSTILE = 'invoice\u202efdp.exe';
let server: TestServer;
let ada: Client;

/** Writes a mail with files in base64. */
function mailOf(subject: string, files: readonly [name: string, bytes: Buffer][]): string {
  const parts = files.map(([name, bytes]) =>
    [
      '--b',
      // The sandbox converts texts to UTF-8.
      `Content-Type: ${bytes.includes('<script>') ? 'text/html' : 'application/octet-stream'}`,
      `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'Content-Transfer-Encoding: base64',
      '',
      (bytes.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n'),
    ].join('\r\n'),
  );
  const head = [`From: Bo <bo@files.example>`, `To: ${ADA}`, `Subject: ${subject}`];
  const type = 'Content-Type: multipart/mixed; boundary=b';
  return [...head, type, '', '--b', 'Content-Type: text/plain', '', 'Hello', ...parts, '--b--', ''].join(
    '\r\n',
  );
}

const pathOf = (
  record: string,
  { index = 0, provider = 'google', entity = 'gmail-messages', account = '' } = {},
) =>
  `/api/data/records/${provider}/${entity}/attachment?${new URLSearchParams({
    record,
    index: String(index),
    ...(account && { account }),
  })}`;

async function bytesOf(response: Response): Promise<Buffer> {
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(bytes.toString());
  return bytes;
}

async function errorOf(response: Response): Promise<ErrorBody['error']> {
  expect(response.ok).toBe(false);
  return ((await response.json()) as ErrorBody).error;
}

/** Delivers a mail to a Gmail account and synchronises it. @returns its id */
async function deliver(client: Client, raw: string, to = ADA): Promise<string> {
  const id = server.control.gmail.insertRaw(to, raw);
  await runSync(client, 'gmail-messages', { labelIds: 'INBOX' });
  return id;
}

const readingOf = (client: Client, record: string, entity = ['google', 'gmail-messages']) =>
  client.get<RecordReading>(`/api/data/records/${entity.join('/')}?${new URLSearchParams({ record })}`);

async function tokenClient(scope: string): Promise<Client> {
  const fields = { name: 't', scope, expiresInDays: 1 };
  const client = new Client(server);
  client.token = (await ada.post<CreatedToken>('/api/accounts/tokens', fields)).token;
  return client;
}

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn(ADA);
  await ada.connect('google', ADA);
});
afterAll(() => server?.remove());

describe('an attachment of a Gmail message', () => {
  it('is listed with its size and type, and fetched as a download that no browser runs', async () => {
    const script = Buffer.from('<script>alert(1)</script>');
    const record = await deliver(
      ada,
      mailOf('hostile', [
        [HOSTILE, script],
        ['b.html', randomBytes(70_000)],
      ]),
    );

    const { attachments } = await readingOf(ada, record);
    expect(attachments).toEqual({
      files: [
        { name: 'invoicefdp.exe', mimeType: 'text/html', size: script.length },
        { name: 'b.html', mimeType: 'application/octet-stream', size: 70_000 },
      ],
      isCutOff: false,
      access: 'available',
    });
    const response = await ada.call('GET', pathOf(record));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="invoicefdp.exe"; filename*=UTF-8''invoicefdp.exe`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-length': String(script.length),
    });
    expect(await bytesOf(response)).toEqual(script);
  });

  it('is only bytes to a browser, for 60 hostile files', async () => {
    const hostile = hostileFiles();
    const { type, body } = mailOfFiles(hostile);
    const head = ['From: M <m@hostile.example>', 'Subject: files', `Content-Type: ${type}`];
    const record = await deliver(ada, [...head, '', body].join('\r\n'));
    const { attachments } = await readingOf(ada, record);
    expect(attachments?.files).toHaveLength(60);
    for (const [index, { content }] of hostile.entries()) {
      const response = await ada.call('GET', pathOf(record, { index }));
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
      const name = encodeURIComponent(attachments?.files[index]?.name ?? '');
      const disposition = decodeURIComponent(response.headers.get('content-disposition') ?? '');
      expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''/);
      expect(disposition.endsWith(`'${decodeURIComponent(name)}`)).toBe(true);
      expect(await bytesOf(response)).toEqual(content);
    }
  }, 60_000);

  it('is of the user who asks, never of another one', async () => {
    const bytes = randomBytes(100);
    const record = await deliver(ada, mailOf('mine', [['a.bin', bytes]]));
    const jonas = await new Client(server).signIn(JONAS);
    await jonas.connect('google', JONAS);
    await runSync(jonas, 'gmail-messages', { labelIds: 'INBOX' });
    const missing = { code: 'not-found', message: 'This attachment does not exist.' };
    expect(await errorOf(await jonas.call('GET', pathOf(record)))).toEqual(missing);
    expect(await errorOf(await jonas.call('GET', pathOf('nothing')))).toEqual(missing);
    expect(await errorOf(await ada.call('GET', pathOf(record, { index: 1 })))).toEqual(missing);
    const labels = { entity: 'gmail-labels' };
    expect(await errorOf(await ada.call('GET', pathOf('INBOX', labels)))).toEqual(missing);
    expect((await ada.call('GET', pathOf(record, { index: 1000 }))).status).toBe(422);
    expect(await bytesOf(await ada.call('GET', pathOf(record)))).toEqual(bytes);
  });

  it('is fetched by a token of the scope sync, not by one that only reads', async () => {
    const bytes = randomBytes(100);
    const record = await deliver(ada, mailOf('by token', [['a.bin', bytes]]));
    const [reads, syncs] = [await tokenClient('read'), await tokenClient('sync')];
    expect(await errorOf(await reads.call('GET', pathOf(record)))).toMatchObject({ code: 'token-forbids' });
    expect((await readingOf(reads, record)).attachments?.files).toHaveLength(1);
    expect(await bytesOf(await syncs.call('GET', pathOf(record)))).toEqual(bytes);
  });

  it('is refused beyond 25 MB', async () => {
    const [largest, over] = [randomBytes(25 * 1024 * 1024), randomBytes(25 * 1024 * 1024 + 1)];
    const record = await deliver(ada, mailOf('large', [['largest.bin', largest]]));
    const response = await bytesOf(await ada.call('GET', pathOf(record)));
    expect(response.equals(largest)).toBe(true);
    const larger = await deliver(ada, mailOf('too large', [['over.bin', over]]));
    const refused = await ada.call('GET', pathOf(larger));
    expect(refused.status).toBe(413);
    expect(await errorOf(refused)).toEqual({
      code: 'attachment-too-large',
      message:
        'This file is larger than 25 MB, the most that Datadeck fetches. Save it in your mail program instead.',
    });
  }, 120_000);

  it('is one of at most two that a user fetches at a time, and a third waits for no slot after an abort', async () => {
    const record = await deliver(ada, mailOf('slow', [['a.bin', randomBytes(100)]]));
    server.control.fault({
      name: 'latency',
      match: { api: 'gmail', path: /attachments/ },
      times: Number.POSITIVE_INFINITY,
      options: { seconds: 600 },
    });
    const abort = new AbortController();
    const url = `${server.url}${pathOf(record)}`;
    const headers = { authorization: `Bearer ${ada.token}`, 'x-forwarded-for': server.address ?? '' };
    const route = 'gmail GET /v1/users/:userId/messages/:id/attachments/:attachmentId';
    const sent = () => server.control.counters().requests[route] ?? 0;
    const before = sent();
    const held = [1, 2].map(() => fetch(url, { headers, signal: abort.signal }).catch(() => undefined));
    await until(() => sent() >= before + 2);
    expect(await errorOf(await ada.call('GET', pathOf(record)))).toMatchObject({
      code: 'rate-limited',
      message: 'Two files are being fetched already. Wait until one is saved, then try again.',
    });
    abort.abort();
    await Promise.all(held);
    server.control.clearFaults();
    await until(async () => (await ada.call('GET', pathOf(record))).ok);
  }, 60_000);

  it('says so when the mail or its file is gone at Gmail', async () => {
    const record = await deliver(ada, mailOf('gone', [['a.bin', randomBytes(100)]]));
    const { $client } = server.product.context.db;
    const moved = `update gmail_messages set data = replace(data::text, '"partId":"1"', '"partId":"9"')::json, hash = 'x'
      where id = $1`;
    await $client.query(moved, [record]);
    const response = await ada.call('GET', pathOf(record));
    expect(response.status).toBe(410);
    expect(await errorOf(response)).toEqual({
      code: 'attachment-gone',
      message: 'This mail no longer has this file at Gmail. Synchronize again to see which files it has now.',
    });
    server.control.gmail.remove(ADA, record);
    expect(await errorOf(await ada.call('GET', pathOf(record)))).toEqual({
      code: 'mail-gone',
      message:
        'Gmail no longer has this mail: it was deleted or moved. Synchronize again to see what is there now.',
    });
  });

  it.each([
    ['insufficient-scope', 409, 'reconnect-needed'],
    ['html-error-body', 502, 'provider-unavailable'],
  ] as const)(
    'reports a refusal of Gmail: %s',
    async (name, status, code) => {
      const record = await deliver(ada, mailOf(name, [['a.bin', randomBytes(100)]]));
      if (name === 'insufficient-scope') server.control.fault({ name, match: { api: 'gmail' } });
      else server.control.fault({ name: 'html-error-body', match: { api: 'gmail' }, times: 20 });
      const response = await ada.call('GET', pathOf(record));
      server.control.clearFaults();
      expect(response.status).toBe(status);
      expect((await errorOf(response)).code).toBe(code);
    },
    90_000,
  );

  it('is refused with the time to wait while the quota is used up', async () => {
    const record = await deliver(ada, mailOf('quota', [['a.bin', randomBytes(100)]]));
    server.control.fault({ name: 'gmail-daily-limit', match: { api: 'gmail' } });
    const response = await ada.call('GET', pathOf(record));
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(await errorOf(response)).toMatchObject({
      code: 'rate-limited',
      message: 'Gmail asks to wait: its quota is used up.',
    });
  });

  it('of a further account comes from that account', async () => {
    await ada.returnFromConsent('google', JONAS, { add: '1' });
    const bytes = randomBytes(100);
    const id = server.control.gmail.insertRaw(JONAS, mailOf('theirs', [['a.bin', bytes]]));
    const body = { providerId: 'google', entityLabel: 'gmail-messages', account: JONAS };
    await ada.post<Sync>(SYNCS, { ...body, entitySettings: { labelIds: 'INBOX' } });
    await until(async () => (await ada.call('GET', pathOf(id))).ok);
    expect(await bytesOf(await ada.call('GET', pathOf(id, { account: JONAS })))).toEqual(bytes);
    expect(await errorOf(await ada.call('GET', pathOf(id, { account: ADA })))).toMatchObject({
      code: 'not-found',
    });
  });
});

describe('an attachment of a demo workspace', () => {
  it('is a sample file, of the size that its mail says', async () => {
    const demo = await new Client(server).demo();
    const { rows } = await server.product.context.db.$client.query<{ id: string }>(
      `select r.id from gmail_messages r join connections c on c.user_id = r.user_id and c.id = r.connection_id
       where c.status = 'sample' and r.attachments > 0 order by r.id`,
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { id } of rows) {
      const { attachments } = await readingOf(demo, id);
      for (const [index, { size }] of attachments?.files.entries() ?? []) {
        const bytes = await bytesOf(await demo.call('GET', pathOf(id, { index })));
        expect(bytes.length).toBe(size);
      }
    }
    expect(
      server.control.counters().requests['gmail GET /v1/users/:userId/messages/:id'] ?? 0,
    ).toBeGreaterThan(0);
  });
});

describe.skipIf(DOVECOT_MISSING)('an attachment of an IMAP message', () => {
  let dovecot: Dovecot;
  let mailbox: MailboxControl;
  const imap = { provider: 'imap', entity: 'imap-messages' };

  beforeAll(async () => {
    dovecot = await Dovecot.start({ ada: PASSWORD });
    mailbox = new MailboxControl(dovecot, 'ada', PASSWORD);
    const port = String(dovecot.ports.plain);
    const values = { host: '127.0.0.1', port, security: 'none', user: 'ada', password: PASSWORD };
    await ada.post('/api/integrations/connections/imap', { values });
  });
  afterAll(async () => {
    mailbox?.close();
    await dovecot?.stop();
  });

  it('is fetched from the server, says when it is gone, and stays there after Disconnect', async () => {
    const [small, large] = [randomBytes(100), randomBytes(200_000)];
    await mailbox.append(
      'INBOX',
      mailOf('imap', [
        [HOSTILE, small],
        ['b.bin', large],
      ]),
    );
    const request = {
      providerId: 'imap',
      entityLabel: 'imap-messages',
      entitySettings: { mailbox: 'INBOX' },
    };
    await ada.post<Sync>(SYNCS, request);
    const [uid = 0] = (await mailbox.list('INBOX')).map((one) => one.uid);
    const record = `INBOX/${mailbox.uidValidity('INBOX')}/${uid}`;
    await until(async () => (await ada.call('GET', pathOf(record, imap))).ok);

    expect(await bytesOf(await ada.call('GET', pathOf(record, imap)))).toEqual(small);
    expect(await bytesOf(await ada.call('GET', pathOf(record, { ...imap, index: 1 })))).toEqual(large);
    expect((await readingOf(ada, record, ['imap', 'imap-messages'])).attachments).toMatchObject({
      files: [{ name: 'invoicefdp.exe' }, { name: 'b.bin' }],
      access: 'available',
    });
    await mailbox.remove('INBOX', uid);
    expect(await errorOf(await ada.call('GET', pathOf(record, imap)))).toMatchObject({ code: 'mail-gone' });
    await ada.post('/api/integrations/providers/disconnect?provider=imap');
    expect((await readingOf(ada, record, ['imap', 'imap-messages'])).attachments).toMatchObject({
      files: [{ name: 'invoicefdp.exe' }, { name: 'b.bin' }],
      access: 'disconnected',
    });
    const response = await ada.call('GET', pathOf(record, imap));
    expect(response.status).toBe(409);
    expect(await errorOf(response)).toEqual({
      code: 'not-connected',
      message: 'IMAP is not connected. Connect it under Providers first.',
    });
  }, 60_000);
});
