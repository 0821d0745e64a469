import { request } from 'node:http';
import { connect } from 'node:net';
import { ENDPOINTS, ERROR_STATUS, type ErrorBody, errorBodySchema } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('text that PostgreSQL cannot store', () => {
  const id = crypto.randomUUID();
  const query = { title: 'a', jsonNataQuery: '$' };
  it.each([
    ['POST', `${DATA}/jnata-queries`, query, 'title'],
    ['POST', `${DATA}/jnata-queries`, query, 'jsonNataQuery'],
    ['PUT', `${DATA}/jnata-queries/${id}`, query, 'title'],
    ['POST', `${DATA}/views`, VIEW, 'title'],
    ['POST', `${DATA}/views`, VIEW, 'description'],
    ['POST', `${DATA}/views/category`, { title: 'a' }, 'title'],
    ['PUT', `${DATA}/views/category/${id}`, { title: 'a' }, 'title'],
  ])('is refused by %s %s %j with an error at the field %s', async (method, path, body, field) => {
    for (const odd of ['a\u0000b', 'a\ud800b']) {
      const error = await errorOf(await ada.call(method, path, { ...body, [field]: odd }));
      expect(error.code).toBe('validation-failed');
      expect(Object.keys(error.fields ?? {})).toEqual([field]);
    }
  });

  it.each([
    [`${HISTORY}?provider=%00`, 'provider'],
    [`${HISTORY}?provider=github&entity=%00`, 'entity'],
    [`${ENTITIES}/versions/github/gh-pulls?record=%00`, 'record'],
  ])('is refused by GET %s with an error at the field %s', async (path, field) => {
    const error = await errorOf(await ada.call('GET', path));
    expect(error.code).toBe('validation-failed');
    expect(Object.keys(error.fields ?? {})).toEqual([field]);
  });

  it('is accepted in an expression that is only evaluated', async () => {
    const run = (jsonNataQuery: string) =>
      ada.call('POST', `${DATA}/query`, {
        entryCollection: 'gh-pulls',
        templateKey: 'pulls-all',
        jsonNataQuery,
      });
    expect(await (await run('$length("a\u0000b")')).json()).toMatchObject({ results: [3] });
    expect((await errorOf(await run('$encodeUrlComponent("\ud800")'))).code).toBe('expression-failed');
  });

  it('is not validated for an unauthenticated caller', async () => {
    const body = { title: 'a\u0000b', jsonNataQuery: '$' };
    const nobody = new Client(server);
    expect((await errorOf(await nobody.call('POST', `${DATA}/jnata-queries`, body))).code).toBe(
      'unauthenticated',
    );
  });

  it('is found at any depth and reported at the containing field', () => {
    let deep: unknown = 'a\0';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(unstorableFields(deep, 'body')).toHaveLength(1);
    expect(unstorableFields({ a: { 'b\0': 'x' }, c: ['x', '\udc00'] }, 'body').sort()).toEqual(['a', 'c.1']);
    expect(unstorableFields({ a: 'plain 😀' }, 'body')).toEqual([]);
    expect(unstorableFields('a\0', 'body')).toEqual(['body']);
  });
});

describe('a request to an unknown address', () => {
  it.each(['versions', 'mini', 'templates', 'aggregation'])(
    'gets not-found for %s of an entity with a long name',
    async (kind) => {
      const error = await errorOf(await ada.call('GET', `${ENTITIES}/${kind}/${LONG}/${LONG}?record=x`));
      expect(error.code).toBe('not-found');
    },
  );

  it.each([
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
  ])('gets the security headers and an error: %s returns %s', async (path, code) => {
    const response = await raw(path);
    expect(response.headers.get('content-security-policy')).toContain("default-src '");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await errorOf(response)).code).toBe(code);
  });
});

describe('an empty body with the content type JSON', () => {
  const send = (method: string, path: string) =>
    fetch(server.url + path, {
      method,
      headers: { authorization: ada.token, 'content-type': 'application/json' },
    });

  // @covers 7.call-without-body
  it('is accepted by endpoints without a body', async () => {
    const path = '/api/integrations/entities/delete-all-data?provider=github';
    expect((await send('POST', path)).status).toBe(200);
    expect((await errorOf(await send('DELETE', `${DATA}/views/x`))).code).toBe('not-found');
  });

  it('is refused by endpoints that require a body', async () => {
    const error = await errorOf(await send('POST', `${DATA}/jnata-queries`));
    expect(error).toMatchObject({ code: 'validation-failed', fields: { body: 'Required' } });
  });
});

describe('HEAD', () => {
  it.each(['/auth/demo', '/api/events'])('is not allowed for %s and sets no cookie', async (path) => {
    const headers = { authorization: ada.token };
    const response = await fetch(server.url + path, { method: 'HEAD', headers, redirect: 'error' });
    expect([response.status, response.headers.get('set-cookie')]).toEqual([405, null]);
  });
});

describe('a method that an endpoint does not take', () => {
  it.each(
    Object.values(ENDPOINTS)
      .filter(({ path }) => path.startsWith('/api/'))
      .map(({ path }) => path),
  )('is 405 at %s, with those that it takes', async (path) => {
    const shown = path.replace('/api/', '/api/v1/').replaceAll(/\{\w+\}/g, 'x');
    const response = await fetch(`${server.url}${shown}?a=b`, { method: 'PATCH' });
    const { code, message } = await errorOf(response);
    expect([response.status, code]).toEqual([405, 'method-not-allowed']);
    const allowed = response.headers.get('allow') ?? '';
    expect(allowed).toMatch(/^(GET|POST|PUT|DELETE)(, (GET|POST|PUT|DELETE))*$/);
    expect(message).toBe(`${shown} takes ${allowed}, not PATCH.`);
  });

  it('is 404 where there is nothing', async () => {
    for (const path of ['/api/v1/nothing', '/api/data', '/api/data/views/x/y/z'])
      expect((await fetch(server.url + path, { method: 'PATCH' })).status).toBe(404);
  });
});

describe('the request limit', () => {
  it('returns 429 with the seconds until the next attempt', async () => {
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

  it('counts requests per user across sessions and spellings of the token', async () => {
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
});

describe('the Cache-Control header', () => {
  it('forbids caches to store responses', async () => {
    for (const path of ['/api/accounts', '/api/nothing', '/readyz', '/auth/google']) {
      const headers = { authorization: ada.token };
      const response = await fetch(server.url + path, { headers, redirect: 'manual' });
      expect([path, response.headers.get('cache-control')]).toEqual([path, 'no-store']);
    }
  });
});

describe('a connection with malformed bytes', () => {
  /** Sends bytes on a new connection. @returns the response */
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

  it.each([
    ['no HTTP', 'what is this\r\n\r\n', /it is not HTTP/],
    [
      'headers too long',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      /headers are too long/,
    ],
  ])('gets an error of the closed list: %s', async (_, bytes, message) => {
    const [head = '', body = ''] = (await sendBytes(bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    const { error } = errorBodySchema.parse(JSON.parse(body));
    expect(error).toMatchObject({ code: 'malformed-request', message: expect.stringMatching(message) });
  });
});
