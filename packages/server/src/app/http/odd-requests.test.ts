import { request } from 'node:http';
import { connect } from 'node:net';
import { ERROR_STATUS, type ErrorBody, errorBodySchema } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import { unstorableFields } from './storable-text.ts';

let server: TestServer;
let ada: Client;
const VIEW = {
  title: 't',
  description: 'd',
  jsonNataQuery: '$',
  providerId: 'github',
  entityLabel: 'gh-pulls',
  templateKey: 'pulls-all',
};
const DATA = '/api/data';
const ENTITIES = '/api/integrations/entities';
const HISTORY = '/api/integrations/synchronizations/history';
const LONG = 'A'.repeat(3000);

beforeAll(async () => {
  server = await startTestServer({ WEB_APP: 'on' });
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
}, 120_000);
afterAll(() => server?.remove());

/** Expects an error of the closed list with its status. @returns the error */
async function errorOf(response: Response): Promise<ErrorBody['error']> {
  const { error } = errorBodySchema.parse(await response.json());
  expect(response.status).toBe(ERROR_STATUS[error.code]);
  return error;
}

/** Sends a URL unchanged; `fetch` would resolve its dots. */
function raw(path: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const sent = request({ hostname, port, path }, async (answer) => {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part as Buffer);
      const headers = answer.headers as Record<string, string>;
      resolve(new Response(Buffer.concat(parts), { status: answer.statusCode ?? 0, headers }));
    });
    sent.on('error', reject).end();
  });
}

describe('text that PostgreSQL cannot store is refused beside its field', () => {
  const id = crypto.randomUUID();
  const query = { title: 'a', jsonNataQuery: '$' };
  test.each([
    ['POST', `${DATA}/jnata-queries`, query, 'title'],
    ['POST', `${DATA}/jnata-queries`, query, 'jsonNataQuery'],
    ['PUT', `${DATA}/jnata-queries/${id}`, query, 'title'],
    ['POST', `${DATA}/views`, VIEW, 'title'],
    ['POST', `${DATA}/views`, VIEW, 'description'],
    ['POST', `${DATA}/views/category`, { title: 'a' }, 'title'],
    ['PUT', `${DATA}/views/category/${id}`, { title: 'a' }, 'title'],
  ])('%s %s %j: %s', async (method, path, body, field) => {
    for (const odd of ['a\u0000b', 'a\ud800b']) {
      const error = await errorOf(await ada.call(method, path, { ...body, [field]: odd }));
      expect(error.code).toBe('validation-failed');
      expect(Object.keys(error.fields ?? {})).toEqual([field]);
    }
  });

  test.each([
    [`${HISTORY}?provider=%00`, 'provider'],
    [`${HISTORY}?provider=github&entity=%00`, 'entity'],
    [`${ENTITIES}/versions/github/gh-pulls?record=%00`, 'record'],
  ])('GET %s', async (path, field) => {
    const error = await errorOf(await ada.call('GET', path));
    expect(error.code).toBe('validation-failed');
    expect(Object.keys(error.fields ?? {})).toEqual([field]);
  });

  test('an expression that is only run may hold any text', async () => {
    const run = (jsonNataQuery: string) =>
      ada.call('POST', `${DATA}/query`, {
        entryCollection: 'gh-pulls',
        templateKey: 'pulls-all',
        jsonNataQuery,
      });
    expect(await (await run('$length("a\u0000b")')).json()).toMatchObject({ results: [3] });
    expect((await errorOf(await run('$encodeUrlComponent("\ud800")'))).code).toBe('expression-failed');
  });

  test('but who may not call learns only that', async () => {
    const body = { title: 'a\u0000b', jsonNataQuery: '$' };
    const nobody = new Client(server);
    expect((await errorOf(await nobody.call('POST', `${DATA}/jnata-queries`, body))).code).toBe(
      'unauthenticated',
    );
  });

  test('any depth is walked; a name that cannot be stored counts against what holds it', () => {
    let deep: unknown = 'a\0';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(unstorableFields(deep, 'body')).toHaveLength(1);
    expect(unstorableFields({ a: { 'b\0': 'x' }, c: ['x', '\udc00'] }, 'body').sort()).toEqual(['a', 'c.1']);
    expect(unstorableFields({ a: 'plain 😀' }, 'body')).toEqual([]);
    expect(unstorableFields('a\0', 'body')).toEqual(['body']);
  });
});

