import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { DueFaults } from '../faults/fault-injector.ts';

const STATUSES = [
  ['http-500', 500, 'Internal Error'],
  ['http-502', 502, 'Bad Gateway'],
  ['http-503', 503, 'The service is currently unavailable.'],
  ['http-504', 504, 'Gateway Timeout'],
] as const;

const HTML_PAGE =
  '<!DOCTYPE html>\n<html lang=en><title>Error 502 (Server Error)!!1</title><p><b>502.</b> <ins>That’s an error.</ins><p>The server encountered a temporary error and could not complete your request.</html>\n';

interface ErrorForm {
  errorBody(status: number, message: string): unknown;
}

/** Sends the response of a due fault instead of the route's; the reply is then complete. */
export function answerWithFault(
  reply: FastifyReply,
  faults: DueFaults,
  form: ErrorForm,
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
export function damageBody(reply: FastifyReply, faults: DueFaults, payload: unknown): unknown {
  const skew = faults.take('clock-skew');
  if (skew) reply.header('date', new Date(Date.now() + (skew.seconds ?? 3600) * 1000).toUTCString());
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
