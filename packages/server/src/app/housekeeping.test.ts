import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { HOUSEKEEPING_QUEUE, runHousekeeping } from './housekeeping.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
});
afterAll(() => server?.remove());

describe('runHousekeeping', () => {
  it('logs a failed step by its name and runs the remaining steps', async () => {
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
});

describe('the job queue', () => {
  it('counts failed jobs in the metrics', async () => {
    const { jobs } = server.product.context;
    const count = async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      return /^datadeck_job_failures_total\{queue="housekeeping"\} (\d+)$/m.exec(metrics)?.[1];
    };

    expect(await count()).toBe('0');
    await jobs.work(HOUSEKEEPING_QUEUE.name, { concurrency: 1 }, () => Promise.reject(new Error('boom')));
    await jobs.send(HOUSEKEEPING_QUEUE.name, {});
    await vi.waitFor(async () => expect(await count()).toBe('1'), 20_000);
  });
});
