import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { limitByNetwork } from './caller.ts';
import { sendNotFound } from './error-mapper.ts';
import { styleNonce } from './server.ts';

/** Returns the origins of the sites that may show a shared page in a frame. @param share the part of the page's path */
export type FrameAncestors = (share: string) => Promise<readonly string[]>;

/** Rate limit of shared pages per network, because each looks its share up. */
const SHARE_LIMIT = { max: 300, timeWindow: 60_000, keyGenerator: limitByNetwork };

/** Allows sites to show the response in a frame. Browsers ignore `X-Frame-Options` then, but proxies may not. */
function allowFrames(reply: FastifyReply, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const policy = String(reply.getHeader('content-security-policy'));
  reply.header(
    'content-security-policy',
    // Not as a text, in which `$` has a meaning.
    policy.replace("frame-ancestors 'none'", () => `frame-ancestors ${origins.join(' ')}`),
  );
  reply.removeHeader('x-frame-options');
}

/** Serves the web app: hashed assets are cached forever, the page itself never, because each response has its own nonce. */
export async function serveWebApp(
  app: FastifyInstance,
  folder: string,
  frameAncestorsOf: FrameAncestors,
): Promise<void> {
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const [page, reference, shared] = await Promise.all([
    read('index.html'),
    read('reference.html'),
    read('share.html'),
  ]);
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    // Files that only the build uses.
    dotfiles: 'ignore',
    preCompressed: true,
    wildcard: true,
    setHeaders: (reply, path) => {
      const immutable = /[\\/]assets[\\/]/.test(path);
      reply.header(
        'cache-control',
        immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });
  const sendPage = (reply: FastifyReply, html = page) => {
    const nonce = styleNonce(reply.raw);
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(html.replaceAll('__CSP_NONCE__', nonce));
  };
  // Browsers request this for responses without an icon of their own, such as JSON.
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) => reply.redirect('/favicon.svg'));
  for (const path of ['/', '/index.html'])
    app.get(path, { schema: { hide: true } }, (_request, reply) => sendPage(reply));
  for (const path of ['/api/reference', '/reference.html'])
    app.get(path, { schema: { hide: true } }, (_request, reply) => {
      // Scalar positions elements by style attributes; scripts and style elements stay as restricted as elsewhere.
      const policy = reply.getHeader('content-security-policy');
      reply.header('content-security-policy', `${policy};style-src-attr 'unsafe-inline'`);
      return sendPage(reply, reference);
    });
  app.get<{ Params: { share: string } }>(
    '/share/:share',
    { schema: { hide: true }, config: { rateLimit: SHARE_LIMIT } },
    async ({ params }, reply) => {
      reply.header('x-robots-tag', 'noindex, nofollow');
      allowFrames(reply, await frameAncestorsOf(params.share));
      return sendPage(reply, shared);
    },
  );
  // A link that is not complete says so; the page of accounts must not get its secret.
  for (const path of ['/share', '/share/*', '/share.html'])
    app.get(path, { schema: { hide: true } }, (_request, reply) =>
      sendPage(reply.header('x-robots-tag', 'noindex, nofollow'), shared),
    );
  app.setNotFoundHandler((request, reply) =>
    isForPage(request) ? sendPage(reply) : sendNotFound(request, reply),
  );
}

/**
 * Returns whether the web app handles this URL. Clients that accept anything (curl, health checks) also get the page,
 * unless the URL looks like a file.
 */
function isForPage({ method, url, headers: { accept = '*/*' } }: FastifyRequest): boolean {
  const path = url.split('?')[0] ?? '';
  if (!['GET', 'HEAD'].includes(method) || /^\/(api|auth|sandbox)(\/|$)/.test(path)) return false;
  return (
    accept.includes('text/html') ||
    (accept.includes('*/*') && !path.slice(path.lastIndexOf('/')).includes('.'))
  );
}
