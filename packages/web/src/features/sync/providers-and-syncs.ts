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

/** Computes the overview of syncs from the loaded providers and syncs. @param account only this account and its syncs */
export function useOverview(account?: string) {
  const { providers, syncs: load } = useProvidersAndSyncs();
  const { data } = load;
  return useMemo(() => {
    const isWanted = (one: { account: string }) => account === undefined || one.account === account;
    const syncs = (data ?? []).filter(isWanted);
    const shown = (providers.data ?? []).filter(
      ({ accounts }) => account === undefined || accounts.some(isWanted),
    );
    return { overview: computeOverview(shown, syncs), syncs };
  }, [providers.data, data, account]);
}
