import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { limitPipelining } from './pipelined-requests.ts';

let server: Server;
let socket: Socket;
afterEach(() => {
  socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** Opens a connection to a server that limits pipelining. */
async function open(listener: RequestListener): Promise<void> {
  server = createServer(listener);
  limitPipelining(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
}

const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

describe('limitPipelining', () => {
  // @covers 7.connections-send-requests
  it('closes a connection with more than 16 waiting requests', async () => {
    let handled = 0;
    await open(() => handled++);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(REQUEST.repeat(2000));
    await closed;
    expect(handled).toBe(16);
  });

  // @covers 7.connections-send-requests
  it('serves any number of sequential requests', async () => {
    await open((_request, response) => response.end('answer'));
    let answers = 0;
    socket.on('data', (data) => {
      answers += String(data).split('answer').length - 1;
      if (answers < 100) socket.write(REQUEST);
    });
    socket.write(REQUEST);
    await vi.waitFor(() => expect(answers).toBe(100), 10_000);
  });
});
