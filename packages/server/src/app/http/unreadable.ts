import type { Socket } from 'node:net';
import { ERROR_STATUS, type ErrorBody } from '@datadeck/contract';

const SENTENCES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The request cannot be read: its headers are too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request cannot be read: it did not come in time.',
};

/** Answers what is no request of HTTP as everything else is answered, and ends the connection. */
export function refuseUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const message = SENTENCES[code] ?? 'The request cannot be read: it is no HTTP.';
  const body = JSON.stringify({ error: { code: 'malformed-request', message } } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${ERROR_STATUS['malformed-request']} Bad Request`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
