import { useEffect, useState } from 'react';
import { errorOf } from '../../api/failure.ts';
import type { RowSorting } from '../../ui/results/sort-header.tsx';
import { toasts } from '../../ui/toast.tsx';
import type { OnPage } from '../../ui/use-last-page.ts';

/** Keeps the order of results. @param onPage goes to the first page, with which another order begins */
export function useSorting(onPage: OnPage): RowSorting {
  const [sort, setSort] = useState('');
  return {
    sort,
    onSort: (next) => {
      setSort(next);
      onPage(1, { replace: true });
    },
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
