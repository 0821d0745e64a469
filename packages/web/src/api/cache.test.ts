import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { baseApi } from './base-api.ts';

/** The longest cache time that the library accepts, seconds: the largest 32-bit timer, less one second. */
const MAX_SECONDS = 2_147_482.647;

const api = baseApi.injectEndpoints({
  endpoints: (build) => ({
    list: build.query<unknown, void>({ query: () => call('/list'), providesTags: ['Views'] }),
    slow: build.query<unknown, void>({ query: () => call('/slow') }),
    forever: build.query<unknown, void>({ query: () => call('/forever'), keepUnusedDataFor: 1e9 }),
    // One second more than a 32-bit timer can hold. Without a cap, the timer would fire at once.
    beyond: build.query<unknown, void>({ query: () => call('/beyond'), keepUnusedDataFor: 2_147_484 }),
    change: build.mutation<unknown, void>({ query: () => call('/change'), invalidatesTags: ['Views'] }),
  }),
});
const call = (url: string) => ({ url, method: 'GET' });

let calls: string[];
let endSlow: () => void;

function makeStore() {
  return configureStore({
    reducer: { [baseApi.reducerPath]: baseApi.reducer },
    middleware: (defaults) => defaults().concat(baseApi.middleware),
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  vi.stubGlobal('fetch', async (url: string) => {
    calls.push(url);
    if (url === '/slow') await new Promise<void>((resolve) => (endSlow = resolve));
    return new Response('1');
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('baseApi', () => {
  // @covers 9.refetch-focus-reconnect
  it('refetches neither on focus nor on reconnect', async () => {
    const store = makeStore();
    const end = setupListeners(store.dispatch);
    await store.dispatch(api.endpoints.list.initiate());
    for (const name of ['visibilitychange', 'focus', 'offline', 'online'])
      window.dispatchEvent(new Event(name));
    await vi.advanceTimersByTimeAsync(5000);
    expect(calls).toEqual(['/list']);
    end();
  });

  // @covers 9.invalidation-waits-pending
  it('delays an invalidation until the pending requests have finished', async () => {
    const store = makeStore();
    await store.dispatch(api.endpoints.list.initiate());
    void store.dispatch(api.endpoints.slow.initiate());
    await vi.advanceTimersByTimeAsync(0);
    await store.dispatch(api.endpoints.change.initiate());
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls).toEqual(['/list', '/slow', '/change']);
    endSlow();
    await vi.advanceTimersByTimeAsync(0);
    expect(calls).toEqual(['/list', '/slow', '/change', '/list']);
  });

  // @covers 9.longest-cache-timer
  it('keeps unused data for about 2,147,483 s at most', async () => {
    const store = makeStore();
    const use = store.dispatch(api.endpoints.forever.initiate());
    await use;
    use.unsubscribe();
    const status = () => api.endpoints.forever.select()(store.getState()).status;
    await vi.advanceTimersByTimeAsync((MAX_SECONDS - 10) * 1000);
    expect(status()).toBe('fulfilled');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(status()).toBe('uninitialized');
  });

  // @covers 9.longest-cache-timer
  it('caps a cache time that exceeds the longest timer', async () => {
    const setTimer = vi.spyOn(globalThis, 'setTimeout');
    const store = makeStore();
    const use = store.dispatch(api.endpoints.beyond.initiate());
    await use;
    use.unsubscribe();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(api.endpoints.beyond.select()(store.getState()).status).toBe('fulfilled');
    const longest = Math.max(...setTimer.mock.calls.map(([, milliseconds]) => milliseconds ?? 0));
    expect(longest).toBe(MAX_SECONDS * 1000);
    expect(longest).toBeLessThan(2 ** 31);
  });

  // @covers 9.changes-subscriptions-published
  it('batches the subscription changes of 500 ms', async () => {
    const store = makeStore();
    let changes = 0;
    let before = store.getState().api.subscriptions;
    store.subscribe(() => {
      const { subscriptions } = store.getState().api;
      if (subscriptions !== before) changes += 1;
      before = subscriptions;
    });

    for (const name of ['list', 'forever', 'beyond'] as const) {
      await store.dispatch(api.endpoints[name].initiate());
      await vi.advanceTimersByTimeAsync(100);
    }

    expect(changes).toBe(0);
    await vi.advanceTimersByTimeAsync(250);
    expect(changes).toBe(1);
    expect(Object.keys(before)).toHaveLength(3);
  });

  // @covers 9.changes-subscriptions-published
  it('publishes subscription changes after 500 ms, not before', async () => {
    const store = makeStore();
    await store.dispatch(api.endpoints.list.initiate());
    const published = () => Object.keys(store.getState().api.subscriptions).length;
    await vi.advanceTimersByTimeAsync(490);
    expect(published()).toBe(0);
    await vi.advanceTimersByTimeAsync(20);
    expect(published()).toBeGreaterThan(0);
  });
});
