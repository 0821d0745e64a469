import type { FastifyReply } from 'fastify';

/** The abort reason of work for a client that has disconnected. */
export class ClientDisconnectedError extends Error {}

/** Creates a signal that aborts when the client disconnects before its response is sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  const abort = () => {
    if (!raw.writableFinished)
      disconnected.abort(new ClientDisconnectedError('The client has disconnected.'));
  };
  if (raw.destroyed) abort();
  else raw.once('close', abort);
  return disconnected.signal;
}
