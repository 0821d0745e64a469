import { useEffect, useRef } from 'react';

/** Changes the page; with `replace`, the previous page leaves no history entry. */
export type OnPage = (page: number, options?: { replace: boolean }) => void;

/** Goes to the last page if the current one is beyond it, once the total is known. @returns whether it is beyond */
export function useLastPage(page: number, total: number | undefined, onPage: OnPage): boolean {
  const latest = useRef(onPage);
  latest.current = onPage;
  const isBeyond = total !== undefined && page > total;
  useEffect(() => {
    if (isBeyond) latest.current(total, { replace: true });
  }, [isBeyond, total]);
  return isBeyond;
}
