import type { FastifyInstance, FastifyReply } from 'fastify';
import { onSessionEnd } from '../../features/accounts/index.ts';
import { followEvents } from '../../features/sync/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { OpenCounter } from '../../platform/open-counter.ts';
import { limitByNetwork } from '../http/caller.ts';
import { route } from '../http/route.ts';
import { tokenOf } from '../http/session.ts';
import type { Product } from '../product.ts';

/** Streams at once in one process: of a user (a browser needs one), of an address, of everybody. */
const MAX_STREAMS = { user: 10, address: 100, all: 2000 } as const;
/** Bytes that a client may leave unread before its stream is closed; it then opens a new one and catches up. */
const MAX_UNREAD_BYTES = 1024 * 1024;

function tooManyStreams(): AppError {
  return new AppError('rate-limited', 'Too many event streams are open. Close other windows of Datadeck.', {
    retryAfter: 30,
  });
}

/** Sends an event, or ends the connection of a client that does not read. */
function send(reply: FastifyReply, data: object): void {
  if (reply.raw.writableLength > MAX_UNREAD_BYTES) reply.raw.destroy();
  else if (!reply.raw.headersSent) void reply.sse.send({ data }).catch(() => undefined);
  // Written directly: `sse.send` would wait for each event to leave, with a listener for each.
  else if (!reply.raw.writableEnded) reply.raw.write(`data: ${JSON.stringify(data)}\n\n`);
}

/** Registers the server-sent events: changes of the user's syncs and lists as they happen, until the session ends. */
export function registerEventRoutes(app: FastifyInstance, product: Product): void {
  const streams = new OpenCounter();
  route(
    app,
    product,
    'events',
    async ({ user, request, reply }) => {
      const limits = {
        [`user ${user.id}`]: MAX_STREAMS.user,
        [`address ${limitByNetwork(request)}`]: MAX_STREAMS.address,
        all: MAX_STREAMS.all,
      };
      const stops = [streams.enter(limits, tooManyStreams)];
      // Before anything else: a client may be gone already.
      reply.raw.once('close', () => {
        for (const stop of stops.splice(0)) stop();
      });
      reply.header('cache-control', 'no-store');
      reply.sse.keepAlive();
      stops.push(followEvents(product.context, user.id, (event) => send(reply, event)));
      const session = { userId: user.id, token: tokenOf(request) ?? '' };
      stops.push(onSessionEnd(product.context, session, () => reply.sse.close()));
      await reply.sse.send({ data: { type: 'hello' } });
    },
    // Always a stream: the Accept header is ignored. A HEAD request would never end.
    { sse: { kind: 'manual' }, exposeHeadRoute: false },
  );
}
