import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Api, ApiScope } from './api.ts';
import type { SandboxContext } from './sandbox-context.ts';

const SLOWED: readonly Api[] = ['gmail', 'github'];

/** Adds latency and error answers to a scope of routes. Sign-in pages get no latency. */
export function openApiScope(
  scope: FastifyInstance,
  { settings, hooks }: SandboxContext,
  api: ApiScope,
): void {
  const latencyMs = SLOWED.includes(api.api) ? settings.latencyMs : 0;
  const due = new WeakMap<FastifyRequest, number>();
  scope.addHook('onSend', async (request) => {
    // Latency includes the processing time: with 100 ms, the response is sent 100 ms after the request arrived.
    const wait = (due.get(request) ?? 0) - performance.now();
    if (wait > 0) await sleep(wait);
  });
  hooks.openScope?.(scope, api);
  scope.addHook('onRequest', async (request, reply) => {
    api.acquire?.(request, reply);
    if (latencyMs === 0) return;
    due.set(request, performance.now() + latencyMs);
    // Requests that arrive together start together: none waits for the response of another.
    await nextTurn();
  });
  scope.setErrorHandler((error: unknown, _request, reply) => sendError(reply, error, api));
}

function sendError(reply: FastifyReply, error: unknown, api: ApiScope): FastifyReply {
  const answered = api.answerError?.(error, reply);
  if (answered) return answered;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  const message = error instanceof Error ? error.message : 'Internal error';
  return reply.code(status).send(api.errorBody(status, message));
}
