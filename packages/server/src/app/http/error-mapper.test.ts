import { connect } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, expect, it, vi } from 'vitest';
import { errorHandler } from './error-mapper.ts';

let app: FastifyInstance;
afterEach(() => app.close());

it('does not report a client that leaves in the middle of its body', async () => {
  const lines: string[] = [];
  app = fastify({ logger: { level: 'debug', stream: { write: (line: string) => lines.push(line) } } });
  app.setErrorHandler(errorHandler(() => false));
  app.post('/', async () => 'unreached');
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1');
  const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{';
  socket.write(head, () => setTimeout(() => socket.destroy(), 100));
  await vi.waitFor(() => expect(lines.join('')).toContain('the client left'), 10_000);
  expect(lines.join('')).not.toContain('request failed');
});
