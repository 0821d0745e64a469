import type {
  AlertDelivery,
  AlertMessage,
  Alerts,
  Notifications,
  SavedAlert,
  SavedWebhook,
} from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HookServer, isSigned } from '../../../test-support/hook-server.ts';
import { hastenJobs, jobsOf } from '../../../test-support/jobs.ts';
import { MailServer } from '../../../test-support/mail-server.ts';
import { awaitEnd, startSync, until } from '../../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import { ALERT_DELIVERY_QUEUE, deleteOldDeliveries } from './index.ts';

const ALERTS = '/api/data/alerts';
const ADDRESS = 'ada.nowak@sandbox.example';
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const NAME = 'ada-nowak/dotfiles';
const TITLE = 'A <b>"view"</b> & more';
const NONE = { kinds: ['appeared', 'changed'], digest: 'each', bell: false, email: false };
const PULLS = { providerId: 'github', entityLabel: 'gh-pulls' };
const queue = ALERT_DELIVERY_QUEUE.name;
let server: TestServer;
let hook: HookServer;
let ntfy: HookServer;
let mailServer: MailServer;
let ada: Client;
let viewId: string;

beforeAll(async () => {
  hook = await new HookServer().start();
  ntfy = await new HookServer().start();
  mailServer = await new MailServer().start();
  server = await startTestServer({ SMTP_URL: mailServer.url, SMTP_FROM: 'Datadeck <alerts@deck.example>' });
  ada = await new Client(server).signIn(ADDRESS);
  await ada.connect('github', 'ada-nowak');
  await sync();
  const body = { title: TITLE, description: 'd', ...PULLS, jsonNataQuery: '$', templateKey: 'pulls-all' };
  viewId = (await ada.post<{ _id: string }>('/api/data/views', body))._id;
});
afterAll(async () => {
  hook?.stop();
  ntfy?.stop();
  mailServer?.stop();
  await server?.remove();
});
beforeEach(() => {
  hook.status = 200;
  mailServer.refusal = undefined;
  for (const list of [hook.hits, ntfy.hits, mailServer.mails]) list.length = 0;
});
afterEach(async () => {
  for (const { _id } of (await ada.get<Alerts>(ALERTS)).results) await ada.call('DELETE', `${ALERTS}/${_id}`);
  await server.product.context.db.execute(sql`delete from pgboss.job where name = ${queue}`);
});

async function sync(): Promise<void> {
  await awaitEnd(ada, (await startSync(ada, 'gh-pulls', DOTFILES))._id);
}

/** Watches the view and waits for the first comparison. */
async function watch(channels: object): Promise<SavedAlert> {
  const saved = await ada.post<SavedAlert>(ALERTS, { ...NONE, viewId, ...channels });
  await until(async () => (await ada.get<Alerts>(ALERTS)).results[0]?.comparedAt !== null);
  return saved;
}

const viewUrl = (deliveryId: string) =>
  `${server.url}/dashboard/data/views?provider=github&entity=gh-pulls&view=${viewId}&delivery=${deliveryId}`;
const recordUrl = (id: string) =>
  `${server.url}/dashboard/data/search?record=github%2Fgh-pulls%2F${id}&of=ada-nowak`;

/** Adds a pull request with a hostile title, and syncs. */
async function addPull(): Promise<void> {
  const number = server.control.github.insertPull(NAME);
  server.control.github.changePull(NAME, number, {
    title: '<img src=x onerror=alert(1)>\r\n- false & "line"',
  });
  await sync();
}

async function deliveries(): Promise<AlertDelivery[]> {
  return (await ada.get<{ results: AlertDelivery[] }>(`${ALERTS}/deliveries`)).results;
}

/** Waits until all deliveries have an outcome. */
async function settled(count: number): Promise<AlertDelivery[]> {
  await until(async () => {
    const found = await deliveries();
    return found.length === count && found.every(({ status }) => status !== 'waiting');
  });
  return deliveries();
}

