import { afterEach, expect, it, vi } from 'vitest';
import { RequestTime } from './request-time.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('counts the time of requests, but not the time that a trial waits between them', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const time = new RequestTime();
  const takes = (ms: number) => time.run(async () => void vi.advanceTimersByTime(ms));
  await takes(4000);
  vi.advanceTimersByTime(60_000);
  await takes(5000);
  await takes(5000);
  await takes(0);
  expect(timeout.mock.calls).toEqual([[10_000], [6000], [1000], [0]]);
});
