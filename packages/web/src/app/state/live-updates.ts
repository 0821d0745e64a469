import { STALE_TAGS, serverEventSchema } from '@datadeck/contract';
import { useEffect } from 'react';
import { useStore } from 'react-redux';
import { pageToken } from '../../api/auth-token.ts';
import { baseApi } from '../../api/base-api.ts';
import { followEvents } from '../../api/follow-events.ts';
import { type Sync, toSync } from '../../api/models.ts';
import { sessionEnded } from '../../api/session-ended.ts';
import { syncApi } from '../../features/sync/sync-api.ts';
import { syncChanged } from '../../features/sync/sync-changed.ts';
import type { AppStore, RootState } from './store.ts';

/** Updates a changed sync in every cached list that contains its provider. */
export function patchSync(store: AppStore, sync: Sync): void {
  const lists = syncApi.util.selectCachedArgsForQuery(store.getState(), 'syncs');
  for (const providers of lists) {
    if (!providers.split(',').includes(sync.providerId)) continue;
    store.dispatch(
      syncApi.util.updateQueryData('syncs', providers, (syncs) => {
        const index = syncs.findIndex(({ id }) => id === sync.id);
        if (index >= 0) syncs[index] = sync;
        else syncs.unshift(sync);
      }),
    );
  }
  store.dispatch(syncChanged(sync));
}

function applyServerEvent(store: AppStore, data: string): void {
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return;
  }
  const { data: event } = serverEventSchema.safeParse(json);
  if (!event) return;
  if (event.type === 'sync') {
    patchSync(store, toSync(event.sync));
    if (event.sync.status !== 'started') store.dispatch(baseApi.util.invalidateTags([...STALE_TAGS.records]));
    // The run may have failed because the provider must be connected again.
    if (event.sync.status === 'failed') store.dispatch(baseApi.util.invalidateTags(['Providers']));
  } else if (event.type === 'invalidate') {
    store.dispatch(baseApi.util.invalidateTags(event.tags));
  } else if (event.type === 'missed') catchUp(store);
}

/** Refetches all data on screen after events of any kind may have been missed. */
function catchUp(store: AppStore): void {
  store.dispatch(baseApi.util.invalidateTags(STALE_TAGS.missedEvents));
}

/** Follows the server's events while the component is mounted. */
export function useLiveUpdates(): void {
  const store = useStore<RootState>() as AppStore;
  useEffect(() => {
    const token = pageToken();
    if (token === null) return;
    return followEvents({
      url: '/api/events',
      token,
      onData: (data) => applyServerEvent(store, data),
      // An idle tab makes no other call that would notice the end of the session.
      onRefused: () => void store.dispatch(sessionEnded()),
      onReconnect: () => catchUp(store),
    });
  }, [store]);
}