/** Returns a part of a mail, decoded from quoted-printable. */
function mailPart(type: string): string {
  const source = mailServer.mails[0]?.source ?? '';
  const part = source.split(`Content-Type: ${type}`)[1]?.split('\r\n\r\n').slice(1).join('\n') ?? '';
  const body = part.split('\r\n----')[0] ?? '';
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

describe('a change', () => {
  it('is delivered once by each channel, with its outcome in the list', async () => {
    const general = await new HookServer().start();
    await ada.json<SavedWebhook>('PUT', '/api/notifications/webhook', { url: general.url });
    const { _id, webhookSecret } = await watch({
      bell: true,
      email: true,
      webhookUrl: hook.url,
      ntfyUrl: ntfy.url,
      ntfyToken: 'tk_secret',
    });
    await addPull();
    const found = await settled(4);
    expect(
      found.map(({ channel, status, attempts }) => `${channel} ${status} ${attempts}`).toSorted(),
    ).toEqual(['bell delivered 1', 'email delivered 1', 'ntfy delivered 1', 'webhook delivered 1']);

    const [hit, ...others] = hook.hits;
    expect(others).toEqual([]);
    expect(hit && isSigned(hit, webhookSecret ?? '')).toBe(true);
    const message = JSON.parse(hit?.body ?? '') as AlertMessage;
    // The id is part of what is signed, so that a message cannot be repeated as another one.
    expect(message.deliveryId).toBe(hit?.headers['x-datadeck-delivery']);
    expect(message).toMatchObject({ event: 'alert', alertId: _id, viewId, viewTitle: TITLE });
    expect(message.changes).toMatchObject({ appeared: 1, changed: 0, disappeared: 0 });
    const idOf = (wanted: string) => found.find(({ channel }) => channel === wanted)?._id ?? '';
    expect(message.url).toBe(viewUrl(idOf('webhook')));
    const [row] = message.changes.rows;
    expect(row?.record).toMatchObject({ account: 'ada-nowak' });
    expect(row?.record?.title).toContain('<img src=x onerror=alert(1)>');
    expect(row?.record?.place).toMatch(/^ada-nowak\/dotfiles #\d+$/);
    expect(row?.url).toBe(recordUrl(row?.key ?? ''));

    expect(ntfy.hits).toHaveLength(1);
    expect(ntfy.hits[0]?.headers.authorization).toBe('Bearer tk_secret');
    expect(JSON.parse(ntfy.hits[0]?.body ?? '')).toMatchObject({
      topic: 'hook',
      title: `${TITLE}: 1 row appeared`,
      click: viewUrl(idOf('ntfy')),
      message: expect.stringContaining(`\n  ${row?.url}\n`),
    });

    const { results } = await ada.get<Notifications>('/api/notifications');
    const notices = results.filter(({ title }) => title === `${TITLE} changed`);
    expect(notices).toMatchObject([
      { deliveryId: idOf('bell'), rows: [{ recordId: row?.key, account: 'ada-nowak' }] },
    ]);
    expect(notices[0]?.rows[0]?.text).toContain('<img src=x onerror=alert(1)> - false & "line" · ');
    // What marks the row in the view belongs to the user alone.
    const path = `${ALERTS}/deliveries/${idOf('bell')}`;
    expect(await ada.get(path)).toMatchObject({ keyField: null, newKeys: [row?.key] });
    const jonas = await new Client(server).signIn('jonas.weber@sandbox.example');
    expect((await jonas.call('GET', path)).status).toBe(404);
    // The user's webhook of notifications gets no copy of what the alert delivers.
    expect(await jobsOf(server, 'webhook')).toEqual([]);
    expect(general.hits).toEqual([]);
    general.stop();
  });

  it('is sent as a mail of text and plain HTML without remote content', async () => {
    await watch({ email: true });
    await addPull();
    await settled(1);
    expect(mailServer.mails).toMatchObject([{ from: 'alerts@deck.example', to: [ADDRESS] }]);
    const source = mailServer.mails[0]?.source ?? '';
    expect(source).toContain('Auto-Submitted: auto-generated');
    const [delivery] = await deliveries();
    expect(source).toContain(`Message-ID: <${delivery?._id}@deck.example>`);
    const text = mailPart('text/plain');
    expect(text).toContain('- <img src=x onerror=alert(1)> - false & "line" · ');
    const html = mailPart('text/html');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).toContain('A &lt;b&gt;&quot;view&quot;&lt;/b&gt; &amp; more');
    expect(html).not.toMatch(/<(img|b|script|style|link)\b/);
    const urls = [recordUrl(delivery?.changes.rows[0]?.key ?? ''), viewUrl(delivery?._id ?? '')];
    expect(html.match(/(src|href)="[^"]*"/g)).toEqual(
      urls.map((url) => `href="${url.replaceAll('&', '&amp;')}"`),
    );
  });

  it('is tried again after 30 s, 2 min, 10 min and an hour, and then has failed', async () => {
    hook.status = 500;
    await watch({ webhookUrl: hook.url });
    await addPull();
    for (const [attempts, pause] of [30, 120, 600, 3600].entries()) {
      await until(async () => (await deliveries())[0]?.attempts === attempts + 1);
      expect((await deliveries())[0]).toMatchObject({ status: 'waiting', outcome: 'Answered 500.' });
      await until(async () => (await jobsOf(server, queue))[0]?.state === 'created');
      const [job, ...others] = await jobsOf(server, queue);
      expect(others).toEqual([]);
      expect(Math.abs((job?.inSeconds ?? 0) - pause)).toBeLessThan(20);
      await hastenJobs(server, queue);
    }
    expect((await ada.get<Alerts>(ALERTS)).results[0]?.lastDelivery).toMatchObject({
      channel: 'webhook',
      outcome: 'Answered 500.',
    });
    expect(await settled(1)).toMatchObject([{ status: 'failed', attempts: 5, outcome: 'Answered 500.' }]);
    expect(new Set(hook.hits.map(({ headers }) => headers['x-datadeck-delivery'])).size).toBe(1);
    expect(hook.hits).toHaveLength(5);
  });
});

describe('a test', () => {
  it('is sent by each channel at once and returns the outcomes', async () => {
    mailServer.refusal = '550 5.1.1 <secret.internal> no such user';
    const { _id } = await watch({ bell: true, email: true, webhookUrl: hook.url, ntfyUrl: ntfy.url });
    const outcomes = await ada.post<AlertDelivery[]>(`${ALERTS}/${_id}/test`);
    expect(outcomes.map(({ channel, status, outcome }) => [channel, status, outcome])).toEqual([
      ['bell', 'delivered', 'Shown in the bell.'],
      ['email', 'failed', 'The mail server answered 550.'],
      ['webhook', 'delivered', 'Answered 200.'],
      ['ntfy', 'delivered', 'Answered 200.'],
    ]);
    expect(JSON.parse(hook.hits[0]?.body ?? '')).toMatchObject({ event: 'test' });
    expect((await deliveries()).map(({ isTest }) => isTest)).toEqual([true, true, true, true]);
  });
});

describe('a webhook for a chat', () => {
  it.each([
    ['slack', 'text'],
    ['discord', 'content'],
    ['teams', 'attachments'],
    ['matrix', 'html'],
  ])('gets the format of %s', async (webhookFormat, field) => {
    const { _id } = await watch({ webhookUrl: hook.url, webhookFormat });
    await ada.post(`${ALERTS}/${_id}/test?rows=current`);
    const body = JSON.parse(hook.hits[0]?.body ?? '') as Record<string, unknown>;
    expect(JSON.stringify(body[field])).toContain(`${server.url}/dashboard/data/search?record=`);
    expect((await ada.get<Alerts>(ALERTS)).results[0]?.webhookFormat).toBe(webhookFormat);
  });
});

describe('a test with real rows', () => {
  const tryRows = (id: string) => ada.call('POST', `${ALERTS}/${id}/test?rows=current`);

  it('sends the first rows of the view, labelled as a test', async () => {
    await addPull();
    const { _id } = await watch({ bell: true, webhookUrl: hook.url });
    expect((await tryRows(_id)).status).toBe(200);
    const message = JSON.parse(hook.hits[0]?.body ?? '') as AlertMessage;
    expect(message).toMatchObject({ event: 'test', changes: { appeared: 5 } });
    for (const row of message.changes.rows) expect(row.url).toBe(recordUrl(row.key ?? ''));
    expect(message.url).not.toContain('delivery=');
    const { results } = await ada.get<Notifications>('/api/notifications');
    expect(results[0]).toMatchObject({ title: `Test of the alert on ${TITLE}`, deliveryId: null });
    expect(results[0]?.rows).toHaveLength(5);
  });

  it.each([
    ['$[number < 0]', 'The view has no rows now'],
    ['$error("Nothing works")', 'Nothing works'],
  ])('says why there are none: %s', async (jsonNataQuery, text) => {
    const body = { title: 'none', description: 'd', ...PULLS, jsonNataQuery, templateKey: 'pulls-all' };
    const { _id: none } = await ada.post<{ _id: string }>('/api/data/views', body);
    const { _id } = await ada.post<SavedAlert>(ALERTS, { ...NONE, viewId: none, webhookUrl: hook.url });
    const answer = await tryRows(_id);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(text);
    expect(hook.hits).toEqual([]);
  });
});

describe('an alert', () => {
  it('shows its secrets once and stores its addresses encrypted', async () => {
    const channels = { webhookUrl: `${hook.url}?key=private`, ntfyUrl: ntfy.url, ntfyToken: 'tk_secret' };
    const { _id, webhookSecret } = await watch(channels);
    expect(webhookSecret).toMatch(/^[\w-]{20,}$/);
    const listed = JSON.stringify(await ada.get(ALERTS));
    expect(listed).not.toContain(webhookSecret);
    expect(listed).not.toContain('tk_secret');
    const { rows } = await server.product.context.db.execute(sql`select * from alerts`);
    for (const secret of ['private', 'tk_secret', webhookSecret])
      expect(JSON.stringify(rows)).not.toContain(secret);

    const save = (more: object) =>
      ada.json<SavedAlert>('PUT', `${ALERTS}/${_id}`, { ...NONE, ...channels, isPaused: false, ...more });
    expect((await save({ ntfyToken: undefined })).webhookSecret).toBeNull();
    expect((await save({ webhookUrl: hook.url })).webhookSecret).not.toBeNull();
  });

  it('does not send its token to another ntfy server', async () => {
    const { _id } = await watch({ ntfyUrl: ntfy.url, ntfyToken: 'tk_secret' });
    const save = (ntfyUrl: string) =>
      ada.json<SavedAlert>('PUT', `${ALERTS}/${_id}`, { ...NONE, ntfyUrl, isPaused: false });
    expect((await save(ntfy.url.replace('/hook', '/other'))).hasNtfyToken).toBe(true);
    expect((await save(hook.url)).hasNtfyToken).toBe(false);
    await ada.post(`${ALERTS}/${_id}/test`);
    expect(hook.hits[0]?.headers.authorization).toBeUndefined();
  });

  it('is one of at most 20, with at most 200 deliveries for 30 days', async () => {
    const { db } = server.product.context;
    const { _id } = await watch({ bell: true });
    const create = () => ada.call('POST', ALERTS, { ...NONE, viewId, bell: true });
    const statuses = await Promise.all(Array.from({ length: 24 }, async () => (await create()).status));
    expect(statuses.filter((status) => status === 201)).toHaveLength(19);
    expect(statuses.filter((status) => status === 409)).toHaveLength(5);

    await db.execute(sql`
      insert into alert_deliveries (user_id, id, alert_id, created_at, channel, is_test, title, changes, status)
      select a.user_id, gen_random_uuid(), a.id, now() - make_interval(hours => n), 'bell', false, 't',
        '{"appeared":1,"disappeared":0,"changed":0,"rows":[]}', 'delivered'
      from alerts a, generate_series(1, 300) n where a.id = ${_id}`);
    await db.execute(
      sql`update alert_deliveries set status = 'waiting' where created_at < now() - interval '299.5 hours'`,
    );
    await ada.post(`${ALERTS}/${_id}/test`);
    // A message that is still to be sent is not forgotten for newer ones.
    const waiting = await db.execute(sql`select 1 from alert_deliveries where status = 'waiting'`);
    expect(waiting.rowCount).toBe(1);
    const count = async () => (await ada.get<{ count: number }>(`${ALERTS}/deliveries`)).count;
    expect(await count()).toBe(200);
    await db.execute(sql`update alert_deliveries set created_at = created_at - interval '24 days'`);
    await deleteOldDeliveries(db);
    // The test, and those of fewer than 144 hours before.
    expect(await count()).toBe(144);
  });

  it.each([
    [{ bell: false }, 'bell'],
    [{ webhookUrl: 'http://example.com/' }, 'webhookUrl'],
    [{ webhookUrl: 'file:///etc/passwd' }, 'webhookUrl'],
    [{ ntfyUrl: 'https://ntfy.sh/' }, 'ntfyUrl'],
    [{ ntfyUrl: 'https://ntfy.sh/topic', ntfyToken: 'a\r\nX-Header: b' }, 'ntfyToken'],
    [{ bell: true, kinds: [] }, 'kinds'],
    [{ bell: true, parameters: '{"unknown":1}' }, 'unknown'],
  ])('is refused with %j', async (request, field) => {
    const response = await ada.call('POST', ALERTS, { ...NONE, viewId, ...request });
    expect(response.status).toBe(422);
    const { error } = (await response.json()) as { error: { fields: Record<string, string> } };
    expect(Object.keys(error.fields)).toContain(field);
  });
});

describe('an installation that refuses private addresses and sends no mails', () => {
  let closed: TestServer;
  beforeAll(async () => {
    closed = await startTestServer({ WEBHOOK_PRIVATE_ADDRESSES: 'refuse' });
  });
  afterAll(() => closed?.remove());

  it('posts to none of them', async () => {
    const jonas = await new Client(closed).signIn('jonas.weber@sandbox.example');
    const body = { title: 'v', description: 'd', ...PULLS, jsonNataQuery: '$', templateKey: 'pulls-all' };
    const { _id: own } = await jonas.post<{ _id: string }>('/api/data/views', body);
    const channels = { webhookUrl: hook.url, ntfyUrl: ntfy.url };
    const { _id } = await jonas.post<SavedAlert>(ALERTS, { ...NONE, viewId: own, ...channels });
    const outcomes = await jonas.post<AlertDelivery[]>(`${ALERTS}/${_id}/test`);
    for (const { status, outcome } of outcomes) {
      expect(status).toBe('failed');
      expect(outcome).toContain('leads into a private network');
    }
    expect(outcomes).toHaveLength(2);
    expect([...hook.hits, ...ntfy.hits]).toEqual([]);

    expect((await jonas.get<Alerts>(ALERTS)).emailAddress).toBeNull();
    const refused = await jonas.call('POST', ALERTS, { ...NONE, viewId: own, email: true });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('its operator has not set SMTP_URL');
  });
});
