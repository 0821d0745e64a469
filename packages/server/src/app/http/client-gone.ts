import type { FastifyReply } from 'fastify';

/** Why work for a client that has left is stopped. Nobody is there for the answer. */
export class ClientGoneError extends Error {}

/** Makes a signal that aborts when the client leaves before its answer is sent. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const abort = () => {
    if (!raw.writableFinished) gone.abort(new ClientGoneError('The client has left.'));
  };
  if (raw.destroyed) abort();
  else raw.once('close', abort);
  return gone.signal;
}
