import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a client may read nothing of its response, ms. */
const IDLE_TIMEOUT_MS = 30_000;

/**
 * Closes connections whose client stops reading its response, which occupies memory, a file or a process. Slow readers
 * and responses that are still being computed are not affected.
 */
export function closeUnreadResponses(server: Server, ms = IDLE_TIMEOUT_MS): void {
  /** Number of requests in progress by connection. */
  const open = new WeakMap<Socket, number>();
  server.on('request', (request, response) => {
    const { socket } = request;
    open.set(socket, (open.get(socket) ?? 0) + 1);
    response.once('close', () => open.set(socket, (open.get(socket) ?? 1) - 1));
  });
  server.timeout = ms;
  server.on('timeout', (socket: Socket) => {
    const isComputing = (open.get(socket) ?? 0) > 0 && socket.writableLength === 0;
    if (!isComputing) socket.destroy();
  });
}
