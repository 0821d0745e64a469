import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Credentials } from './authorization.ts';
import { type SmallServer, startSmallServer } from './conformance/small-server.ts';
import type { HttpApi, RequestAccess } from './http-api.ts';
import { type ClientOptions, ProviderClient } from './provider-client.ts';
import { ProviderError } from './provider-error.ts';
import type { SentRequest } from './request-observer.ts';
import { Scheduler } from './scheduler.ts';

/** A name that only the check of hosts resolves: a second lookup would fail. */
const MOVED = 'moved.invalid';
vi.mock(import('node:dns/promises'), async (load) => {
  const { lookup, ...rest } = await load();
  const lookUp = async (name: string, options: object) =>
    name === 'moved.invalid' ? [{ address: '127.0.0.1', family: 4 }] : lookup(name, options);
  return { ...rest, lookup: lookUp as typeof lookup };
});

/** Contains what URLs and forms encode. */
const SECRET = 's3cret /&+ü~';
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let seen: IncomingMessage[];
let observed: SentRequest[];
let server: SmallServer;

beforeEach(async () => {
  seen = [];
  observed = [];
  answer = (_request, response) => response.end('[1]');
  server = await startSmallServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
});
afterEach(() => server.close());

const instantClock = { now: () => Date.now(), pause: async () => undefined };

function clientWith(
  api: Partial<HttpApi>,
  credentials: Partial<Credentials> = {},
  more: Partial<ClientOptions> = {},
): ProviderClient {
  const { clock = instantClock } = more;
  return new ProviderClient({
    connector: {
      title: 'Stand-in',
      apiUrl: server.url,
      classify: ({ status }) => ({ kind: 'fail', failure: 'invalid', message: `status ${status}` }),
      ...api,
    },
    scheduler: new Scheduler({ concurrency: 2, unitsPerMinute: Number.POSITIVE_INFINITY }, clock),
    clock,
    credentials: async () => ({ accessToken: SECRET, scopes: [], ...credentials }),
    signal: new AbortController().signal,
    observe: (request) => {
      observed.push(request);
      return () => undefined;
    },
    ...more,
  });
}

const accessBy = (access: Partial<RequestAccess>): Partial<HttpApi> => ({
  accessOf: ({ accessToken }) => ({
    apiUrl: server.url,
    headers: {},
    ...access,
    query: { ...access.query, key: accessToken },
  }),
});

const failureOf = async (sent: Promise<unknown>): Promise<ProviderError> => {
  const outcome = await sent.catch((error: unknown) => error);
  if (!(outcome instanceof ProviderError)) throw new Error(`not refused: ${JSON.stringify(outcome)}`);
  return outcome;
};

/** Returns the text of an error with its cause and its own fields, as a log could show it. */
const textOf = (error: Error): string =>
  JSON.stringify([error.message, error.stack, error, String(error.cause), error.cause]);

function expectNoSecret(text: string): void {
  const forms = [SECRET, encodeURIComponent(SECRET), new URLSearchParams({ s: SECRET }).toString().slice(2)];
  for (const form of forms) expect(text).not.toContain(form);
  expect(text).not.toContain('s3cret');
}

