import type { FastifyReply } from 'fastify';

/** Makes a signal that aborts when the client leaves before its answer is sent. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new Error('The client has left.'));
  });
  return gone.signal;
}
