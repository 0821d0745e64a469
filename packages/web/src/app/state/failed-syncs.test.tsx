import { cleanup, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SYNC } from '../../../test-support/objects.ts';
import { serve } from '../../../test-support/render.tsx';
import { toWireSync } from '../../../test-support/sync.ts';
import { baseApi } from '../../api/base-api.ts';
import type { Provider, Sync } from '../../api/models.ts';
import { connectionsApi } from '../../features/connections/connections-api.ts';
import { useShownReceipt } from '../../features/sync/shown-receipts.ts';
import { syncEndpoints } from '../../features/sync/sync-api.ts';
import { Toasts, toasts } from '../../ui/toast.tsx';
import { patchSync } from './live-updates.ts';
import { type AppStore, createStore } from './store.ts';

const STARTED: Sync = { ...SYNC, status: 'started' };
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
beforeEach(async () => {
  store = createStore();
  store.dispatch(
    connectionsApi.util.upsertQueryEntries([
      { endpointName: 'providers', arg: undefined, value: [provider] },
    ]),
  );
  await list([]);
  render(<Toasts />);
});
afterEach(() => {
  store.dispatch(baseApi.util.resetApiState());
  cleanup();
});
/** An event about a sync arrives. */
const event = (sync: Sync) => patchSync(store, sync);
/** A list of syncs arrives. */
const list = (syncs: Sync[]) => {
  serve(() => ({ body: syncs.map(toWireSync) }));
  return store.dispatch(syncEndpoints.syncs.initiate('github', { forceRefetch: true }));
};
const start = () =>
  store.dispatch(syncEndpoints.startSync.initiate({ providerId: 'github', entityLabel: 'gh-pulls' }));

// @covers 4.sync-fails-announced
describe('toasts of failed syncs', () => {
  it('announces a failure that an event reports once, with its reason', async () => {
    event(STARTED);
    event(failed('The repository was not found.'));
    await list([failed('The repository was not found.')]);
    expect(await screen.findAllByText(GONE)).toHaveLength(1);
  });

  it('announces a failure that the next list reports', async () => {
    serve(({ method }) => ({ body: method === 'POST' ? toWireSync(STARTED) : [toWireSync(STARTED)] }));
    await start();
    // The start refetches the list.
    await pause();
    await list([failed('The repository was not found.')]);
    expect(await screen.findByText(GONE)).toBeTruthy();
  });

  it('announces a failure that arrives before the response to the start', async () => {
    serve(() => ({ status: 202, body: toWireSync(STARTED) }));
    event(failed('The repository was not found.'));
    await pause();
    expect(screen.queryByText(GONE)).toBeNull();
    await start();
    expect(await screen.findByText(GONE)).toBeTruthy();
  });

  it('announces a failure once, also when a list or response arrives late', async () => {
    serve(() => ({ status: 202, body: toWireSync(STARTED) }));
    event(STARTED);
    event(failed('The repository was not found.'));
    await start();
    await list([STARTED]);
    await list([failed('The repository was not found.')]);
    await pause();
    expect(await screen.findAllByText(GONE)).toHaveLength(1);
  });

  it("replaces the toast that the sync started, and is silent beside the entity's receipt", async () => {
    toasts.success('Sync started successfully', 's1');
    event(STARTED);
    event(failed('The repository was not found.'));
    expect(await screen.findByText(GONE)).toBeTruthy();
    expect(screen.queryByText('Sync started successfully')).toBeNull();

    const { unmount } = renderHook(() => useShownReceipt({ entityLabel: 'gh-pulls', account: 'ada' }, true));
    event({ ...STARTED, id: 's2' });
    event(failed('The token expired.', 's2'));
    await pause();
    expect(screen.queryByText(/The token expired/)).toBeNull();
    unmount();
    event({ ...STARTED, id: 's3' });
    event(failed('The token expired.', 's3'));
    expect(await screen.findByText(/The token expired/)).toBeTruthy();
  });

  it('does not announce a cancelled sync or one that failed before the page opened', async () => {
    await list([failed('Old.'), { ...STARTED, id: 's2' }]);
    event({ ...failed('Any sentence.', 's2'), failure: 'cancelled' });
    await pause();
    expect(screen.queryByText(/failed/)).toBeNull();
  });
});
