import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { TaskThread } from './task-thread.ts';

const SCRIPT = new URL('../../test-support/odd-thread.ts', import.meta.url);

describe('TaskThread', () => {
  it('returns the result of each queued task', async () => {
    const thread = new TaskThread(SCRIPT, { timeoutMs: 60_000, heapMb: 64 });
    expect(await Promise.all([1, 2, 3].map((task) => thread.run(task)))).toEqual([1, 2, 3]);
    thread.end();
  });

  it.each([
    ['spin', 'time', 500],
    ['fill', 'memory', 60_000],
  ])(
    'fails only the task that reaches a limit (%s)',
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

  it('lets a task that got no processor time continue, for a while', async () => {
    const thread = new TaskThread(SCRIPT, { timeoutMs: 1500, heapMb: 64 });
    await thread.run('warm').catch(() => undefined);
    expect(await thread.run({ blockMs: 2000 })).toEqual({ blockMs: 2000 });
    thread.end();
    const other = new TaskThread(SCRIPT, { timeoutMs: 200, heapMb: 64 });
    await expect(other.run({ blockMs: 600_000 })).rejects.toMatchObject({ limit: 'time' });
    other.end();
  });

  it('rejects with the code and a shortened message of an error', async () => {
    const thread = new TaskThread(SCRIPT, { timeoutMs: 60_000, heapMb: 64 });
    const error = await thread.run('throw').catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: 'ODD' });
    expect((error as Error).message).toHaveLength(500);
    thread.end();
  });

  it('keeps the event loop running while a task spins', async () => {
    const thread = new TaskThread(SCRIPT, { timeoutMs: 60_000, heapMb: 64 });
    const odd = thread.run('spin').catch((error: unknown) => (error as Error).message);
    for (let turn = 0; turn < 5; turn++) await sleep(1);
    thread.end();
    expect(await odd).toBe('the thread was ended');
  });

  it.runIf(process.platform === 'linux')('runs at a lower priority than the main thread', async () => {
    const thread = new TaskThread(SCRIPT, { timeoutMs: 60_000, heapMb: 64 });
    const own = getPriority();
    expect(await thread.run('priority')).toBe(Math.min(own + 10, 19));
    expect(getPriority()).toBe(own);
    thread.end();
  });
});
