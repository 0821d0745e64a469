import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Requests on one connection that wait for their answers. Browsers and proxies send the next one after an answer. */
const MOST_WAITING = 16;

/**
 * Closes connections that send requests without waiting for answers: Node begins all that arrive in one packet, and a
 * megabyte holds ten thousand of them. Call it when the server has its listeners.
 */
export function limitPipelining(server: Server): void {
  const waiting = new WeakMap<Socket, number>();
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    // What was parsed before the connection was closed still comes here.
    if (socket.destroyed) return;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MOST_WAITING) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    for (const listener of listeners) listener.call(server, request, response);
  });
}
