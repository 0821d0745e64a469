import { useMemo } from 'react';
import { useSearchState } from '../../address/search-state.ts';
import type { Provider } from '../../api/models.ts';
import { type Option, Select } from '../../ui/select.tsx';
import { accountName, shownAccounts } from './account-name.ts';
import { useProvidersQuery } from './connections-api.ts';

/** Returns the accounts to choose from: those of the provider, or of all. None while no provider has more than one. */
function optionsOf(providers: readonly Provider[]): Option[] {
  if (!providers.some((provider) => shownAccounts(provider).length > 1)) return [];
  const options = providers
    .flatMap(shownAccounts)
    .map((one) => [one.account, { value: one.account, label: accountName(one) }] as const);
  // Two providers may have accounts of the same name, which one choice means.
  return [...new Map(options).values()];
}

export interface AccountChoices {
  options: readonly Option[];
  /** The chosen account; empty for all. */
  account: string;
}

/** Reads the chosen account from the address. One that the provider does not have counts as not chosen. @param provider its key; empty: all */
export function useAccountFilter(provider: string): AccountChoices {
  const { data } = useProvidersQuery();
  const chosen = useSearchState().get('account');
  const options = useMemo(
    () => optionsOf((data ?? []).filter(({ key }) => provider === '' || key === provider)),
    [data, provider],
  );
  return { options, account: options.some(({ value }) => value === chosen) ? chosen : '' };
}

/** The filter by account, which the address keeps. Nothing while there is no choice. */
export function AccountFilter({ provider }: { provider: string }) {
  const search = useSearchState();
  const { options, account } = useAccountFilter(provider);
  if (options.length === 0) return null;
  return (
    <Select
      label="Account"
      placeholder="All accounts"
      clearable
      options={options}
      value={options.find(({ value }) => value === account) ?? null}
      onChange={(option) =>
        // The other account begins at its first page; without a page, nothing has run yet.
        search.set({ account: option?.value ?? null, page: search.get('page') === '' ? null : 1 })
      }
    />
  );
}
