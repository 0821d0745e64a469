import type { FastifyReply } from 'fastify';

/** Returns a signal that is aborted when the caller leaves before the whole answer was handed over. */
export function leaving({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!raw.writableFinished) controller.abort();
  };
  if (raw.destroyed) abort();
  else raw.once('close', abort);
  return controller.signal;
}
