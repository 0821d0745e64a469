import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serve } from '../../../test-support/render.tsx';
import { baseApi } from '../../api/base-api.ts';
import { accountsEndpoints } from '../../features/accounts/accounts-api.ts';
import { signedIn } from '../../features/accounts/auth-slice.ts';
import { connectionsEndpoints } from '../../features/connections/connections-api.ts';
import { queriesEndpoints } from '../../features/queries/queries-api.ts';
import { recordsEndpoints } from '../../features/records/records-api.ts';
import { syncEndpoints } from '../../features/sync/sync-api.ts';
import { templatesEndpoints } from '../../features/templates/templates-api.ts';
import { viewsEndpoints } from '../../features/views/views-api.ts';
import { Toasts } from '../../ui/toast.tsx';
import { type AppStore, createStore } from './store.ts';

const FAILED = 'There was an error fetching the data';
const ADDRESS = { providerId: 'github', entityLabel: 'gh-pulls' };
const QUESTION = { entity: 'gh-pulls', templateKey: 'k', expression: '$', page: 1 };
type Ask = (dispatch: AppStore['dispatch']) => PromiseLike<unknown>;

// biome-ignore format: a table
const LOADS: [name: string, ask: Ask, sentence: string][] = [
  ['the profile', (ask) => ask(accountsEndpoints.profile.initiate()), FAILED],
  ['the providers', (ask) => ask(connectionsEndpoints.providers.initiate()), FAILED],
  ['the synchronizations', (ask) => ask(syncEndpoints.syncs.initiate('github')), FAILED],
  ['the history', (ask) => ask(syncEndpoints.syncHistory.initiate({ page: 1 })), FAILED],
  ['the entities', (ask) => ask(syncEndpoints.entities.initiate()), FAILED],
  ['an example', (ask) => ask(recordsEndpoints.exampleRecords.initiate({ ...ADDRESS, limit: 1 })), FAILED],
  ['the changes of a sync', (ask) => ask(recordsEndpoints.syncChanges.initiate({ id: 's', kind: '', page: 1 })), FAILED],
  ['the templates', (ask) => ask(templatesEndpoints.templates.initiate(ADDRESS)), FAILED],
  ['results', (ask) => ask(templatesEndpoints.aggregation.initiate({ entity: 'gh-pulls', templateKey: 'k', page: 1 })), FAILED],
  ['all results', (ask) => ask(queriesEndpoints.runQuery.initiate(QUESTION)), FAILED],
  ['the saved queries', (ask) => ask(queriesEndpoints.savedQueries.initiate()), FAILED],
  ['the views', (ask) => ask(viewsEndpoints.views.initiate(ADDRESS)), FAILED],
  ['the categories', (ask) => ask(viewsEndpoints.categories.initiate()), FAILED],
  ['the data of a view', (ask) => ask(viewsEndpoints.viewResults.initiate({ viewId: 'v', page: 1 })), 'Failed fetching view data'],
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

// @covers 8.error-fetching-data-appears
describe('a failed load', () => {
  it.each(LOADS)('of %s is announced', async (_name, ask, sentence) => {
    serve(() => ({ status: 500, body: {} }));
    await ask(store.dispatch);
    expect(await screen.findAllByText(sentence)).toHaveLength(1);
  });

  it('is announced when the server cannot be reached', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await store.dispatch(viewsEndpoints.categories.initiate());
    expect(await screen.findByText(FAILED)).toBeTruthy();
  });

  it('shares one toast with the loads that fail beside it', async () => {
    serve(() => ({ status: 500, body: {} }));
    await Promise.all(LOADS.map(([, ask]) => ask(store.dispatch)));
    expect(await screen.findAllByText(FAILED)).toHaveLength(1);
  });

  it('is not announced when the session has ended or the question was wrong', async () => {
    let status = 422;
    const calls = serve(() => ({ status, body: {} }));
    await store.dispatch(queriesEndpoints.runQuery.initiate(QUESTION));
    await store.dispatch(syncEndpoints.planSync.initiate(ADDRESS));
    status = 401;
    await store.dispatch(viewsEndpoints.categories.initiate());
    await waitFor(() => expect(calls).toHaveLength(3));
    expect(screen.queryByText(FAILED)).toBeNull();
  });
});
