import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { Jobs } from '../platform/jobs.ts';
import { createLogger } from '../platform/log.ts';
import { runHousekeeping } from './housekeeping.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
});
afterAll(() => server?.remove());

test('a housekeeping step that throws is logged by its name and starves no other', async () => {
  const { context } = server.product;
  const error = vi.fn();
  const log = Object.assign(Object.create(context.log), { error });
  const product = { ...server.product, context: { ...context, log } };
  const last = vi.fn(async () => undefined);
  const boom = new Error('boom');
  await runHousekeeping(product, [
    ['first step', () => Promise.reject(boom)],
    [
      'second step',
      () => {
        throw boom;
      },
    ],
    ['last step', last],
  ]);
  expect(last).toHaveBeenCalledOnce();
  expect(error.mock.calls.map(([detail]) => detail)).toEqual([
    { err: boom, step: 'first step' },
    { err: boom, step: 'second step' },
  ]);
});

test('a job that fails is logged with its queue', async () => {
  const error = vi.fn();
  const log = Object.assign(Object.create(createLogger('silent')), { error });
  const queue = 'failing';
  const jobs = new Jobs(
    { connectionString: server.config.DATABASE_URL },
    [{ name: queue, expireInSeconds: 60 }],
    log,
  );
  await jobs.start();
  const boom = new Error('boom');
  await jobs.work(queue, 1, () => Promise.reject(boom));
  await jobs.send(queue, {});
  await vi.waitFor(() => expect(error).toHaveBeenCalled(), 20_000);
  expect(error.mock.calls[0]).toMatchObject([{ err: boom, queue }, 'a job failed']);
  await jobs.stop(1000);
});
