import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TaskThread } from './task-thread.ts';

const SCRIPT = new URL('../../test-support/odd-thread.ts', import.meta.url);

test('tasks are answered one after the other', async () => {
  const thread = new TaskThread(SCRIPT, { timeoutMs: 60_000, heapMb: 64 });
  expect(await Promise.all([1, 2, 3].map((task) => thread.run(task)))).toEqual([1, 2, 3]);
  thread.end();
});

// @covers 10.mail-read-threads
test.each([
  ['spin', 'time', 500],
  ['fill', 'memory', 60_000],
])(
  'a task that reaches a limit (%s) fails alone',
  async (task, limit, timeoutMs) => {
    const thread = new TaskThread(SCRIPT, { timeoutMs, heapMb: 48 });
    await thread.run('warm').catch(() => undefined);
    const odd = thread.run(task);
    const next = thread.run('next').catch((error: unknown) => error);
    await expect(odd).rejects.toMatchObject({ failure: 'malformed', limit });
    // On a busy machine the replacement may reach the short time limit while it starts.
    if (limit === 'memory') expect(await next).toBe('next');
    else await next;
    thread.end();
  },
  60_000,
);

test('an error comes with its code and a short message', async () => {
  const thread = new TaskThread(SCRIPT, { timeoutMs: 60_000, heapMb: 64 });
  const error = await thread.run('throw').catch((thrown: unknown) => thrown as Error);
  expect(error).toMatchObject({ code: 'ODD' });
  expect((error as Error).message).toHaveLength(500);
  thread.end();
});

test('the event loop turns while a task spins', async () => {
  const thread = new TaskThread(SCRIPT, { timeoutMs: 60_000, heapMb: 64 });
  const odd = thread.run('spin').catch((error: unknown) => (error as Error).message);
  for (let turn = 0; turn < 5; turn++) await sleep(1);
  thread.end();
  expect(await odd).toBe('the thread was ended');
});

// @covers 10.threads-parse-content
test.runIf(process.platform === 'linux')('a thread has a lower priority than the main thread', async () => {
  const thread = new TaskThread(SCRIPT, { timeoutMs: 60_000, heapMb: 64 });
  const own = getPriority();
  expect(await thread.run('priority')).toBe(Math.min(own + 10, 19));
  expect(getPriority()).toBe(own);
  thread.end();
});
