import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeUnreadResponses } from './unread-responses.ts';

const IDLE_TIMEOUT_MS = 300;
/** Larger than the buffers of both ends. */
const LARGE = 'x'.repeat(50_000_000);

let server: Server | undefined;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.closeAllConnections();
  server?.close();
});

/** Starts a server with this response and sends it a request. @returns the client's socket */
async function request(respond: (send: (text: string) => void) => void): Promise<Socket> {
  const started = createServer((_request, response) => respond((text) => response.end(text)));
  server = started;
  closeUnreadResponses(started, IDLE_TIMEOUT_MS);
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const socket = connect((started.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return socket;
}

function connections(): Promise<number> {
  return new Promise((resolve, reject) =>
    server?.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

describe('closeUnreadResponses', () => {
  it('closes a connection whose client does not read the response', async () => {
    const socket = await request((send) => send(LARGE));
    socket.pause();
    await vi.waitFor(async () => expect(await connections()).toBe(1), 5000);
    await vi.waitFor(async () => expect(await connections()).toBe(0), 10_000);
  });

  it('keeps a connection while its response is being prepared', async () => {
    const socket = await request((send) => setTimeout(send, IDLE_TIMEOUT_MS * 4, 'late'));
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString();
    });
    await vi.waitFor(() => expect(text).toContain('late'), 10_000);
  });

  it('keeps a connection whose client reads slowly', async () => {
    const socket = await request((send) => send(LARGE));
    let read = 0;
    socket.on('data', (piece) => {
      read += piece.length;
      socket.pause();
      if (read < 20_000_000) setTimeout(() => socket.resume(), 2);
      else socket.resume();
    });
    await vi.waitFor(() => expect(read).toBeGreaterThan(LARGE.length), { timeout: 60_000, interval: 50 });
  }, 90_000);
});
