import { configureStore } from '@reduxjs/toolkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { baseApi } from '../../api/base-api.ts';
import { connectionsEndpoints } from '../../features/connections/connections-api.ts';
import { queriesEndpoints } from '../../features/queries/queries-api.ts';
import { recordsEndpoints } from '../../features/records/records-api.ts';
import { accountsEndpoints } from '../../features/sign-in/accounts-api.ts';
import { syncEndpoints } from '../../features/sync/sync-api.ts';
import { templatesEndpoints } from '../../features/templates/templates-api.ts';
import { categoriesEndpoints } from '../../features/views/categories-api.ts';
import { viewsEndpoints } from '../../features/views/views-api.ts';

const ADDRESS = { providerId: 'github', entityLabel: 'gh-pulls' };
const TEXTS = { title: 't', description: 'd', expression: '$' };

type Shown =
  | 'user'
  | 'providers'
  | 'syncs'
  | 'history'
  | 'entities'
  | 'example'
  | 'templates'
  | 'aggregation'
  | 'queries'
  | 'views'
  | 'view'
  | 'categories';
type Request = (dispatch: Store['dispatch']) => PromiseLike<unknown>;

/** Every list and record that a screen may show, under a short name, with its request. */
const SHOWN: Record<Shown, Request> = {
  user: (dispatch) => dispatch(accountsEndpoints.profile.initiate()),
  providers: (dispatch) => dispatch(connectionsEndpoints.providers.initiate()),
  syncs: (dispatch) => dispatch(syncEndpoints.syncs.initiate('github')),
  history: (dispatch) => dispatch(syncEndpoints.syncHistory.initiate({ page: 1 })),
  entities: (dispatch) => dispatch(syncEndpoints.entities.initiate()),
  example: (dispatch) => dispatch(recordsEndpoints.exampleRecords.initiate({ ...ADDRESS, limit: 1 })),
  templates: (dispatch) => dispatch(templatesEndpoints.templates.initiate(ADDRESS)),
  aggregation: (dispatch) =>
    dispatch(
      templatesEndpoints.aggregation.initiate({
        entity: 'gh-pulls',
        templateKey: 'k',
        page: 1,
      }),
    ),
  queries: (dispatch) => dispatch(queriesEndpoints.savedQueries.initiate()),
  views: (dispatch) => dispatch(viewsEndpoints.views.initiate(ADDRESS)),
  view: (dispatch) => dispatch(viewsEndpoints.viewResults.initiate({ viewId: 'v', page: 1 })),
  categories: (dispatch) => dispatch(categoriesEndpoints.categories.initiate()),
};

const PATHS: Record<Shown, string> = {
  user: '/api/accounts',
  providers: '/api/integrations/providers',
  syncs: '/api/integrations/synchronizations?providers=github',
  history: '/api/integrations/synchronizations/history?page=1',
  entities: '/api/integrations/entities',
  example: '/api/integrations/entities/mini/github/gh-pulls?limit=1',
  templates: '/api/integrations/entities/templates/github/gh-pulls',
  aggregation: '/api/integrations/entities/aggregation/gh-pulls/k?page=1',
  queries: '/api/data/jnata-queries',
  views: '/api/data/views?providerId=github&entityLabel=gh-pulls',
  view: '/api/data/views/aggregate/v?page=1',
  categories: '/api/data/views/categories',
};

const SYNC_LISTS: Shown[] = ['syncs', 'history'];
const RECORDS: Shown[] = ['entities', 'example', 'aggregation', 'view'];

// biome-ignore format: a table
const CHANGES: [name: string, action: Request, refetched: Shown[]][] = [
  ['Delete Account', (dispatch) => dispatch(accountsEndpoints.deleteAccount.initiate()), ['user', 'providers', ...SYNC_LISTS]],
  ['Delete all data', (dispatch) => dispatch(accountsEndpoints.deleteAllData.initiate()), ['providers', ...SYNC_LISTS, ...RECORDS, 'views', 'categories', 'queries']],
  ['Disconnect', (dispatch) => dispatch(connectionsEndpoints.disconnect.initiate({ provider: 'github' })), ['providers', ...SYNC_LISTS, 'entities', 'example']],
  ['Delete data', (dispatch) => dispatch(connectionsEndpoints.deleteProviderData.initiate({ provider: 'github' })), ['providers', ...SYNC_LISTS, ...RECORDS]],
  ['Start sync', (dispatch) => dispatch(syncEndpoints.startSync.initiate({ ...ADDRESS })), [...SYNC_LISTS, 'entities', 'example']],
  ['Delete last sync', (dispatch) => dispatch(syncEndpoints.deleteSync.initiate('s')), [...SYNC_LISTS, ...RECORDS]],
  ['Save query', (dispatch) => dispatch(queriesEndpoints.saveQuery.initiate({ title: 't', expression: '$' })), ['queries']],
  ['Create view', (dispatch) => dispatch(viewsEndpoints.createView.initiate({ ...ADDRESS, ...TEXTS, templateKey: 'k' })), ['views']],
  ['Update view', (dispatch) => dispatch(viewsEndpoints.updateView.initiate({ viewId: 'v', ...TEXTS })), ['views', 'view']],
  ['Delete view', (dispatch) => dispatch(viewsEndpoints.deleteView.initiate('v')), ['views']],
  ['Undo of Delete view', (dispatch) => dispatch(viewsEndpoints.restoreView.initiate('u')), ['views']],
  ['Create category', (dispatch) => dispatch(categoriesEndpoints.createCategory.initiate({ title: 't' })), ['categories']],
];

const makeStore = () =>
  configureStore({
    reducer: { [baseApi.reducerPath]: baseApi.reducer },
    middleware: (defaults) => defaults().concat(baseApi.middleware),
  });
type Store = ReturnType<typeof makeStore>;

afterEach(() => vi.unstubAllGlobals());

/** Loads every list, then makes the change, to which the server responds with this status (0: unreachable). */
async function change(action: Request, status: number) {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method === 'GET') calls.push(url);
    else if (status === 0) throw new TypeError('Failed to fetch');
    return new Response('{}', { status: method === 'GET' ? 200 : status });
  });
  const store = makeStore();
  await Promise.all(Object.values(SHOWN).map((dispatch) => dispatch(store.dispatch)));
  expect(calls.sort()).toEqual(Object.values(PATHS).sort());
  calls.length = 0;
  await action(store.dispatch);
  return { calls, close: () => store.dispatch(baseApi.util.resetApiState()) };
}

// @covers 4.disconnect-delete-data-refresh 7.delete-account-invalidates
describe('a successful change', () => {
  it.each(CHANGES)('refetches exactly what %s changed', async (_name, action, refetched) => {
    const { calls, close } = await change(action, 200);
    await vi.waitFor(() => expect(calls.sort()).toEqual(refetched.map((name) => PATHS[name]).sort()), 20_000);
    close();
  });
});

// @covers 7.change-failed-refetches
describe('a failed change', () => {
  it.each(CHANGES)('refetches nothing after %s', async (_name, action) => {
    for (const status of [0, 403, 422, 429, 500, 502]) {
      const { calls, close } = await change(action, status);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(calls).toEqual([]);
      close();
    }
  });
});

describe('a change refused with 404 or 409', () => {
  it.each(CHANGES)('refetches what %s would have changed', async (_name, action, refetched) => {
    for (const status of [404, 409]) {
      const { calls, close } = await change(action, status);
      await vi.waitFor(
        () => expect(calls.sort()).toEqual(refetched.map((name) => PATHS[name]).sort()),
        20_000,
      );
      close();
    }
  });
});
