import type { FastifyInstance } from 'fastify';
import { followEvents } from '../../features/sync/index.ts';
import { route } from '../http/route.ts';
import type { Product } from '../product.ts';

/** Server-sent events: what happens to the user's syncs and lists, as it happens. */
export function registerEventRoutes(app: FastifyInstance, product: Product): void {
  route(
    app,
    product,
    'events',
    async ({ user, reply }) => {
      reply.header('cache-control', 'no-store');
      reply.sse.keepAlive();
      const unsubscribe = followEvents(product.context, user.id, (event) => {
        void reply.sse.send({ data: event }).catch(() => undefined);
      });
      reply.sse.onClose(unsubscribe);
      await reply.sse.send({ data: { type: 'hello' } });
    },
    { sse: { kind: 'only' } },
  );
}
