import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long the reader of an answer may take nothing of it, ms. */
const UNREAD_MS = 30_000;

/**
 * Closes connections whose answer nobody has read for a while: what waits for its reader is memory, and an open file or
 * process behind it. A slow reader is no idle one; an answer that is still being made has no reader to wait for.
 */
export function closeUnreadAnswers(server: Server, ms = UNREAD_MS): void {
  /** Requests under way by connection. */
  const open = new WeakMap<Socket, number>();
  server.on('request', (request, response) => {
    const { socket } = request;
    open.set(socket, (open.get(socket) ?? 0) + 1);
    response.once('close', () => open.set(socket, (open.get(socket) ?? 1) - 1));
  });
  server.timeout = ms;
  server.on('timeout', (socket: Socket) => {
    const isMaking = (open.get(socket) ?? 0) > 0 && socket.writableLength === 0;
    if (!isMaking) socket.destroy();
  });
}