describe('RequestAccess', () => {
  it('sends the access token as a bearer token without accessOf', async () => {
    await clientWith({}, { accessToken: 'abc' }).get({ path: '/items', units: 1 });
    expect(seen[0]?.headers.authorization).toBe('Bearer abc');
    expect(seen[0]?.url).toBe('/items');
  });

  it('replaces the bearer token and equal headers of the request', async () => {
    const headers = { 'X-Key': 'abc' };
    const client = clientWith({ accessOf: () => ({ apiUrl: `${server.url}/v2/`, headers, query: {} }) });
    await client.get({ path: '/items', headers: { 'x-key': 'mine', 'x-other': 'kept' }, units: 1 });
    expect(seen[0]?.headers).toMatchObject({ 'x-key': 'abc', 'x-other': 'kept' });
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
    expect(seen[0]?.url).toBe('/v2/items');
  });

  it('sends letters of Latin-1 in headers as they are, also with a body', async () => {
    const client = clientWith({
      accessOf: () => ({ apiUrl: server.url, headers: { 'x-key': 'gü' }, query: {} }),
    });
    await client.get({ path: '/items', units: 1 });
    await client.get({ path: '/items', text: JSON.stringify({ name: 'ü' }), units: 1 });
    expect(seen.map(({ headers }) => headers['x-key'])).toEqual(['gü', 'gü']);
  });

  it('leaves the bytes of a body as they came where they are wanted so', async () => {
    answer = (_request, response) => response.end(Buffer.from('"ü"', 'latin1'));
    const parse = (bytes: Buffer) => bytes.toString('latin1');
    const { body } = await clientWith({}).get({ path: '/items', isRaw: true, parse, units: 1 });
    expect(body).toBe('"ü"');
    expect((await clientWith({}).get({ path: '/items', units: 1 })).body).toBe('\ufffd');
  });

  it.each(['POST', 'GET'])(
    'sends a secret of the query once with a %s, and returns a URL without it',
    async (method) => {
      const body = method === 'POST' ? { text: JSON.stringify({ query: 'q' }) } : {};
      const { url } = await clientWith(accessBy({})).get({
        path: `/items?key=older&page=2`,
        query: { size: '5' },
        units: 1,
        ...body,
      });
      const sent = new URL(seen[0]?.url ?? '', server.url).searchParams;
      expect(seen[0]?.method).toBe(method);
      expect([sent.getAll('key'), sent.get('page'), sent.get('size')]).toEqual([[SECRET], '2', '5']);
      expect(url).toBe(`${server.url}/items?page=2&size=5`);
      expect(observed).toEqual([{ method, host: new URL(server.url).host }]);
    },
  );

  it('sends the secret again after a redirect that repeats or drops it', async () => {
    for (const target of ['/there?page=3', `/there?page=3&key=${encodeURIComponent(SECRET)}`]) {
      seen = [];
      answer = (request, response) => {
        if (request.url?.startsWith('/there')) return response.end('[1]');
        response.writeHead(302, { location: target }).end();
      };
      const { url } = await clientWith(accessBy({})).get({ path: '/items', units: 1 });
      expect(seen.map((one) => new URL(one.url ?? '', server.url).searchParams.getAll('key'))).toEqual([
        [SECRET],
        [SECRET],
      ]);
      expect(url).toBe(`${server.url}/there?page=3`);
    }
  });

  it('refuses other origins than that of the access', async () => {
    const other = await startSmallServer((request, response) => {
      seen.push(request);
      response.end('[2]');
    });
    const access = accessBy({ apiUrl: other.url });
    const sendTo = (path: string) => clientWith(access).get({ path, units: 1 });
    expect((await sendTo(`${other.url}/items`)).body).toEqual([2]);
    seen = [];
    for (const path of [`${server.url}/items`, 'https://user@[', 'items', 'data:,x', 'file:///etc/hosts'])
      expect((await failureOf(sendTo(path))).failure, path).toBe('malformed');
    expect(seen).toEqual([]);
    other.close();
  });

  it('refuses a redirect to another origin than that of the access', async () => {
    answer = (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/x' }).end();
    const error = await failureOf(clientWith(accessBy({})).get({ path: '/items', units: 1 }));
    expect(error.failure).toBe('malformed');
    expect(seen).toHaveLength(1);
    expectNoSecret(textOf(error));
  });

  it.each([
    ['an error status', (response: ServerResponse, echo: string) => response.writeHead(400).end(echo)],
    [
      'a redirect elsewhere',
      (response: ServerResponse, echo: string) =>
        response.writeHead(302, { location: `https://other.example/?${encodeURIComponent(echo)}` }).end(),
    ],
    ['text that is not JSON', (response: ServerResponse, echo: string) => response.end(echo)],
    [
      'a broken body',
      (response: ServerResponse, echo: string) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(echo);
      },
    ],
    [
      'a header that is none',
      (response: ServerResponse, echo: string) => {
        response.socket?.end(`HTTP/1.1 200 OK\r\n${echo}\r\n\r\n`);
      },
    ],
    ['no answer', (response: ServerResponse) => response.destroy()],
  ])('has no secret in the error when a server echoes it in %s', async (_how, reply) => {
    answer = (request, response) => {
      const own = new URL(request.url ?? '', server.url).searchParams.get('key') ?? '';
      reply(response, `${request.url} ${encodeURI(own)} s3cret ${request.headers.authorization}`);
    };
    for (const api of [accessBy({ headers: { authorization: 'Basic s3cret' } }), {}]) {
      const error = await failureOf(
        clientWith(api, { accessToken: 's3cret' }).get({ path: '/items', units: 1 }),
      );
      expectNoSecret(textOf(error));
    }
    expectNoSecret(JSON.stringify(observed));
  });

  it('returns the fields of the credentials, and none without a form', async () => {
    expect(await clientWith({}, { fields: { site: 'acme' } }).fields()).toEqual({ site: 'acme' });
    expect(await clientWith({}).fields()).toEqual({});
  });
});

