import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { requestWhenFree } from './request-when-free.ts';

const settings = { baseUrl: '', timeout: 60_000, prepareHeaders: () => undefined };
const read = { url: '/tile', method: 'GET' };

/** Refuses the first calls, with the seconds to wait of each. */
function refuse(...seconds: (number | undefined)[]) {
  const fetched = vi.fn(async () => {
    if (seconds.length === 0) return new Response('"rows"');
    const error = { code: 'rate-limited', message: 'Wait.', retryAfter: seconds.shift() };
    return new Response(JSON.stringify({ error }), { status: 429 });
  });
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('requestWhenFree', () => {
  it('waits as long as a busy server asks, and then reads', async () => {
    const fetched = refuse(1, 2);
    const outcome = requestWhenFree(read, settings);
    await vi.advanceTimersByTimeAsync(1499);
    expect(fetched).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetched).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(3000);
    expect(await outcome).toEqual({ data: 'rows' });
  });

  it.each([[60], [undefined]])('does not wait for a limit of %s seconds', async (seconds) => {
    const fetched = refuse(seconds);
    expect(await requestWhenFree(read, settings)).toMatchObject({ error: { status: 429 } });
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('stops after eight refusals', async () => {
    const fetched = refuse(...Array<number>(20).fill(1));
    const outcome = requestWhenFree(read, settings);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await outcome).toMatchObject({ error: { status: 429 } });
    expect(fetched).toHaveBeenCalledTimes(8);
  });

  it('ends with its signal', async () => {
    const fetched = refuse(1, 1);
    const reader = new AbortController();
    const outcome = requestWhenFree({ ...read, signal: reader.signal }, settings);
    await vi.advanceTimersByTimeAsync(10);
    reader.abort();
    expect(await outcome).toMatchObject({ error: { status: 429 } });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fetched).toHaveBeenCalledTimes(1);
  });
});
