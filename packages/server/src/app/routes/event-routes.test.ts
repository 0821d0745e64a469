import { once } from 'node:events';
import { connect } from 'node:net';
import type { Profile } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { fingerprint } from '../../platform/ids.ts';
import { runHousekeeping } from '../housekeeping.ts';

let server: TestServer;

beforeAll(async () => {
  server = await shareServer();
});
afterAll(() => server?.remove());

function signIn(): Promise<Client> {
  return new Client(server).signIn('ada.nowak@sandbox.example');
}

/** Opens an event stream and reads it to its end. */
async function follow(client: Client) {
  const response = await client.call('GET', '/api/events');
  const stream = { text: '', hasEnded: false };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) stream.text += decoder.decode(chunk, { stream: true });
    stream.hasEnded = true;
  };
  void read().catch(() => undefined);
  await until(() => stream.text.includes('hello'));
  return stream;
}

describe('GET /api/events', () => {
  it('ends a stream on logout while streams of other sessions continue', async () => {
    const [here, there] = [await signIn(), await signIn()];
    const [ended, other] = [await follow(here), await follow(there)];

    await here.post('/auth/logout');
    await until(() => ended.hasEnded);
    await there.json('DELETE', '/api/accounts/delete-data');
    await until(() => other.text.includes('invalidate'));

    expect(ended.text).not.toContain('invalidate');
    expect(other.hasEnded).toBe(false);
  });

  it('ignores the Accept header', async () => {
    const { token } = await signIn();
    const response = await fetch(`${server.url}/api/events`, {
      headers: { authorization: token, accept: 'application/json' },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await response.body?.cancel();
  });

  // @covers 4.same-download-stream
  it('ends a stream when its session expires', async () => {
    const [here, there] = [await signIn(), await signIn()];
    const [ended, other] = [await follow(here), await follow(there)];
    await server.product.context.db.$client.query(
      "update sessions set expires_at = 'epoch' where token_hash = $1",
      [fingerprint(here.token)],
    );
    await runHousekeeping(server.product);
    await until(() => ended.hasEnded);
    expect(other.hasEnded).toBe(false);
  });

  it('ends all streams of a deleted account', async () => {
    const [here, there] = [await signIn(), await signIn()];
    const streams = [await follow(here), await follow(there)];
    await here.json('DELETE', '/api/accounts/delete-account');
    await until(() => streams.every(({ hasEnded }) => hasEnded));
  });

  it('allows ten streams per user, and another one when one closes', async () => {
    const client = await new Client(server).signIn('jonas.weber@sandbox.example');
    const open = () => {
      const end = new AbortController();
      const headers = { authorization: client.token };
      return { end, response: fetch(`${server.url}/api/events`, { headers, signal: end.signal }) };
    };
    const streams = Array.from({ length: 10 }, open);
    for (const { response } of streams) expect((await response).status).toBe(200);

    const refused = await open().response;
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { code: 'rate-limited', retryAfter: 30 } });
    // Other users are not affected.
    await follow(await signIn());

    streams[0]?.end.abort();
    await until(async () => {
      const { end, response } = open();
      const { status } = await response;
      end.abort();
      return status === 200;
    });
    for (const { end } of streams) end.abort();
  });

  it('disconnects clients that do not read', async () => {
    const client = await new Client(server).signIn('jonas.weber@sandbox.example');
    const { _id } = await client.get<Profile>('/api/accounts');
    const sockets = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(`GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${client.token}\r\n\r\n`);
        await once(socket, 'readable');
        return socket;
      }),
    );
    expect((await client.call('GET', '/api/events')).status).toBe(429);

    const event = JSON.stringify({ type: 'invalidate', tags: Array(800).fill('Views') });
    await until(async () => {
      for (let n = 0; n < 500; n++) await server.product.context.broadcast.publish(_id, event);
      const { status, body } = await client.call('GET', '/api/events');
      await body?.cancel();
      return status === 200;
    });

    for (const socket of sockets) socket.destroy();
  });
});
