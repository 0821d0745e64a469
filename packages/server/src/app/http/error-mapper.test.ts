import { once } from 'node:events';
import { connect } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { disconnectSignal } from './client-disconnect.ts';
import { errorHandler } from './error-mapper.ts';

let app: FastifyInstance;
afterEach(() => app.close());

const HEAD = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ';

describe('errorHandler', () => {
  // @covers 7.client-leaves-middle
  it.each([
    ['during its request body', `${HEAD}100\r\n\r\n{`],
    ['before its response', `${HEAD}2\r\n\r\n{}`],
  ])('does not log an error when a client disconnects %s', async (_, sent) => {
    const lines: string[] = [];
    app = fastify({ logger: { level: 'debug', stream: { write: (line: string) => lines.push(line) } } });
    app.setErrorHandler(errorHandler(() => false));
    app.post('/', async (_request, reply) => {
      const gone = disconnectSignal(reply);
      await once(gone, 'abort');
      gone.throwIfAborted();
    });

    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(sent, () => setTimeout(() => socket.destroy(), 100));

    await vi.waitFor(() => expect(lines.join('')).toContain('the client disconnected'), 10_000);
    expect(lines.join('')).not.toContain('request failed');
  });
});