describe('HttpApi.pausedUntil', () => {
  it('sends nothing until then, also for other requests of the connection', async () => {
    const clock = { now: () => 1000, pause: async () => undefined };
    const until = [31_000, undefined];
    const client = clientWith({ pausedUntil: () => until.shift() }, {}, { clock, waitTimeoutMs: 20_000 });
    await client.get({ path: '/items', units: 1 });
    const error = await failureOf(client.get({ path: '/items', units: 1 }));
    expect([error.failure, error.until?.getTime(), seen.length]).toEqual(['rate-limited', 31_000, 1]);
  });
});

describe('HttpApi.hosts', () => {
  const port = () => new URL(server.url).port;
  const accessTo = (host: string, hosts?: readonly string[]): Partial<HttpApi> => ({
    accessOf: () => ({ apiUrl: `http://${host}:${port()}`, headers: {}, query: {} }),
    ...(hosts && { hosts }),
  });
  const send = (host: string, hosts?: readonly string[]) =>
    clientWith(accessTo(host, hosts)).get({ path: '/items', units: 1 });

  it('refuses private and loopback addresses in any notation, and does not retry', async () => {
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '017700000001',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '10.0.0.1',
      '169.254.169.254',
    ])
      for (const hosts of [[], ['*'], ['*.example.com']]) {
        const client = clientWith(accessTo(host, hosts));
        expect((await failureOf(client.get({ path: '/items', units: 1 }))).failure, host).toBe('forbidden');
        expect(client.requests, host).toBe(0);
      }
    expect(seen).toEqual([]);
  });

  it('calls a private host that the list names, under its name', async () => {
    expect((await send('localhost', ['localhost'])).body).toEqual([1]);
    expect((await send('127.0.0.1', ['*', '127.0.0.1'])).body).toEqual([1]);
    expect(seen.map(({ headers }) => headers.host)).toEqual([`localhost:${port()}`, `127.0.0.1:${port()}`]);
  });

  it('connects to the address that was checked, without a second lookup', async () => {
    expect((await send(MOVED, [MOVED])).body).toEqual([1]);
    expect(seen[0]?.headers.host).toBe(`${MOVED}:${port()}`);
    expect((await failureOf(send(MOVED, ['*']))).failure).toBe('forbidden');
    expect((await failureOf(send(MOVED))).failure).toBe('unavailable');
  });

  it('refuses a host although a connection to it is open', async () => {
    await send('localhost');
    await send('localhost', ['localhost']);
    await send('127.0.0.1', ['127.0.0.1']);
    for (const host of ['localhost', '127.0.0.1'])
      expect((await failureOf(send(host, ['*']))).failure).toBe('forbidden');
    expect(seen).toHaveLength(3);
  });

  it('uses a connection again only for the address that it was opened to', async () => {
    await send('127.0.0.1', ['127.0.0.1']);
    await send('127.0.0.1', ['127.0.0.1']);
    expect(seen[1]?.socket).toBe(seen[0]?.socket);
    await send('localhost');
    expect(seen[2]?.socket).not.toBe(seen[0]?.socket);
  });
});

describe('HttpApi.maxAnswerBytes', () => {
  const MAX = 100_000;
  const body = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
  const get = () => clientWith({ maxAnswerBytes: MAX }).get({ path: '/items', units: 1 });

  it.each([
    ['announced', (text: string) => ({ headers: {}, bytes: Buffer.from(text) })],
    [
      'chunked',
      (text: string) => ({ headers: { 'transfer-encoding': 'chunked' }, bytes: Buffer.from(text) }),
    ],
    ['compressed', (text: string) => ({ headers: { 'content-encoding': 'gzip' }, bytes: gzipSync(text) })],
  ])('accepts an answer of this size and refuses a larger one: %s', async (_how, encode) => {
    for (const size of [2, MAX, MAX + 1, 40 * MAX]) {
      seen = [];
      const { headers, bytes } = encode(body(size));
      answer = (_request, response) => response.writeHead(200, headers).end(bytes);
      if (size <= MAX) expect((await get()).body).toHaveLength(size - 2);
      else expect((await failureOf(get())).failure).toBe('malformed');
      expect(seen, 'no retries').toHaveLength(1);
    }
  });

  it('refuses an endless answer while it arrives, and one that announces too much', async () => {
    let isClosed = false;
    answer = (_request, response) => {
      const flow = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.on('close', () => {
        clearInterval(flow);
        isClosed = true;
      });
    };
    expect((await failureOf(get())).failure).toBe('malformed');
    await expect.poll(() => isClosed).toBe(true);
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': String(500 * 1024 * 1024) });
      response.write('[');
    };
    expect((await failureOf(get())).failure).toBe('malformed');
  });

  it('classifies an error status although its body is too large', async () => {
    answer = (_request, response) => response.writeHead(404).end('x'.repeat(2 * MAX));
    expect((await failureOf(get())).message).toBe('status 404');
  });
});
