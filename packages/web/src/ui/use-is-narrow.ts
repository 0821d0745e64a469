import { useSyncExternalStore } from 'react';

/** Matches phones: windows narrower than Tailwind's `sm`. */
const narrow = window.matchMedia('(max-width: 639px)');

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

/** Returns whether the window is as narrow as a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}
