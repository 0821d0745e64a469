import type { WorkerOptions } from 'node:worker_threads';
import { expect, it, vi } from 'vitest';
import { TaskThread } from './task-thread.ts';

const starts = { failing: 0 };

vi.mock('node:worker_threads', async (original) => {
  const real = await original<typeof import('node:worker_threads')>();
  /** A thread that does not start while `starts.failing` is above 0, as on a machine without free process ids. */
  class Worker extends real.Worker {
    constructor(code: string, options: WorkerOptions) {
      if (starts.failing-- > 0) throw new Error('no thread could be started');
      super(code, options);
    }
  }
  return { ...real, Worker };
});

it('fails the tasks for which no thread starts, and works again after them', async () => {
  starts.failing = 2;
  const script = new URL('../../test-support/odd-thread.ts', import.meta.url);
  const thread = new TaskThread(script, { timeoutMs: 60_000, heapMb: 64 });
  const outcomes = await Promise.allSettled([1, 2, 3].map((task) => thread.run(task)));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await thread.run('next')).toBe('next');
  thread.end();
});
