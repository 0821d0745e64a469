import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { baseApi } from './base-api.ts';

/** Seconds after which the library's longest timer ends (a 32-bit number of milliseconds, less a second). */
const LONGEST = 2_147_482.647;

const api = baseApi.injectEndpoints({
  endpoints: (build) => ({
    list: build.query<unknown, void>({ query: () => call('/list'), providesTags: ['Views'] }),
    slow: build.query<unknown, void>({ query: () => call('/slow') }),
    forever: build.query<unknown, void>({ query: () => call('/forever'), keepUnusedDataFor: 1e9 }),
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

describe('the cache layer', () => {
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

  it('keeps data for about 2147483 s at most', async () => {
    const store = makeStore();
    const use = store.dispatch(api.endpoints.forever.initiate());
    await use;
    use.unsubscribe();
    const status = () => api.endpoints.forever.select()(store.getState()).status;
    await vi.advanceTimersByTimeAsync((LONGEST - 10) * 1000);
    expect(status()).toBe('fulfilled');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(status()).toBe('uninitialized');
  });

  it('tells changes of subscriptions every 500 ms at most', async () => {
    const store = makeStore();
    await store.dispatch(api.endpoints.list.initiate());
    const told = () => Object.keys(store.getState().api.subscriptions).length;
    await vi.advanceTimersByTimeAsync(490);
    expect(told()).toBe(0);
    await vi.advanceTimersByTimeAsync(20);
    expect(told()).toBeGreaterThan(0);
  });
});
