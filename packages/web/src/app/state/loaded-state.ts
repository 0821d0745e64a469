import { addListener, type TypedAddListener } from '@reduxjs/toolkit';
import { useLayoutEffect } from 'react';
import { useDispatch } from 'react-redux';
import { accountsEndpoints } from '../../features/accounts/accounts-api.ts';
import { profileLoaded } from '../../features/accounts/auth-slice.ts';
import { connectionsEndpoints } from '../../features/connections/connections-api.ts';
import { providersSet, syncsSet } from '../../features/sync/overview-slice.ts';
import { syncEndpoints } from '../../features/sync/sync-api.ts';
import type { AppDispatch, RootState } from './store.ts';

const listen = addListener as TypedAddListener<RootState, AppDispatch>;

/** Copies the loaded profile, providers and syncs into the store. It is here because features do not import each other. */
export function useLoadedState(): void {
  const dispatch = useDispatch<AppDispatch>();
  // A layout effect, so that the listeners exist before any request of the same commit starts.
  useLayoutEffect(() => {
    const ends = [
      dispatch(
        listen({
          matcher: accountsEndpoints.profile.matchFulfilled,
          effect: ({ payload }, api) => void api.dispatch(profileLoaded(payload)),
        }),
      ),
      dispatch(
        listen({
          matcher: connectionsEndpoints.providers.matchFulfilled,
          effect: ({ payload }, api) => void api.dispatch(providersSet(payload)),
        }),
      ),
      dispatch(
        listen({
          matcher: syncEndpoints.syncs.matchFulfilled,
          effect: ({ payload }, api) => void api.dispatch(syncsSet(payload)),
        }),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [dispatch]);
}
