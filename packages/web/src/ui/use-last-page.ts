import { useEffect, useRef } from 'react';

/** Changes the page; `replace` leaves no step back to the former one. */
export type OnPage = (page: number, options?: { replace: boolean }) => void;

/** Goes to the last page from one beyond it, once the total is known; tells whether the page is beyond. */
export function useLastPage(page: number, total: number | undefined, onPage: OnPage): boolean {
  const latest = useRef(onPage);
  latest.current = onPage;
  const isBeyond = total !== undefined && page > total;
  useEffect(() => {
    if (isBeyond) latest.current(total, { replace: true });
  }, [isBeyond, total]);
  return isBeyond;
}
