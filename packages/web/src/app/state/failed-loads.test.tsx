import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serve } from '../../../test-support/render.tsx';
import { baseApi } from '../../api/base-api.ts';
import { connectionsEndpoints } from '../../features/connections/connections-api.ts';
import { queriesEndpoints } from '../../features/queries/queries-api.ts';
import { recordsEndpoints } from '../../features/records/records-api.ts';
import { accountsEndpoints } from '../../features/sign-in/accounts-api.ts';
import { signedIn } from '../../features/sign-in/auth-slice.ts';
import { syncEndpoints } from '../../features/sync/sync-api.ts';
import { templatesEndpoints } from '../../features/templates/templates-api.ts';
import { categoriesEndpoints } from '../../features/views/categories-api.ts';
import { viewsEndpoints } from '../../features/views/views-api.ts';
import { Toasts } from '../../ui/toast.tsx';
import { type AppStore, createStore } from './store.ts';

const FAILED = 'There was an error fetching the data';
const ADDRESS = { providerId: 'github', entityLabel: 'gh-pulls' };
const QUERY = { entity: 'gh-pulls', templateKey: 'k', expression: '$', page: 1 };
type Load = (dispatch: AppStore['dispatch']) => PromiseLike<unknown>;

// biome-ignore format: a table
const LOADS: [name: string, load: Load, sentence: string][] = [
  ['the profile', (dispatch) => dispatch(accountsEndpoints.profile.initiate()), FAILED],
  ['the providers', (dispatch) => dispatch(connectionsEndpoints.providers.initiate()), FAILED],
  ['the synchronizations', (dispatch) => dispatch(syncEndpoints.syncs.initiate('github')), FAILED],
  ['the history', (dispatch) => dispatch(syncEndpoints.syncHistory.initiate({ page: 1 })), FAILED],
  ['the entities', (dispatch) => dispatch(syncEndpoints.entities.initiate()), FAILED],
  ['an example', (dispatch) => dispatch(recordsEndpoints.exampleRecords.initiate({ ...ADDRESS, limit: 1 })), FAILED],
  ['the changes of a sync', (dispatch) => dispatch(recordsEndpoints.syncChanges.initiate({ id: 's', kind: '', page: 1 })), FAILED],
  ['the templates', (dispatch) => dispatch(templatesEndpoints.templates.initiate(ADDRESS)), FAILED],
  ['results', (dispatch) => dispatch(templatesEndpoints.aggregation.initiate({ entity: 'gh-pulls', templateKey: 'k', page: 1 })), FAILED],
  ['all results', (dispatch) => dispatch(queriesEndpoints.runQuery.initiate(QUERY)), FAILED],
  ['the saved queries', (dispatch) => dispatch(queriesEndpoints.savedQueries.initiate()), FAILED],
  ['the views', (dispatch) => dispatch(viewsEndpoints.views.initiate(ADDRESS)), FAILED],
  ['the categories', (dispatch) => dispatch(categoriesEndpoints.categories.initiate()), FAILED],
  ['the data of a view', (dispatch) => dispatch(viewsEndpoints.viewResults.initiate({ viewId: 'v', page: 1 })), 'Failed fetching view data'],
];

let store: AppStore;
beforeEach(() => {
  localStorage.clear();
  store = createStore();
  store.dispatch(signedIn('abc'));
  render(<Toasts />);
});
afterEach(() => {
  store.dispatch(baseApi.util.resetApiState());
  cleanup();
});

// @covers 8.error-fetching-data 8.error-fetching-data-appears
describe('toasts of failed loads', () => {
  // @covers 8.failed-fetching-view-data (the data of a view)
  it.each(LOADS)('announces a failed load of %s', async (_name, load, sentence) => {
    serve(() => ({ status: 500, body: {} }));
    await load(store.dispatch);
    expect(await screen.findAllByText(sentence)).toHaveLength(1);
  });

  it('announces a load that fails because the server is unreachable', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await store.dispatch(categoriesEndpoints.categories.initiate());
    expect(await screen.findByText(FAILED)).toBeTruthy();
  });

  it('shows one toast for several loads that fail together', async () => {
    serve(() => ({ status: 500, body: {} }));
    await Promise.all(LOADS.map(([, load]) => load(store.dispatch)));
    expect(await screen.findAllByText(FAILED)).toHaveLength(1);
  });

  it('does not announce an ended session or a rejected expression', async () => {
    let status = 422;
    const calls = serve(() => ({ status, body: {} }));
    await store.dispatch(queriesEndpoints.runQuery.initiate(QUERY));
    await store.dispatch(syncEndpoints.planSync.initiate(ADDRESS));
    status = 401;
    await store.dispatch(categoriesEndpoints.categories.initiate());
    await waitFor(() => expect(calls).toHaveLength(3));
    expect(screen.queryByText(FAILED)).toBeNull();
  });
});
