import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readSync, startSync } from '../../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import { SyncWorker } from './worker.ts';

let server: TestServer;
let worker: SyncWorker | undefined;

// Role web: the tests start their own worker.
beforeAll(async () => {
  // 120 units of Gmail's quota per minute: a run waits after five messages.
  server = await startTestServer({ ROLE: 'web', SANDBOX_QUOTA_SCALE: '0.02' });
});
afterEach(() => worker?.stop());
afterAll(() => server?.remove());

async function work(maxActive: number): Promise<void> {
  const { background, registry, schedulers } = server.product;
  worker = new SyncWorker(background, { registry, schedulers }, maxActive);
  await worker.start(true);
}

/** Queues a run that fails as soon as it starts, because its account is not connected. */
async function queueRun(userId: string, number: number, secondsAgo: number): Promise<void> {
  await server.product.context.db.execute(sql`
    insert into syncs (user_id, id, connection_id, provider, entity, scope, settings, number, status, cap, counters, phase, created_at)
    values (${userId}, ${crypto.randomUUID()}, ${crypto.randomUUID()}, 'google', 'gmail-labels', 'mailbox', '{}', ${number},
      'started', 10, '{}', 'queued', now() - make_interval(secs => ${secondsAgo}))`);
}

describe('SyncWorker', () => {
  it('does not let older runs of one user delay other users', async () => {
    const many = crypto.randomUUID();
    const others = Array.from({ length: 10 }, () => crypto.randomUUID());
    for (let number = 1; number <= 30; number++) await queueRun(many, number, 140 - number);
    for (const [index, userId] of others.entries()) await queueRun(userId, 1, 100 - index);

    await work(2);
    const ended = await vi.waitFor(async () => {
      const { rows } = await server.product.context.db.execute<{ user_id: string }>(
        sql`select user_id from syncs where status = 'failed' order by updated_at`,
      );
      expect(rows).toHaveLength(40);
      return rows.map((row) => row.user_id);
    }, 60_000);

    // With strict turns, the first eleven runs would be of all users. Two runs are active at once, so the order varies.
    expect(new Set(ended.slice(0, 20))).toEqual(new Set([many, ...others]));
  });

  it('distributes 200 queued runs of 20 users evenly', async () => {
    const users = Array.from({ length: 20 }, () => crypto.randomUUID());
    for (const [index, userId] of users.entries())
      for (let number = 1; number <= 10; number++) await queueRun(userId, number, 60 - 2 * index);

    await work(2);
    const ended = await vi.waitFor(async () => {
      const { rows } = await server.product.context.db.execute<{ user_id: string }>(sql`
      select user_id from syncs where status = 'failed' and user_id = any(${sql.param(users)}::uuid[]) order by updated_at`);
      expect(rows).toHaveLength(200);
      return rows.map((row) => row.user_id);
    }, 120_000);

    // Two runs are active at once, so neighbours may end in another order.
    for (let round = 1; round <= 10; round++) {
      const counts = users.map((user) => ended.slice(0, 20 * round).filter((one) => one === user).length);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
    }
  });

  it('frees the slot of a run that waits for its quota', async () => {
    const client = await new Client(server).signIn('ada.nowak@sandbox.example');
    await client.connect('google', 'ada.nowak@sandbox.example');
    await client.connect('github', 'ada-nowak');
    const waiting = await startSync(client, 'gmail-messages', { labelIds: 'INBOX' });
    const quick = await startSync(client, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
    await work(1);
    await vi.waitFor(async () => expect((await readSync(client, quick._id)).status).toBe('finished'), 60_000);
    expect((await readSync(client, waiting._id)).status).toBe('started');
  });
});
