import { cleanup, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serve } from '../../../test-support/render.tsx';
import { toWireSync } from '../../../test-support/sync.ts';
import { baseApi } from '../../api/base-api.ts';
import type { Provider, Sync } from '../../api/wire.ts';
import { providersSet, syncSet, syncsSet } from '../../features/sync/overview-slice.ts';
import { useShownReceipt } from '../../features/sync/shown-receipts.ts';
import { syncEndpoints } from '../../features/sync/sync-api.ts';
import { Toasts, toasts } from '../../ui/toast.tsx';
import { type AppStore, createStore } from './store.ts';

const STARTED: Sync = {
  id: 's1',
  number: 1,
  providerId: 'github',
  entityLabel: 'gh-pulls',
  status: 'started',
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  summary: {},
  entitySettings: {},
  progress: null,
  isLast: false,
};
const failed = (reason: string, id = 's1'): Sync => ({
  ...STARTED,
  id,
  status: 'failed',
  summary: { reason },
});
const provider = {
  id: 'github',
  key: 'github',
  title: 'GitHub',
  entities: [{ id: 'gh-pulls', title: 'Pull requests' }],
  isConnected: true,
} as Provider;
const GONE = 'Synchronizing Pull requests failed: The repository was not found.';
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

let store: AppStore;
beforeEach(() => {
  store = createStore();
  store.dispatch(providersSet([provider]));
  render(<Toasts />);
});
afterEach(() => {
  store.dispatch(baseApi.util.resetApiState());
  cleanup();
});
const start = () =>
  store.dispatch(syncEndpoints.startSync.initiate({ providerId: 'github', entityLabel: 'gh-pulls' }));

// @covers 4.sync-fails-announced
describe('toasts of failed syncs', () => {
  it('announces a failure that an event reports once, with its reason', async () => {
    store.dispatch(syncSet(STARTED));
    store.dispatch(syncSet(failed('The repository was not found.')));
    store.dispatch(syncsSet([failed('The repository was not found.')]));
    expect(await screen.findAllByText(GONE)).toHaveLength(1);
  });

  it('announces a failure that the next list reports', async () => {
    serve(() => ({ status: 202, body: toWireSync(STARTED) }));
    await start();
    store.dispatch(syncsSet([failed('The repository was not found.')]));
    expect(await screen.findByText(GONE)).toBeTruthy();
  });

  it('announces a failure that arrives before the response to the start', async () => {
    serve(() => ({ status: 202, body: toWireSync(STARTED) }));
    store.dispatch(syncSet(failed('The repository was not found.')));
    await pause();
    expect(screen.queryByText(GONE)).toBeNull();
    await start();
    expect(await screen.findByText(GONE)).toBeTruthy();
  });

  it('announces a failure once, also when a list or response arrives late', async () => {
    serve(() => ({ status: 202, body: toWireSync(STARTED) }));
    store.dispatch(syncSet(STARTED));
    store.dispatch(syncSet(failed('The repository was not found.')));
    await start();
    store.dispatch(syncsSet([STARTED]));
    store.dispatch(syncsSet([failed('The repository was not found.')]));
    await pause();
    expect(await screen.findAllByText(GONE)).toHaveLength(1);
  });

  it("replaces the toast that the sync started, and is silent beside the entity's receipt", async () => {
    toasts.success('Sync started successfully', 's1');
    store.dispatch(syncSet(STARTED));
    store.dispatch(syncSet(failed('The repository was not found.')));
    expect(await screen.findByText(GONE)).toBeTruthy();
    expect(screen.queryByText('Sync started successfully')).toBeNull();

    const { unmount } = renderHook(() => useShownReceipt('gh-pulls', true));
    store.dispatch(syncSet({ ...STARTED, id: 's2' }));
    store.dispatch(syncSet(failed('The token expired.', 's2')));
    await pause();
    expect(screen.queryByText(/The token expired/)).toBeNull();
    unmount();
    store.dispatch(syncSet({ ...STARTED, id: 's3' }));
    store.dispatch(syncSet(failed('The token expired.', 's3')));
    expect(await screen.findByText(/The token expired/)).toBeTruthy();
  });

  it('does not announce a cancelled sync or one that failed before the page opened', async () => {
    store.dispatch(syncsSet([failed('Old.'), { ...STARTED, id: 's2' }]));
    store.dispatch(syncSet({ ...failed('Any sentence.', 's2'), failure: 'cancelled' }));
    await pause();
    expect(screen.queryByText(/failed/)).toBeNull();
  });
});
