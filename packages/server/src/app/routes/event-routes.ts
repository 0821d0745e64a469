import type { FastifyInstance } from 'fastify';
import { onSessionEnd } from '../../features/accounts/index.ts';
import { followEvents } from '../../features/sync/index.ts';
import { route } from '../http/route.ts';
import { tokenOf } from '../http/session.ts';
import type { Product } from '../product.ts';

/** Server-sent events: what happens to the user's syncs and lists, as it happens, until the session ends. */
export function registerEventRoutes(app: FastifyInstance, product: Product): void {
  route(
    app,
    product,
    'events',
    async ({ user, request, reply }) => {
      reply.header('cache-control', 'no-store');
      reply.sse.keepAlive();
      const unfollow = followEvents(product.context, user.id, (event) => {
        void reply.sse.send({ data: event }).catch(() => undefined);
      });
      const session = { userId: user.id, token: tokenOf(request) ?? '' };
      const forget = onSessionEnd(product.context, session, () => reply.sse.close());
      reply.sse.onClose(() => {
        unfollow();
        forget();
      });
      await reply.sse.send({ data: { type: 'hello' } });
    },
    // There is nothing else here, whatever the client says it accepts. Asked by HEAD, it would never end.
    { sse: { kind: 'manual' }, exposeHeadRoute: false },
  );
}
