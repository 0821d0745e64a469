import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { type SharedState, sharedApi } from './shared-api.ts';

/** Age at which data are loaded again when the reader comes back to the page, ms. */
const STALE_AFTER = 5 * 60_000;

/** Loads all that the page shows again: when asked, and when the reader comes back after five minutes. Rows are limited, so nothing polls. */
export function useRefresh(loadedAt: number | undefined) {
  const dispatch = useDispatch();
  const isLoading = useSelector(({ shared }: SharedState) =>
    Object.values(shared.queries).some((query) => query?.status === 'pending'),
  );
  const refresh = () => void dispatch(sharedApi.util.invalidateTags(['Share']));
  const latest = useRef({ loadedAt, refresh });
  latest.current = { loadedAt, refresh };
  useEffect(() => {
    const onVisible = () => {
      const { loadedAt = Number.POSITIVE_INFINITY } = latest.current;
      if (document.visibilityState === 'visible' && Date.now() - loadedAt > STALE_AFTER)
        latest.current.refresh();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, []);
  return { refresh, isLoading };
}
