import type { FastifyInstance } from 'fastify';
import { isWritable } from '../../platform/db/health.ts';
import { type ApiDescription, completeDescription } from '../http/openapi.ts';
import type { Product } from '../product.ts';

/** Registers health, metrics and the description of the API. */
export function registerServiceRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async () => ({ status: 'ok' }));
  app.get('/readyz', hidden, async (_request, reply) => {
    try {
      if (await isWritable(context.db)) return { status: 'ready' };
      return reply.code(503).send({ status: 'the database is read-only' });
    } catch {
      const status = product.isDiskFull()
        ? 'the disk of the database is full'
        : 'the database does not answer';
      return reply.code(503).send({ status });
    }
  });
  app.get('/metrics', hidden, async (_request, reply) => {
    reply.type(context.metrics.registry.contentType);
    return context.metrics.registry.metrics();
  });
  // Read as /api/v1/openapi.json, it has the paths of version 1.
  app.get('/api/openapi.json', hidden, async ({ originalUrl }) =>
    completeDescription(
      app.swagger() as ApiDescription,
      originalUrl.startsWith('/api/v1/') ? '/api/v1' : '/api',
    ),
  );
}
