import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Provider, Sync } from '../../api/wire.ts';
import { computeOverview, type Overview } from './overview.ts';

export interface OverviewState {
  providers: Provider[];
  syncs: Sync[];
  overview: Overview;
}

const initialState: OverviewState = { providers: [], syncs: [], overview: {} };

function recomputed(providers: Provider[], syncs: Sync[]): OverviewState {
  return { providers, syncs, overview: computeOverview(providers, syncs) };
}

/** The overview of syncs. It is recomputed whenever the providers or the syncs change. */
export const overviewSlice = createSlice({
  name: 'overview',
  initialState,
  reducers: {
    providersSet: (state, { payload }: PayloadAction<Provider[]>) => recomputed(payload, state.syncs),
    syncsSet: (state, { payload }: PayloadAction<Sync[]>) => recomputed(state.providers, payload),
    /** Adds or replaces one sync after an event of the server. */
    syncSet: (state, { payload }: PayloadAction<Sync>) =>
      recomputed(state.providers, [payload, ...state.syncs.filter((sync) => sync.id !== payload.id)]),
    overviewCleared: () => initialState,
  },
});

export const { providersSet, syncsSet, syncSet, overviewCleared } = overviewSlice.actions;

interface RootWithOverview {
  overview: OverviewState;
}
export const selectOverview = (state: RootWithOverview) => state.overview.overview;
export const selectSyncs = (state: RootWithOverview) => state.overview.syncs;
