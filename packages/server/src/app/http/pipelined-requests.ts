import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of pending requests per connection. Browsers and proxies send one at a time. */
const MAX_PENDING_REQUESTS = 16;

/**
 * Closes connections that pipeline too many requests: Node starts all requests of one packet, and a megabyte holds ten
 * thousand. Call this after all request listeners are added.
 */
export function limitPipelining(server: Server): void {
  const waiting = new WeakMap<Socket, number>();
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    // Requests parsed before the connection was closed still arrive here.
    if (socket.destroyed) return;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_PENDING_REQUESTS) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    for (const listener of listeners) listener.call(server, request, response);
  });
}
