import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Api } from '../faults/fault-entry.ts';
import type { TakenFault } from '../faults/fault-injector.ts';
import { callOf, openCall } from './call.ts';
import { answerWithFault, damageBody } from './due-transport-faults.ts';
import type { SandboxContext } from './sandbox-context.ts';

/** The behaviour in which the APIs differ. */
export interface ApiScope {
  api: Api;
  /** Returns the account of the request's token; undefined without a valid token. */
  identify(request: FastifyRequest): string | undefined;
  /** Counts the request as in flight, before any latency. @throws when there are too many */
  acquire?(request: FastifyRequest, reply: FastifyReply): void;
  /** Returns an error body in the API's format. */
  errorBody(status: number, message: string): unknown;
  /** Sends errors of the API's own kind; returns undefined to fall back to `errorBody`. */
  answerError?(error: unknown, reply: FastifyReply): FastifyReply | undefined;
}

const SLOWED: readonly Api[] = ['gmail', 'github'];

/** Adds counters, latency and transport faults to a scope of routes. Sign-in pages get no latency. */
export function openApiScope(scope: FastifyInstance, context: SandboxContext, api: ApiScope): void {
  const due = new WeakMap<FastifyRequest, { at: number; late: TakenFault | undefined }>();
  scope.addHook('onRequest', async (request, reply) => {
    context.counters.arrived(api.api, `${request.method} ${routeOf(request, scope.prefix)}`);
    const account = api.identify(request);
    const faults = context.faults.dueFor({ ...addressOf(request, scope.prefix), api: api.api, account });
    openCall(request, { account, faults });
    api.acquire?.(request, reply);
    const late = faults.take('latency');
    const usual = SLOWED.includes(api.api) ? context.settings.latencyMs : 0;
    const more = late ? (late.milliseconds ?? 500) : 0;
    due.set(request, { at: performance.now() + usual + more, late });
    // Requests that arrive together start together: none waits for the response of another.
    if (usual > 0) await nextTurn();
    return answerWithFault(reply, faults, api);
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    // Latency includes the processing time: with 100 ms, the response is sent 100 ms after the request arrived.
    const { at, late } = due.get(request) ?? { at: 0, late: undefined };
    const wait = at - performance.now();
    if (wait > 0) await sleep(wait, undefined, late && { signal: late.removed }).catch(() => undefined);
    return damageBody(reply, callOf(request).faults, payload);
  });
  scope.addHook('onResponse', async (_request, reply) =>
    context.counters.answered(api.api, reply.statusCode),
  );
  scope.setErrorHandler((error: unknown, _request, reply) => sendError(reply, error, api));
}

function sendError(reply: FastifyReply, error: unknown, api: ApiScope): FastifyReply {
  const answered = api.answerError?.(error, reply);
  if (answered) return answered;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  const message = error instanceof Error ? error.message : 'Internal error';
  return reply.code(status).send(api.errorBody(status, message));
}

function addressOf(request: FastifyRequest, prefix: string): { method: string; path: string; query: string } {
  const [path = '', query] = request.url.split('?', 2);
  return {
    method: request.method,
    path: path.startsWith(prefix) ? path.slice(prefix.length) : path,
    query: query === undefined ? '' : `?${query}`,
  };
}

function routeOf(request: FastifyRequest, prefix: string): string {
  const pattern = request.routeOptions.url ?? 'unknown';
  return pattern.startsWith(prefix) ? pattern.slice(prefix.length) : pattern;
}
