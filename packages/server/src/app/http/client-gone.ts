import type { FastifyReply } from 'fastify';

/** Why work for a client that has left is stopped. Nobody is there for the answer. */
export class ClientGoneError extends Error {}

/** Makes a signal that aborts when the client leaves before its answer is sent. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new ClientGoneError('The client has left.'));
  });
  return gone.signal;
}
