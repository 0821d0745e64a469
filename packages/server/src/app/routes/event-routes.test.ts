import { afterAll, beforeAll, expect, test } from 'vitest';
import { fingerprint } from '../../platform/ids.ts';
import { until } from '../../testing/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../testing/test-server.ts';
import { keepHouse } from '../housekeeping.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.remove());

function signIn(): Promise<Client> {
  return new Client(server).signIn('ada.nowak@sandbox.example');
}

/** Opens a stream of events and reads it to its end. */
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

test('a stream ends with its session, and nothing comes after; those of other sessions go on', async () => {
  const [here, there] = [await signIn(), await signIn()];
  const [ending, going] = [await follow(here), await follow(there)];
  await here.post('/auth/logout');
  await until(() => ending.hasEnded);
  await there.json('DELETE', '/api/accounts/delete-data');
  await until(() => going.text.includes('invalidate'));
  expect(ending.text).not.toContain('invalidate');
  expect(going.hasEnded).toBe(false);
});

test('the stream comes to whoever asks, whatever they say they accept', async () => {
  const { token } = await signIn();
  const response = await fetch(`${server.url}/api/events`, {
    headers: { authorization: token, accept: 'application/json' },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  await response.body?.cancel();
});

test('a stream ends when the time of its session is up', async () => {
  const [here, there] = [await signIn(), await signIn()];
  const [ending, going] = [await follow(here), await follow(there)];
  await server.product.context.db.$client.query(
    "update sessions set expires_at = 'epoch' where token_hash = $1",
    [fingerprint(here.token)],
  );
  await keepHouse(server.product);
  await until(() => ending.hasEnded);
  expect(going.hasEnded).toBe(false);
});

test('every stream ends with the account', async () => {
  const [here, there] = [await signIn(), await signIn()];
  const streams = [await follow(here), await follow(there)];
  await here.json('DELETE', '/api/accounts/delete-account');
  await until(() => streams.every(({ hasEnded }) => hasEnded));
});
