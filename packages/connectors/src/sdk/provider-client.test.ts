import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProviderClient } from './provider-client.ts';
import { Scheduler } from './scheduler.ts';

const PIECE = `"${'x'.repeat(100_000)}"`;
/** What the server does with each request, by its path. */
let answers: Record<string, (response: ServerResponse) => void>;
let apiUrl: string;
let close: () => void;

beforeEach(async () => {
  answers = {};
  const server = createServer((request, response) => answers[request.url ?? '']?.(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(() => close());

function clientWith(concurrency: number, silenceMs = 10_000): ProviderClient {
  return new ProviderClient({
    connector: { title: 'Stand-in', apiUrl, classify: () => ({ kind: 'retry', message: 'failed' }) },
    scheduler: new Scheduler({ concurrency, unitsPerMinute: Number.POSITIVE_INFINITY }),
    credentials: async () => ({ accessToken: 'token' }) as never,
    signal: new AbortController().signal,
    silenceMs,
  });
}

test('a request takes its turn until it is answered: while its body comes, the next one is sent', async () => {
  let finish = () => undefined as unknown;
  answers['/first'] = (response) => {
    response.write(`[${PIECE},`);
    finish = () => response.end('1]');
  };
  answers['/second'] = (response) => {
    response.end('[2]');
    finish();
  };
  const client = clientWith(1);
  const [first, second] = await Promise.all([
    client.get<unknown[]>({ path: '/first', units: 1 }),
    client.get<unknown[]>({ path: '/second', units: 1 }),
  ]);
  expect([first.body?.[1], second.body]).toEqual([1, [2]]);
  expect(client.requests).toBe(2);
});

test('until it is answered, no other is sent than there are places', async () => {
  const order: string[] = [];
  answers['/first'] = (response) => {
    order.push('first asked');
    setTimeout(() => {
      order.push('first answered');
      response.end('1');
    }, 50);
  };
  answers['/second'] = (response) => {
    order.push('second asked');
    response.end('2');
  };
  const client = clientWith(1);
  await Promise.all([client.get({ path: '/first', units: 1 }), client.get({ path: '/second', units: 1 })]);
  expect(order).toEqual(['first asked', 'first answered', 'second asked']);
});

test('a body that stops coming is asked for again', async () => {
  let asked = 0;
  answers['/pulls'] = (response) => {
    if (++asked > 1) response.end('[1]');
    else response.write('[');
  };
  expect((await clientWith(1, 200).get({ path: '/pulls', units: 1 })).body).toEqual([1]);
  expect(asked).toBe(2);
});
