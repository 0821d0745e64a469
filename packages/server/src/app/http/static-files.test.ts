import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import { serveWebApp } from './static-files.ts';

/** The sites that may frame a page, by its share. */
const SITES: Record<string, string[]> = {
  embedded: ['https://wiki.example.org'],
  odd: ['https://$&.example.org', 'https://$`.example.org'],
};

let folder: string;
let app: FastifyInstance;

beforeAll(async () => {
  folder = makeTemporaryFolder('datadeck-web-');
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><meta content="__CSP_NONCE__">');
  writeFileSync(
    join(folder, 'reference.html'),
    '<!doctype html><title>API</title><meta content="__CSP_NONCE__">',
  );
  writeFileSync(join(folder, 'assets', 'index-1a2b.js'), 'export {};');
  writeFileSync(join(folder, 'share.html'), '<!doctype html><title>Shared</title>');
  app = fastify();
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'content-security-policy': "default-src 'self';frame-ancestors 'none'",
      'x-frame-options': 'DENY',
    });
  });
  await serveWebApp(app, folder, async (share) => SITES[share] ?? []);
});
afterAll(async () => {
  await app.close();
  removeDataFolder(folder);
});

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

function get(url: string, accept?: string) {
  return app.inject({ method: 'GET', url, headers: accept === undefined ? {} : { accept } });
}

describe('serveWebApp', () => {
  it.each([BROWSER, '*/*', undefined])(
    'returns the app at each of its addresses for Accept: %s',
    async (accept) => {
      for (const url of [
        '/',
        '/index.html',
        '/login',
        '/dashboard/query?entity=gm-labels',
        '/no/such/page',
      ]) {
        const answer = await get(url, accept);
        expect([url, answer.statusCode, answer.headers['content-type']]).toEqual([
          url,
          200,
          'text/html; charset=utf-8',
        ]);
        expect(answer.headers['cache-control']).toBe('no-store');
        expect(answer.body).not.toContain('__CSP_NONCE__');
      }
    },
  );

  it.each([
    ['/api/nothing', BROWSER],
    ['/auth/nothing', BROWSER],
    ['/sandbox/nothing', '*/*'],
    ['/assets/index-0000.js', '*/*'],
    ['/dashboard', 'application/json'],
  ])('returns not-found for %s with Accept: %s', async (url, accept) => {
    const answer = await get(url, accept);
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'not-found']);
  });

  it('returns the shared page to nobody but the sites that may frame it, and to no search engine', async () => {
    const framing = ({ headers }: Awaited<ReturnType<typeof get>>) => [
      String(headers['content-security-policy']).split(';').at(-1),
      headers['x-frame-options'],
      headers['x-robots-tag'],
      headers['cache-control'],
    ];
    const rest = ['noindex, nofollow', 'no-store'];
    const embedded = await get('/share/embedded', BROWSER);
    expect(embedded.body).toContain('<title>Shared</title>');
    expect(framing(embedded)).toEqual(['frame-ancestors https://wiki.example.org', undefined, ...rest]);
    expect(framing(await get('/share/odd', BROWSER))[0]).toBe(`frame-ancestors ${SITES['odd']?.join(' ')}`);
    for (const url of ['/share/other', '/share/', '/share', '/share/embedded/', '/share/a/b'])
      expect([url, ...framing(await get(url, BROWSER))]).toEqual([
        url,
        "frame-ancestors 'none'",
        'DENY',
        ...rest,
      ]);
  });

  it('creates a nonce per page and caches assets permanently', async () => {
    const [one, other] = [(await get('/', BROWSER)).body, (await get('/', BROWSER)).body];
    expect(one).toMatch(/content="[\w+/]{22}=="/);
    expect(one).not.toBe(other);
    const asset = await get('/assets/index-1a2b.js', '*/*');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('redirects /favicon.ico to the icon', async () => {
    expect((await get('/favicon.ico', 'image/*,*/*;q=0.8')).headers.location).toBe('/favicon.svg');
  });
});
