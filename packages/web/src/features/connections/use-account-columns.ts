import { ACCOUNT_FIELDS } from '@datadeck/contract/table-columns';
import { useMemo } from 'react';
import { shownAccounts } from './account-name.ts';
import { useProvidersQuery } from './connections-api.ts';

const NONE: readonly string[] = [];

/**
 * Returns how rows show their account: after the preferred fields of whole records with several accounts, not at all with a
 * single one.
 */
export function useAccountColumns(preferred: readonly string[]): {
  preferredColumns: readonly string[];
  /** Fields that are no column while all rows have the same value. */
  hiddenColumns: readonly string[];
} {
  const { data } = useProvidersQuery();
  const hasSeveral = data?.some((provider) => shownAccounts(provider).length > 1) ?? false;
  return useMemo(() => {
    if (!hasSeveral) return { preferredColumns: preferred, hiddenColumns: ACCOUNT_FIELDS };
    const isPreferred = preferred.length > 0 && !preferred.includes('account');
    return { preferredColumns: isPreferred ? [...preferred, 'account'] : preferred, hiddenColumns: NONE };
  }, [hasSeveral, preferred]);
}