describe('an address that is none is told as one', () => {
  test.each(['versions', 'mini', 'templates', 'aggregation'])('%s of what is far too long', async (kind) => {
    const error = await errorOf(await ada.call('GET', `${ENTITIES}/${kind}/${LONG}/${LONG}?record=x`));
    expect(error.code).toBe('not-found');
  });

  test.each([
    ['/%00', 'not-found'],
    ['/a%00b', 'not-found'],
    ['/assets/%00', 'not-found'],
    ['/dashboard/%00', 'not-found'],
    ['/api/%00', 'not-found'],
    ['/%2e%2e/%2e%2e/etc/passwd', 'not-found'],
    [`${DATA}/views/%ff`, 'malformed-request'],
    ['/%ff', 'malformed-request'],
    ['/api/%ED%A0%80', 'malformed-request'],
    [`${DATA}/views/aggregate/${LONG}`, 'not-found'],
  ])('%s: %s', async (path, code) => {
    const response = await raw(path);
    expect(response.headers.get('content-security-policy')).toContain("default-src '");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await errorOf(response)).code).toBe(code);
  });
});

describe('a call without a body may name JSON all the same', () => {
  const send = (method: string, path: string) =>
    fetch(server.url + path, {
      method,
      headers: { authorization: ada.token, 'content-type': 'application/json' },
    });

  // @covers 7.call-without-body
  test('where none is meant, it is taken', async () => {
    const path = '/api/integrations/entities/delete-all-data?provider=github';
    expect((await send('POST', path)).status).toBe(200);
    expect((await errorOf(await send('DELETE', `${DATA}/views/x`))).code).toBe('not-found');
  });

  test('where one is meant, it is missed', async () => {
    const error = await errorOf(await send('POST', `${DATA}/jnata-queries`));
    expect(error).toMatchObject({ code: 'validation-failed', fields: { body: 'Required' } });
  });
});

test.each(['/auth/demo', '/api/events'])('HEAD %s begins nothing', async (path) => {
  const headers = { authorization: ada.token };
  const response = await fetch(server.url + path, { method: 'HEAD', headers, redirect: 'error' });
  expect([response.status, response.headers.get('set-cookie')]).toEqual([404, null]);
});

test('who asks too often is told when to come again', async () => {
  const nobody = new Client(server);
  let response = await nobody.call('POST', '/auth/logout');
  for (let times = 1; times <= 300 && response.status === 401; times++)
    response = await nobody.call('POST', '/auth/logout');
  const { code, retryAfter = 0 } = await errorOf(response);
  expect(code).toBe('rate-limited');
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(60);
  expect(response.headers.get('retry-after')).toBe(String(retryAfter));
});

// @covers 10.limits-count-user
test('limits the user, with any spelling of the token and any session', async () => {
  const mei = await new Client(server, '198.51.100.7').signIn('mei.tanaka@sandbox.example');
  const again = await new Client(server, '198.51.100.7').signIn('mei.tanaka@sandbox.example');
  const spellings = [mei.token, `bearer ${mei.token}`, `Bearer  ${again.token}`];
  const statuses = new Set<number>();
  for (let times = 0; times < 303; times++) {
    const headers = { authorization: spellings[times % 3] ?? '', 'content-type': 'application/json' };
    const response = await fetch(`${server.url}${DATA}/jnata-queries`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    statuses.add(response.status);
  }
  expect([...statuses]).toEqual([422, 429]);
});

// @covers 10.limits-count-user
test('what is somebody’s own is kept by no proxy', async () => {
  for (const path of ['/api/accounts', '/api/nothing', '/readyz', '/auth/google']) {
    const headers = { authorization: ada.token };
    const response = await fetch(server.url + path, { headers, redirect: 'manual' });
    expect([path, response.headers.get('cache-control')]).toEqual([path, 'no-store']);
  }
});

describe('what is no request is told as everything else is', () => {
  /** Sends bytes on a new connection. @returns everything that comes back */
  function sendBytes(bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      let answer = '';
      socket.on('data', (piece) => {
        answer += piece.toString();
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });
  }

  test.each([
    ['no HTTP', 'what is this\r\n\r\n', /it is not HTTP/],
    [
      'headers too long',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      /headers are too long/,
    ],
  ])('%s', async (_, bytes, sentence) => {
    const [head = '', body = ''] = (await sendBytes(bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    const { error } = errorBodySchema.parse(JSON.parse(body));
    expect(error).toMatchObject({ code: 'malformed-request', message: expect.stringMatching(sentence) });
  });
});
