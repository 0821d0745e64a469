import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Product } from '../product.ts';

/** Health, metrics and the description of the API. */
export function registerServiceRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async () => ({ status: 'ok' }));
  app.get('/readyz', hidden, async (_request, reply) => {
    try {
      const { rows } = await context.db.execute<{ read_only: string }>(
        sql`select current_setting('transaction_read_only') as read_only`,
      );
      if (rows[0]?.read_only !== 'on') return { status: 'ready' };
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
  app.get('/api/openapi.json', hidden, async () => app.swagger());
}
