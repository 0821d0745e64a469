import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SavedWebhook, Webhook } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HookServer, isSigned } from '../../../test-support/hook-server.ts';
import { hastenJobs, jobsOf } from '../../../test-support/jobs.ts';
import { until } from '../../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import { addNotice, WEBHOOK_QUEUE, workOnWebhooks } from './index.ts';

const WEBHOOK = '/api/notifications/webhook';
const MIGRATION = fileURLToPath(new URL('../../../migrations/0015_webhook-jobs.sql', import.meta.url));
const queue = WEBHOOK_QUEUE.name;
let server: TestServer;
let hook: HookServer;
let ada: Client;
let userId: string;
let secret: string;

// No worker runs in this process until a test starts one.
beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
  hook = await new HookServer().start();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  userId = (await ada.get<{ _id: string }>('/api/accounts'))._id;
});
afterAll(async () => {
  hook?.stop();
  await server?.remove();
});
beforeEach(async () => {
  hook.status = 200;
  hook.hits.length = 0;
  ({ secret } = await ada.json<SavedWebhook>('PUT', WEBHOOK, { url: hook.url }));
});
afterEach(async () => {
  await server.product.context.db.execute(sql`delete from pgboss.job where name = ${queue}`);
});

/** Stores a notification, as a failed run does. */
async function notify(message: string): Promise<void> {
  const { db, jobs } = server.product.context;
  const notice = { title: 'A sync failed', advice: '', provider: 'github', entity: 'gh-pulls', syncId: null };
  await db.transaction((tx) => addNotice(tx, jobs, { userId, ...notice, message, at: new Date() }));
}

const idOf = (index: number) => hook.hits[index]?.headers['x-datadeck-delivery'];
const outcome = async () => (await ada.get<Webhook>(WEBHOOK)).last;

describe('a message to a webhook', () => {
  it('is not stored when the transaction of its notification is rolled back', async () => {
    const { db, jobs } = server.product.context;
    const at = new Date();
    const notice = {
      title: '',
      advice: '',
      provider: 'github',
      entity: 'gh-pulls',
      syncId: null,
      message: '',
      at,
    };
    const rolledBack = db.transaction(async (tx) => {
      await addNotice(tx, jobs, { userId, ...notice });
      throw new Error('boom');
    });

    await expect(rolledBack).rejects.toThrow('boom');
    expect(await jobsOf(server, queue)).toEqual([]);
  });
});

describe('workOnWebhooks', () => {
  beforeAll(() => workOnWebhooks(server.product.context, server.product));

  it('retries a refused message after 30 s, 2 min and 10 min, then drops it', async () => {
    hook.status = 500;
    await notify('refused');
    for (const [attempts, pause] of [30, 120, 600].entries()) {
      await until(() => hook.hits.length === attempts + 1);
      await until(async () => (await jobsOf(server, queue))[0]?.data.attempts === attempts + 1);
      const [job, ...others] = await jobsOf(server, queue);
      expect(others).toEqual([]);
      expect(Math.abs((job?.inSeconds ?? 0) - pause)).toBeLessThan(20);
      await hastenJobs(server, queue);
    }
    await until(() => hook.hits.length === 4);
    await until(async () => (await jobsOf(server, queue)).length === 0);
    expect(new Set([0, 1, 2, 3].map(idOf)).size).toBe(1);
    expect(hook.hits.every((hit) => isSigned(hit, secret))).toBe(true);
    expect(await outcome()).toMatchObject({ isDelivered: false, status: 500 });
  });

  it.each([
    ['the webhook was set again', () => ada.json('PUT', WEBHOOK, { url: hook.url })],
    ['the webhook was removed', () => ada.json('DELETE', WEBHOOK)],
    ['all data was deleted', () => ada.json('DELETE', '/api/accounts/delete-data')],
  ])('drops a waiting message after %s', async (_event, change) => {
    hook.status = 500;
    await notify('late');
    await until(async () => (await jobsOf(server, queue))[0]?.data.attempts === 1);
    await change();
    await hastenJobs(server, queue);
    await until(async () => (await jobsOf(server, queue)).length === 0);
    expect(hook.hits).toHaveLength(1);
  });

  it('sends messages that waited before an upgrade', async () => {
    const { $client } = server.product.context.db;
    await $client.query('alter table webhooks drop column id');
    await $client.query(`create table webhook_deliveries (user_id uuid not null, id uuid not null, body text not null,
      attempts integer not null default 0, due_at timestamptz not null, primary key (user_id, id))`);
    const waiting = [0, 1].map((n) => ({
      id: crypto.randomUUID(),
      body: JSON.stringify({ n }),
      attempts: n,
    }));
    for (const { id, body, attempts } of waiting) {
      const due = attempts === 0 ? 'now()' : "now() + interval '2 minutes'";
      await $client.query(`insert into webhook_deliveries values ($1, $2, $3, $4, ${due})`, [
        userId,
        id,
        body,
        attempts,
      ]);
      await server.product.context.jobs.send(queue, { userId, deliveryId: id }, { startAfter: 3600 });
    }

    await $client.query(readFileSync(MIGRATION, 'utf8').replaceAll('--> statement-breakpoint', ''));

    await until(() => hook.hits.length === 1);
    const [later] = (await jobsOf(server, queue)).filter(({ inSeconds }) => inSeconds > 60);
    expect(later?.data).toMatchObject({ deliveryId: waiting[1]?.id, attempts: 1 });
    await hastenJobs(server, queue);
    await until(() => hook.hits.length === 2);
    expect(hook.hits.map(({ body }) => body)).toEqual(waiting.map(({ body }) => body));
    expect([idOf(0), idOf(1)]).toEqual(waiting.map(({ id }) => id));
    await until(async () => (await jobsOf(server, queue)).length === 0);
  });
});
