import { useMemo } from 'react';
import { useProvidersQuery } from '../connections/connections-api.ts';
import { computeOverview } from './overview.ts';
import { useSyncsQuery } from './sync-api.ts';

/** Loads the providers, and the syncs of the connected ones. */
export function useProvidersAndSyncs() {
  const providers = useProvidersQuery();
  const { data = [] } = providers;
  const keys = data
    .filter(({ isConnected }) => isConnected)
    .map(({ key }) => key)
    .join(',');
  const isSkipped = keys === '';
  const syncs = useSyncsQuery(keys, { skip: isSkipped });
  return {
    providers,
    syncs,
    isLoaded: providers.data !== undefined && (isSkipped || syncs.data !== undefined),
  };
}

/** Computes the overview of syncs from the loaded providers and syncs. */
export function useOverview() {
  const { providers, syncs: load } = useProvidersAndSyncs();
  const syncs = load.data;
  const overview = useMemo(() => computeOverview(providers.data ?? [], syncs ?? []), [providers.data, syncs]);
  return { overview, syncs: syncs ?? [] };
}
