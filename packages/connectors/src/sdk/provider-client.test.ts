import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SmallServer, startSmallServer } from './conformance/small-server.ts';
import type { FailedAnswer, RefusedAnswer } from './http-api.ts';
import { ProviderClient } from './provider-client.ts';
import { retryAfterOf } from './retry-after.ts';
import { Scheduler } from './scheduler.ts';
import type { ConcurrencyLimits } from './semaphore.ts';

const PIECE = `"${'x'.repeat(100_000)}"`;
/** What the server does with each request, by its path. */
let answers: Record<string, (response: ServerResponse, request: IncomingMessage) => void>;
let server: SmallServer;

beforeEach(async () => {
  answers = {};
  server = await startSmallServer((request, response) => answers[request.url ?? '']?.(response, request));
});
afterEach(() => server.close());

/** A clock that never waits. */
const instantClock = { now: () => Date.now(), pause: async () => undefined };

/** Longer than any response takes, even on a busy machine. */
const LONG_TIMEOUT_MS = 30_000;

/** @param idleTimeoutMs read at each attempt */
function clientWith(width: ConcurrencyLimits, idleTimeoutMs = () => LONG_TIMEOUT_MS): ProviderClient {
  const classify = ({ status, body }: RefusedAnswer): FailedAnswer => ({
    kind: 'fail',
    failure: 'not-found',
    message: `${status} ${body}`,
  });
  return new ProviderClient({
    connector: { title: 'Stand-in', apiUrl: server.url, classify },
    scheduler: new Scheduler({ ...width, unitsPerMinute: Number.POSITIVE_INFINITY }, instantClock),
    clock: instantClock,
    credentials: async () => ({ accessToken: 'token' }) as never,
    signal: new AbortController().signal,
    get idleTimeoutMs() {
      return idleTimeoutMs();
    },
  });
}

