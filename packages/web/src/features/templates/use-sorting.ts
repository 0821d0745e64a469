import { parseSort } from '@datadeck/contract';
import { useEffect } from 'react';
import type { SearchState } from '../../address/search-state.ts';
import { errorOf } from '../../api/failure.ts';
import type { RowSorting } from '../../ui/results/sort-header.tsx';
import { toasts } from '../../ui/toast.tsx';

/** The sort in the address that means the results' own order, where another one is stored. */
const OWN_ORDER = '-';

/**
 * Keeps the order of results in the address, so that a reload or a link keeps it. Another order begins with the first page.
 * @param stored the order without one in the address
 */
export function sortingIn(search: SearchState, stored = ''): RowSorting {
  const text = search.get('sort');
  return {
    // Somebody may have edited the address.
    sort: text === '' ? stored : parseSort(text) ? text : '',
    onSort: (next) =>
      search.set({ sort: next === stored ? null : next || OWN_ORDER, page: 1 }, { replace: true }),
  };
}

/** Ends a sort that the server refuses, because rows of another page have lists or objects, and says why. */
export function useUnsortable(error: unknown, { sort, onSort }: RowSorting): void {
  const reason = sort === '' ? undefined : errorOf(error)?.fields?.sort;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new reason counts, not a new function
  useEffect(() => {
    if (reason === undefined) return;
    toasts.error(reason);
    onSort('');
  }, [reason]);
}
