import type { Socket } from 'node:net';
import { ERROR_STATUS, type ErrorBody } from '@datadeck/contract';

/** Messages by Node's error code. */
const MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The request cannot be read: its headers are too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request cannot be read: it did not arrive in time.',
};

/** Responds to bytes that are not an HTTP request with a regular error, and closes the connection. */
export function rejectMalformed({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const message = MESSAGES[code] ?? 'The request cannot be read: it is not HTTP.';
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
