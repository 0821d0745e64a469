import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { ApiScope } from '@datadeck/sandbox/parts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallCounters } from '../control/call-counters.ts';
import type { DueFaults, FaultInjector, TakenFault } from '../faults/fault-injector.ts';
import { dueFaults, setDueFaults } from './requests.ts';

const STATUSES = [
  ['http-500', 500, 'Internal Error'],
  ['http-502', 502, 'Bad Gateway'],
  ['http-503', 503, 'The service is currently unavailable.'],
  ['http-504', 504, 'Gateway Timeout'],
] as const;

const HTML_PAGE =
  '<!DOCTYPE html>\n<html lang=en><title>Error 502 (Server Error)!!1</title><p><b>502.</b> <ins>That’s an error.</ins><p>The server encountered a temporary error and could not complete your request.</html>\n';

interface LateAnswer {
  /** When the answer may leave, in the time of `performance.now()`. */
  at: number;
  fault: TakenFault;
}

/** Counts the requests of an API, and delays, replaces or damages answers for which a fault is due. */
export function addTransportFaults(
  scope: FastifyInstance,
  api: ApiScope,
  { faults, counters }: { faults: FaultInjector; counters: CallCounters },
): void {
  const lateAnswers = new WeakMap<FastifyRequest, LateAnswer>();
  scope.addHook('onRequest', async (request, reply) => {
    counters.arrived(api.api, `${request.method} ${routeOf(request, scope.prefix)}`);
    const account = api.identify(request);
    const due = faults.dueFor({ ...addressOf(request, scope.prefix), api: api.api, account });
    setDueFaults(request, due);
    const fault = due.take('latency');
    if (fault) lateAnswers.set(request, { at: performance.now() + (fault.milliseconds ?? 500), fault });
    return answerWithFault(reply, due, api);
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    const late = lateAnswers.get(request);
    const wait = (late?.at ?? 0) - performance.now();
    if (late && wait > 0) await sleep(wait, undefined, { signal: late.fault.removed }).catch(() => undefined);
    return damageBody(reply, dueFaults(request), payload);
  });
  scope.addHook('onResponse', async (_request, reply) => counters.answered(api.api, reply.statusCode));
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

/** Sends the response of a due fault instead of the route's; the reply is then complete. */
function answerWithFault(
  reply: FastifyReply,
  faults: DueFaults,
  form: Pick<ApiScope, 'errorBody'>,
): FastifyReply | undefined {
  if (faults.take('connection-reset')) {
    reply.hijack();
    reply.raw.destroy();
    return reply;
  }
  for (const [name, status, message] of STATUSES) {
    const options = faults.take(name);
    if (!options) continue;
    if (options.seconds !== undefined) reply.header('retry-after', String(options.seconds));
    return reply.code(status).send(form.errorBody(status, message));
  }
  if (faults.take('html-error-body')) return reply.code(502).type('text/html; charset=UTF-8').send(HTML_PAGE);
  if (faults.take('html-instead-of-json')) return reply.type('text/html; charset=UTF-8').send(HTML_PAGE);
  const redirect = faults.take('redirect');
  if (redirect) return reply.redirect(redirect.location ?? reply.request.url, 307);
  if (faults.take('redirect-loop')) return reply.redirect(reply.request.url, 302);
  return undefined;
}

/** Damages the response body if a fault is due, and sets matching headers. */
function damageBody(reply: FastifyReply, faults: DueFaults, payload: unknown): unknown {
  const skew = faults.take('clock-skew');
  if (skew) skewClock(reply, skew.seconds ?? 3600);
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  const body = Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
  const half = body.subarray(0, Math.ceil(body.length / 2));
  if (faults.take('truncated-json')) return resized(reply, half);
  if (faults.take('invalid-json'))
    return resized(reply, Buffer.from(`)]}'\n${body.toString().replace(/[}\]]\s*$/, ',,')}`));
  if (faults.take('empty-body')) return resized(reply, Buffer.alloc(0));
  if (faults.take('reset-mid-body')) return withLength(reply, body.length, brokenOff(half));
  if (faults.take('stalled-stream')) return withLength(reply, body.length, stalled(half));
  if (faults.take('content-length-too-long')) return withLength(reply, body.length + 1000, brokenOff(body));
  if (faults.take('content-length-too-short')) return withLength(reply, half.length, Readable.from([body]));
  if (faults.take('broken-gzip')) return brokenGzip(reply, body);
  return payload;
}

/** Moves the Date header, and at GitHub the reset of the quota. */
function skewClock(reply: FastifyReply, seconds: number): void {
  reply.header('date', new Date(Date.now() + seconds * 1000).toUTCString());
  const reset = reply.getHeader('x-ratelimit-reset');
  if (reset !== undefined) reply.header('x-ratelimit-reset', String(Number(reset) + seconds));
}

function resized(reply: FastifyReply, body: Buffer): Buffer {
  reply.header('content-length', String(body.length));
  return body;
}

function withLength(reply: FastifyReply, length: number, body: Readable): Readable {
  reply.header('content-length', String(length));
  return body;
}

/** Returns a stream that sends the bytes and then fails, so that the server closes the connection. */
function brokenOff(bytes: Buffer): Readable {
  const stream = new PassThrough();
  stream.write(bytes);
  setTimeout(() => stream.destroy(new Error('sandbox fault: connection broken')), 30);
  return stream;
}

/** Returns a stream that sends the bytes and then stalls until the connection is closed. */
function stalled(bytes: Buffer): Readable {
  const stream = new PassThrough();
  stream.write(bytes);
  return stream;
}

function brokenGzip(reply: FastifyReply, body: Buffer): Buffer {
  const packed = gzipSync(body);
  packed.fill(0xaa, Math.floor(packed.length / 3), Math.floor(packed.length / 3) * 2);
  reply.header('content-encoding', 'gzip');
  return resized(reply, packed);
}
