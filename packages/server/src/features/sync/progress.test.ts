import type { ServerEvent } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { publishInvalidation } from '../notifications/index.ts';
import { followEvents, publishSync } from './progress.ts';

let server: TestServer;
let client: Client;
let userId: string;

beforeAll(async () => {
  server = await shareServer();
  client = await new Client(server).signIn('ada.nowak@sandbox.example');
  await client.connect('google', 'ada.nowak@sandbox.example');
  const { db } = server.product.context;
  const { rows } = await db.execute<{ id: string }>(sql`select id from users`);
  userId = rows[0]?.id ?? '';
});
afterAll(() => server?.remove());

/** Collects a user's events. `when` waits for an event that satisfies the predicate. */
function collect(id: string) {
  const events: ServerEvent[] = [];
  let check = () => {};
  const stop = followEvents(server.product.context, id, (event) => {
    events.push(event);
    check();
  });
  const when = (predicate: (event: ServerEvent) => boolean) =>
    new Promise<void>((resolve) => {
      check = () => events.some(predicate) && resolve();
      check();
    });
  return { events, when, stop };
}

describe('followEvents', () => {
  it('sends the events of a run to its user only', async () => {
    const own = collect(userId);
    const other = collect(crypto.randomUUID());
    const { _id } = await runSync(client, 'gmail-messages', { labelIds: 'STARRED' });
    await own.when((event) => event.type === 'sync' && event.sync.status === 'finished');
    await own.when((event) => event.type === 'invalidate' && event.tags.includes('Aggregation'));

    const seen = own.events.flatMap((event) => (event.type === 'sync' ? [event.sync] : []));
    expect(new Set(seen.map((sync) => sync._id))).toEqual(new Set([_id]));
    expect(seen[0]?.status).toBe('started');
    expect(seen.at(-1)?.summary.entitiesSynced).toBeGreaterThan(0);
    expect(other.events).toEqual([]);

    own.stop();
    other.stop();
  });

  it('combines concurrent changes of a sync into fewer events', async () => {
    const { _id } = await runSync(client, 'gmail-labels');
    const { events, when, stop } = collect(userId);
    const { context } = server.product;
    await Promise.all(Array.from({ length: 50 }, () => publishSync(context, userId, _id)));
    // Notifications of one connection arrive in order, so all earlier ones have been processed by then.
    await publishInvalidation(context, userId, ['Webhook']);
    await when((event) => event.type === 'invalidate' && event.tags.includes('Webhook'));
    await when((event) => event.type === 'sync' && event.sync._id === _id);
    expect(events.filter(({ type }) => type === 'sync').length).toBeLessThan(50);
    stop();
  });

  it('sends no event for a deleted sync', async () => {
    const { events, when, stop } = collect(userId);
    const { context } = server.product;
    const deleted = crypto.randomUUID();
    await publishSync(context, userId, deleted);
    const { _id } = await runSync(client, 'gmail-labels');
    const isOf = (id: string) => (event: ServerEvent) => event.type === 'sync' && event.sync._id === id;
    await when((event) => isOf(_id)(event) && event.type === 'sync' && event.sync.status === 'finished');
    expect(events.filter(isOf(deleted))).toEqual([]);
    stop();
  });

  it('skips messages of other versions', async () => {
    const { context } = server.product;
    const topic = crypto.randomUUID();
    const { events, when, stop } = collect(topic);
    await context.broadcast.publish(topic, JSON.stringify({ type: 'newer', id: 1 }));
    await context.broadcast.publish(
      topic,
      JSON.stringify({ type: 'invalidate', tags: ['Newer', 'Webhook'] }),
    );
    await when((event) => event.type === 'invalidate');
    expect(events).toEqual([{ type: 'invalidate', tags: ['Webhook'] }]);
    stop();
  });
});
