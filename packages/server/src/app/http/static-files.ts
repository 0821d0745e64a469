import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendNotFound } from './error-mapper.ts';
import { styleNonce } from './server.ts';

/** The web app: hashed assets for good, the page itself anew each time with a nonce of its own. */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    // What the build leaves for itself.
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
  const sendPage = (reply: FastifyReply) => {
    const nonce = styleNonce(reply.raw);
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page.replaceAll('__CSP_NONCE__', nonce));
  };
  // Asked for where a page names no icon of its own: beside a download, or an answer in JSON.
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) => reply.redirect('/favicon.svg'));
  for (const path of ['/', '/index.html'])
    app.get(path, { schema: { hide: true } }, (_request, reply) => sendPage(reply));
  app.setNotFoundHandler((request, reply) =>
    isForPage(request) ? sendPage(reply) : sendNotFound(request, reply),
  );
}

/** The web app knows its addresses itself. Who takes anything (curl, a health check) is shown it too, unless a file is meant. */
function isForPage({ method, url, headers: { accept = '*/*' } }: FastifyRequest): boolean {
  const path = url.split('?')[0] ?? '';
  if (!['GET', 'HEAD'].includes(method) || /^\/(api|auth|sandbox)(\/|$)/.test(path)) return false;
  return (
    accept.includes('text/html') ||
    (accept.includes('*/*') && !path.slice(path.lastIndexOf('/')).includes('.'))
  );
}
