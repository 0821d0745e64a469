import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test-support/test-server.ts';

const METRICS_TOKEN = 'a-long-enough-secret';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    PUBLIC_URL: 'https://Datadeck.example',
    ALLOWED_HOSTS: 'deck.internal,*.lan',
    METRICS_TOKEN,
    SANDBOX: 'on',
  });
});
afterAll(() => server?.remove());

/** Sends a GET request with the given headers, also a Host of another server. */
function call(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    request(`${server.url}${path}`, { headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the Host header', () => {
  it.each([
    'datadeck.example',
    'DATADECK.example:443',
    'datadeck.example.',
    'deck.internal:3000',
    'nas.lan',
    'localhost',
    'app.localhost:3000',
    '127.0.0.1:1',
    '[::1]:3000',
    '192.0.2.7',
  ])('may be %s', async (host) => {
    expect((await call('/api/product', { host })).status).toBe(200);
  });

  it.each([
    'evil.example',
    'datadeck.example.evil.example',
    'evildatadeck.example',
    'lan',
    '127.0.0.1.evil',
    'x',
  ])('is refused as %s, except by probes', async (host) => {
    for (const path of ['/api/product', '/', '/metrics', '/api/openapi.json', '/auth/google', '/nowhere']) {
      const { status, text } = await call(path, { host });
      expect([path, status]).toEqual([path, 421]);
      expect(JSON.parse(text).error.message).toContain('ALLOWED_HOSTS');
    }
    for (const path of ['/healthz', '/readyz?x']) expect((await call(path, { host })).status).toBe(200);
  });
});

describe('/metrics', () => {
  it('is for this machine and for callers with the token', async () => {
    expect((await call('/metrics')).status).toBe(200);
    const forwarded = { 'x-forwarded-for': '203.0.113.5' };
    for (const headers of [forwarded, { forwarded: 'for=203.0.113.5' }])
      expect((await call('/metrics', headers)).status).toBe(401);
    const authorization = `Bearer ${METRICS_TOKEN}`;
    expect((await call('/metrics', { ...forwarded, authorization })).status).toBe(200);
    expect((await call('/metrics', { ...forwarded, authorization: 'Bearer wrong' })).status).toBe(401);
  });

  it('does not grow with the kinds of requests', async () => {
    const lines = async () => (await call('/metrics')).text.split('\n').length;
    await call('/api/nothing');
    await lines();
    const before = await lines();
    for (const method of ['PROPFIND', 'LOCK', 'TRACE', 'REPORT'])
      await new Promise((resolve) => {
        request(`${server.url}/${method}`, { method, agent: false }, (answer) =>
          answer.resume().on('end', resolve),
        ).end();
      });
    for (const path of ['/a', '/b?c', '/api/x', '/api/y/z']) await call(path);
    // One more series of ten buckets at most: that of other methods.
    expect(await lines()).toBeLessThan(before + 40);
  });
});

describe('the description of the API', () => {
  it('is the same text for every caller, and limited by network', async () => {
    const answers = await Promise.all(Array.from({ length: 130 }, () => call('/api/openapi.json')));
    const texts = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text));
    expect(texts.size).toBe(1);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    const [text = ''] = texts;
    expect(JSON.parse(text).paths).toHaveProperty('/api/data/search');
    expect((await call('/healthz')).status).toBe(200);
  });
});