describe('ProviderClient', () => {
  it('sends the next request while the body of a response arrives', async () => {
    let finish = () => undefined as unknown;
    answers['/first'] = (response) => {
      response.write(`[${PIECE},`);
      finish = () => response.end('1]');
    };
    answers['/second'] = (response) => {
      response.end('[2]');
      finish();
    };
    const client = clientWith({ concurrency: 1, maxConcurrency: 2 });

    const [first, second] = await Promise.all([
      client.get<unknown[]>({ path: '/first', units: 1 }),
      client.get<unknown[]>({ path: '/second', units: 1 }),
    ]);

    expect([first.body?.[1], second.body]).toEqual([1, [2]]);
    expect(client.requests).toBe(2);
  });

  it('sends no more requests than slots until a response starts', async () => {
    const order: string[] = [];
    answers['/first'] = (response) => {
      order.push('first requested');
      setTimeout(() => {
        order.push('first answered');
        response.end('1');
      }, 50);
    };
    answers['/second'] = (response) => {
      order.push('second requested');
      response.end('2');
    };
    const client = clientWith({ concurrency: 1, maxConcurrency: 2 });

    await Promise.all([client.get({ path: '/first', units: 1 }), client.get({ path: '/second', units: 1 })]);

    expect(order).toEqual(['first requested', 'first answered', 'second requested']);
  });

  it('repeats a request whose body stalls', async () => {
    let attempts = 0;
    answers['/pulls'] = (response) => {
      if (++attempts > 1) response.end('[1]');
      else response.write('[');
    };
    const client = clientWith({ concurrency: 1 }, () => (attempts > 0 ? LONG_TIMEOUT_MS : 200));
    expect((await client.get({ path: '/pulls', units: 1 })).body).toEqual([1]);
    expect(attempts).toBe(2);
  });

  // @covers transport.body-drips-less
  it('repeats a request whose body drips, but not one with a slow large body', async () => {
    let attempts = 0;
    answers['/pulls'] = (response) => {
      if (++attempts > 1) return response.end('[1]');
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    };
    const dripped = clientWith({ concurrency: 1 }, () => (attempts > 0 ? LONG_TIMEOUT_MS : 200));
    expect((await dripped.get({ path: '/pulls', units: 1 })).body).toEqual([1]);
    expect(attempts).toBe(2);

    // Pauses far below the timeout, since a busy machine makes them longer.
    const client = clientWith({ concurrency: 1 }, () => 2000);
    let pieces = 0;
    answers['/large'] = (response) => {
      response.write('[');
      const flow = setInterval(() => {
        response.write(`${PIECE},`);
        if (++pieces < 8) return;
        clearInterval(flow);
        response.end('1]');
      }, 800);
    };
    expect((await client.get<unknown[]>({ path: '/large', units: 1 })).body).toHaveLength(9);
    expect(pieces).toBe(8);
  });

  it('counts arriving bodies and pending requests against maxConcurrency', async () => {
    const [most, requests] = [3, 12];
    const open = new Set<ServerResponse>();
    let seen = 0;
    const bodies: (() => void)[] = [];
    for (let number = 0; number < requests; number++)
      answers[`/${number}`] = (response) => {
        open.add(response);
        seen = Math.max(seen, open.size);
        response.write('[');
        bodies.push(() => {
          open.delete(response);
          response.end(`${number}]`);
        });
        setTimeout(() => bodies.shift()?.(), 20);
      };
    const client = clientWith({ concurrency: 2, maxConcurrency: most });
    const read = Array.from({ length: requests }, (_, number) =>
      client.get({ path: `/${number}`, units: 1 }),
    );

    expect((await Promise.all(read)).map(({ body }) => body)).toEqual(read.map((_, number) => [number]));
    expect(seen).toBe(most);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('reads a body of any size compressed as %s', async (encoding, compress) => {
    for (const pieces of [0, 1, 30]) {
      const body = Array.from({ length: pieces }, (_, index) => `${index} ${'Zürich '.repeat(10_000)}`);
      let requestHeaders: IncomingHttpHeaders = {};
      answers['/pulls'] = (response, { headers }) => {
        requestHeaders = headers;
        response.writeHead(200, { 'content-encoding': encoding });
        response.end(compress(JSON.stringify(body)));
      };
      const answer = await clientWith({ concurrency: 1 }).get({ path: '/pulls', units: 1 });
      expect(answer.body).toEqual(body);
      expect(requestHeaders['accept-encoding']).toContain(encoding.replace('x-', ''));
      // Google compresses only if the user agent names gzip, too.
      expect(requestHeaders['user-agent']).toContain('gzip');
    }
  });

  it('reports a response in another protocol as unreachable', async () => {
    answers['/pulls'] = (response) => {
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n');
    };
    await expect(clientWith({ concurrency: 1 }).get({ path: '/pulls', units: 1 })).rejects.toThrow(
      'Stand-in could not be reached (it answered with another protocol). Try again later.',
    );
  });

  it.each(['breaks off', 'stalls'])('reports an error status although its body %s', async (how) => {
    let attempts = 0;
    answers['/pulls'] = (response) => {
      attempts++;
      response.writeHead(404, { 'content-length': '100' });
      response.write('{');
      if (how === 'breaks off') setTimeout(() => response.destroy(), 20);
    };

    await expect(clientWith({ concurrency: 1 }, () => 200).get({ path: '/pulls', units: 1 })).rejects.toThrow(
      /^404/,
    );
    expect(attempts).toBe(1);
  });

  it('limits a requested wait to one day and ignores an invalid one', () => {
    const after = (value: string) => retryAfterOf(new Headers({ 'retry-after': value }), 1000);
    expect([after('9'), after('9999999999999'), after('9'.repeat(400)), after('soon')]).toEqual([
      10_000,
      86_401_000,
      86_401_000,
      undefined,
    ]);
    const scheduler = new Scheduler({ concurrency: 1, unitsPerMinute: 1 });
    scheduler.pauseUntil(Number.NaN);
    expect(scheduler.notBefore).toBe(0);
  });
});
