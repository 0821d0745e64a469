import type { SavedWebhook, Webhook, WebhookOutcome } from '@datadeck/contract';
import { NOTICE_FORMATS } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HookServer } from '../../../test-support/hook-server.ts';
import { jobsOf } from '../../../test-support/jobs.ts';
import { MailServer } from '../../../test-support/mail-server.ts';
import { until } from '../../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import { addNotice, WEBHOOK_QUEUE } from './index.ts';
import { noticeBody, plainNotice } from './notice-text.ts';

const WEBHOOK = '/api/notifications/webhook';
const EMAIL = '/api/notifications/email';
const HOSTILE =
  '<!channel> *bold* [x](https://evil.example) @everyone\n- line <img src=x onerror=alert(1)> \u202egnp';
let server: TestServer;
let hook: HookServer;
let mailServer: MailServer;
let ada: Client;
let userId: string;

beforeAll(async () => {
  hook = await new HookServer().start();
  mailServer = await new MailServer().start();
  server = await startTestServer({ SMTP_URL: mailServer.url, SMTP_FROM: 'Datadeck <alerts@deck.example>' });
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  userId = (await ada.get<{ _id: string }>('/api/accounts'))._id;
});
afterAll(async () => {
  hook?.stop();
  mailServer?.stop();
  await server?.remove();
});
beforeEach(async () => {
  await ada.json('DELETE', WEBHOOK);
  await ada.json('PUT', EMAIL, { email: false });
  hook.hits.length = 0;
  mailServer.mails.length = 0;
  mailServer.refusal = undefined;
});

/** Stores a notification, as a failed run does. */
async function notify(message: string): Promise<void> {
  const { db, jobs } = server.product.context;
  const texts = { title: 'Synchronization failed', message, advice: 'Connect again.' };
  const about = { userId, provider: 'github', entity: 'gh-pulls', syncId: null, at: new Date() };
  await db.transaction((tx) => addNotice(tx, jobs, { ...texts, ...about }));
}

const noJobs = () => until(async () => (await jobsOf(server, WEBHOOK_QUEUE.name)).length === 0);

describe('a failure', () => {
  it('is mailed to the address of the account, if the user wants that', async () => {
    await notify('not wanted');
    expect(await ada.get<Webhook>(WEBHOOK)).toMatchObject({ email: false, url: '' });
    await ada.json('PUT', EMAIL, { email: true });
    expect(await ada.get<Webhook>(WEBHOOK)).toMatchObject({
      email: true,
      emailAddress: 'ada.nowak@sandbox.example',
    });
    await notify(HOSTILE);
    await until(() => mailServer.mails.length === 1);
    const source = mailServer.mails[0]?.source ?? '';
    expect(source).toContain('Subject: Synchronization failed');
    expect(source.split('Content-Type: text/html')[1]).not.toContain('<img');
    expect(source.replaceAll('=\r\n', '')).toContain(
      '/dashboard/integrations/synchronizations?details=3Dgh-pulls',
    );
  });

  it('is mailed again when the server refuses it, unless mails were switched off or the data deleted', async () => {
    await ada.json('PUT', EMAIL, { email: true });
    for (const stop of [
      () => ada.json('PUT', EMAIL, { email: false }),
      () => ada.json('DELETE', '/api/accounts/delete-data'),
    ]) {
      mailServer.refusal = '451 Try later';
      await notify('refused');
      await until(async () => (await jobsOf(server, WEBHOOK_QUEUE.name))[0]?.data.attempts === 1);
      mailServer.refusal = undefined;
      await stop();
      await server.product.context.db.execute(
        sql`update pgboss.job set start_after = now() where name = ${WEBHOOK_QUEUE.name}`,
      );
      await noJobs();
      expect(mailServer.mails).toEqual([]);
      await ada.json('PUT', EMAIL, { email: true });
    }
  });

  it.each(NOTICE_FORMATS)('reaches a webhook in the format %s, tests too', async (format) => {
    await ada.json<SavedWebhook>('PUT', WEBHOOK, { url: hook.url, format });
    expect((await ada.get<Webhook>(WEBHOOK)).format).toBe(format);
    await notify('The grant was revoked.');
    await until(() => hook.hits.length === 1);
    const body = hook.hits[0]?.body ?? '';
    expect(body.replaceAll('\\', '')).toContain('The grant was revoked.');
    expect(Object.keys(JSON.parse(body) as object)).toEqual(
      {
        json: ['event', 'entity', 'syncId', 'message', 'at'],
        slack: ['text', 'unfurl_links', 'unfurl_media'],
        discord: ['content', 'allowed_mentions'],
        teams: ['type', 'attachments'],
        matrix: ['text', 'html'],
        ntfy: ['topic', 'title', 'message', 'click'],
      }[format],
    );
    if (format !== 'json') expect(body.replaceAll('\\', '')).toContain(`${server.url}/dashboard/`);
    const tested = await ada.post<WebhookOutcome>(`${WEBHOOK}/test`);
    expect(tested).toMatchObject({ isDelivered: true, status: 200 });
  });

  it('is refused an address of ntfy that is no topic', async () => {
    const answer = await ada.call('PUT', WEBHOOK, { url: 'https://ntfy.sh/a/b', format: 'ntfy' });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('Must end with one topic');
  });
});

describe('noticeBody', () => {
  const notice = {
    title: HOSTILE,
    message: HOSTILE.repeat(20),
    advice: HOSTILE.repeat(20),
    url: 'https://deck.example/x',
  };

  it('lets texts of providers neither mention people, nor add lines or links under another text', () => {
    const { text } = noticeBody('slack', notice) as { text: string };
    expect(text).not.toContain('<!channel>');
    expect(text.match(/<https?:[^|]*/g)).toEqual(['<https://deck.example/x']);
    const { content } = noticeBody('discord', notice) as { content: string };
    expect(content.length).toBeLessThanOrEqual(2000);
    expect(content.match(/(?<!\\)\[[^\]]*\]\(/g)).toEqual(['[Open Datadeck](']);
    const { html } = noticeBody('matrix', notice) as { html: string };
    expect(html.match(/<[a-z]\w*/g)).toEqual(['<h2', '<p', '<p', '<p', '<a']);
    expect(plainNotice(notice).split('\n')).toHaveLength(5);
    for (const format of ['slack', 'discord', 'teams', 'matrix'] as const)
      expect(JSON.stringify(noticeBody(format, notice))).not.toContain('\u202e');
  });
});
