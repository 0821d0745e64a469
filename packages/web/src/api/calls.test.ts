import { CACHE_TAGS, ENDPOINTS, LIMITS, PAGE_SIZES, PLAN_LIMITS } from '@datadeck/contract';
import { configureStore } from '@reduxjs/toolkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearToken, storeToken } from './auth-token.ts';
import { baseApi, REQUEST_SETTINGS } from './base-api.ts';

/** The calls that section 7 of the specification lists. */
const CALLS = [
  'GET /auth/demo',
  'GET /api/accounts',
  'DELETE /api/accounts/delete-account',
  'DELETE /api/accounts/delete-data',
  'GET /api/integrations/providers',
  'POST /api/integrations/providers/disconnect',
  'GET /api/integrations/synchronizations',
  'POST /api/integrations/synchronizations',
  'DELETE /api/integrations/synchronizations/{id}',
  'GET /api/integrations/entities/mini/{providerId}/{entityLabel}',
  'GET /api/integrations/entities/templates/{providerId}/{entityLabel}',
  'GET /api/integrations/entities/aggregation/{entryCollection}/{templateKey}',
  'POST /api/integrations/entities/delete-all-data',
  'GET /api/data/jnata-queries',
  'POST /api/data/jnata-queries',
  'GET /api/data/views',
  'GET /api/data/views/categories',
  'GET /api/data/views/aggregate/{viewId}',
  'GET /api/data/views/download/{viewId}',
  'POST /api/data/views',
  'POST /api/data/views/category',
  'PUT /api/data/views/{viewId}',
  'DELETE /api/data/views/{viewId}',
];

afterEach(() => {
  clearToken();
  vi.unstubAllGlobals();
});

describe('API contract', () => {
  // @covers 7.call-tables-exists
  it.each(CALLS)('contains %s', (call) => {
    expect(Object.values(ENDPOINTS).map(({ method, path }) => `${method} ${path}`)).toContain(call);
  });

  // @covers 7.cache-tags
  it('contains the cache tags of the specification', () => {
    expect(CACHE_TAGS).toEqual(
      expect.arrayContaining([
        'Providers',
        'Synchronizations',
        'Entities',
        'Templates',
        'Aggregation',
        'Views',
        'View',
        'ViewsCategories',
        'JnataQueries',
        'User',
      ]),
    );
  });

  // @covers 6.request-carries-stored
  it('sends the stored token when there is one', () => {
    const without = new Headers();
    REQUEST_SETTINGS.prepareHeaders(without);
    expect(without.has('authorization')).toBe(false);
    storeToken('secret');
    const withToken = new Headers();
    REQUEST_SETTINGS.prepareHeaders(withToken);
    expect(withToken.get('authorization')).toBe('Bearer secret');
  });

  // @covers 1.plans-demo-standard 9.plan-limits-sync
  it('has the plan limits of the specification', () => {
    const table = Object.entries(PLAN_LIMITS).map(([entity, { demo, standard, pro }]) => [
      entity,
      [demo.cap, standard.cap, pro.cap],
      [demo.monthlyRuns, standard.monthlyRuns, pro.monthlyRuns],
    ]);
    expect(table).toEqual([
      ['gmail-labels', [10, 10, 50], [100, 100, 1000]],
      ['gmail-messages', [10, 500, 5000], [50, 50, 300]],
      ['gh-pulls', [10, 500, 5000], [50, 50, 300]],
    ]);
  });

  // @covers 9.maximum-lengths
  it('has the page sizes and text limits of the specification', () => {
    expect(PAGE_SIZES).toEqual({ history: 8, results: 20 });
    expect(LIMITS).toEqual({
      queryTitle: 20,
      viewTitle: 50,
      viewDescription: 300,
      viewQuery: 1500,
      categoryTitle: 20,
    });
  });
});

describe('baseApi', () => {
  // @covers 4.requests-uninitialized-pending
  it('passes from uninitialized through pending to fulfilled or rejected', async () => {
    let fail = false;
    vi.stubGlobal('fetch', async () => new Response(fail ? '{}' : '1', { status: fail ? 500 : 200 }));
    const api = baseApi.injectEndpoints({
      endpoints: (build) => ({
        probe: build.query<number, number>({ query: () => ({ url: '/probe', method: 'GET' }) }),
      }),
    });
    const store = configureStore({
      reducer: { [baseApi.reducerPath]: baseApi.reducer },
      middleware: (defaults) => defaults().concat(baseApi.middleware),
    });
    const statusOf = (key: number) => api.endpoints.probe.select(key)(store.getState()).status;

    expect(statusOf(1)).toBe('uninitialized');
    const first = store.dispatch(api.endpoints.probe.initiate(1));
    expect(statusOf(1)).toBe('pending');
    await first;
    expect(statusOf(1)).toBe('fulfilled');

    fail = true;
    await store.dispatch(api.endpoints.probe.initiate(2));
    expect(statusOf(2)).toBe('rejected');
  });

  // @covers 9.unused-cache-data
  it('keeps unused data for 60 s', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', async () => new Response('1'));
    const api = baseApi.injectEndpoints({
      endpoints: (build) => ({
        kept: build.query<number, void>({ query: () => ({ url: '/kept', method: 'GET' }) }),
      }),
    });
    const store = configureStore({
      reducer: { [baseApi.reducerPath]: baseApi.reducer },
      middleware: (defaults) => defaults().concat(baseApi.middleware),
    });

    const use = store.dispatch(api.endpoints.kept.initiate());
    await use;
    use.unsubscribe();
    const statusNow = () => api.endpoints.kept.select()(store.getState()).status;

    await vi.advanceTimersByTimeAsync(59_000);
    expect(statusNow()).toBe('fulfilled');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(statusNow()).toBe('uninitialized');
    vi.useRealTimers();
  });
});
