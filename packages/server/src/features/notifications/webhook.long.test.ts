import type { Webhook } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer } from '../../../test-support/child-server.ts';
import { HookServer } from '../../../test-support/hook-server.ts';
import { jobsOf } from '../../../test-support/jobs.ts';
import { until } from '../../../test-support/syncing.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import { Client, startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import { findFreePort } from '../../app/http/listen.ts';
import { addNotice, WEBHOOK_QUEUE } from './index.ts';

const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
const queue = WEBHOOK_QUEUE.name;
let server: TestServer;
let hook: HookServer;
let ada: Client;

// The workers run in processes of their own.
beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web', ENCRYPTION_KEY });
  hook = await new HookServer().start();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.json('PUT', '/api/notifications/webhook', { url: hook.url });
});
afterAll(async () => {
  hook?.stop();
  await server?.remove();
});

/** Stores a notification, as a failed run does. */
async function notify(message: string): Promise<void> {
  const { db, jobs } = server.product.context;
  const { _id: userId } = await ada.get<{ _id: string }>('/api/accounts');
  const notice = { title: 'A sync failed', advice: '', provider: 'github', entity: 'gh-pulls', syncId: null };
  await db.transaction((tx) => addNotice(tx, jobs, { userId, ...notice, message, at: new Date() }));
}

const idOf = (index: number) => hook.hits[index]?.headers['x-datadeck-delivery'];

describe('a message to a webhook', () => {
  it('is sent again with the same id by another worker after SIGKILL', async () => {
    hook.status = null;
    await notify('killed');
    const folders = ['a', 'b'].map(() => makeTemporaryFolder('datadeck-hook-'));
    const workers: ChildServer[] = [];
    for (const DATA_DIR of folders) {
      const PORT = String(await findFreePort('127.0.0.1'));
      const { DATABASE_URL = '' } = server.config;
      workers.push(
        new ChildServer({ DATABASE_URL, ENCRYPTION_KEY, DATA_DIR, PORT, ROLE: 'worker', SANDBOX: 'on' }),
      );
    }

    const [first, second] = workers;
    await first?.start();
    await until(() => hook.hits.length === 1);
    await first?.end('SIGKILL');
    hook.status = 200;
    await second?.start();
    await until(
      async () => (await ada.get<Webhook>('/api/notifications/webhook')).last?.isDelivered === true,
      100_000,
    );

    expect(hook.hits).toHaveLength(2);
    expect(idOf(1)).toBe(idOf(0));
    expect(hook.hits.map(({ body }) => JSON.parse(body).message)).toEqual(['killed', 'killed']);
    await until(async () => (await jobsOf(server, queue)).length === 0);

    await second?.dispose();
    for (const folder of folders) removeDataFolder(folder);
  }, 180_000);
});
