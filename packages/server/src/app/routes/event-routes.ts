import type { FastifyInstance, FastifyReply } from 'fastify';
import { onSessionEnd } from '../../features/accounts/index.ts';
import { followEvents } from '../../features/sync/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { OpenCounter } from '../../platform/open-counter.ts';
import { limitByNetwork } from '../http/caller.ts';
import { route } from '../http/route.ts';
import { tokenOf } from '../http/session.ts';
import type { Product } from '../product.ts';

/** Maximum number of open streams in one process: per user (a browser needs one), per address, in total. */
const MAX_STREAMS = { user: 10, address: 100, all: 2000 } as const;
/** Maximum number of unread bytes before a stream is closed. The client then reconnects and catches up. */
const MAX_UNREAD_BYTES = 1024 * 1024;

function tooManyStreams(): AppError {
  return new AppError('rate-limited', 'Too many event streams are open. Close other windows of Datadeck.', {
    retryAfter: 30,
  });
}

/** Sends an event, or closes the connection of a client that does not read. */
function send(reply: FastifyReply, data: object): void {
  if (reply.raw.writableLength > MAX_UNREAD_BYTES) reply.raw.destroy();
  else if (!reply.raw.headersSent) void reply.sse.send({ data }).catch(() => undefined);
  // Written directly: `sse.send` adds a listener per event and waits until the event is flushed.
  else if (!reply.raw.writableEnded) reply.raw.write(`data: ${JSON.stringify(data)}\n\n`);
}

/** Registers the event stream: changes of the user's syncs and lists, until the session ends. */
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
      const cleanups = [streams.acquire(limits, tooManyStreams)];
      // First of all, because the client may already have disconnected.
      reply.raw.once('close', () => {
        for (const cleanUp of cleanups.splice(0)) cleanUp();
      });
      reply.header('cache-control', 'no-store');
      reply.sse.keepAlive();
      cleanups.push(followEvents(product.context, user.id, (event) => send(reply, event)));
      const session = { userId: user.id, token: tokenOf(request) ?? '' };
      cleanups.push(onSessionEnd(product.context, session, () => reply.sse.close()));
      await reply.sse.send({ data: { type: 'hello' } });
    },
    // Always responds with a stream, ignoring the Accept header. A HEAD request would never end.
    { sse: { kind: 'manual' }, exposeHeadRoute: false },
  );
}
