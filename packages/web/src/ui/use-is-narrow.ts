import { useSyncExternalStore } from 'react';

/** Below Tailwind's `sm`: a phone. */
const narrow = window.matchMedia('(max-width: 639px)');

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

/** Whether the window is as narrow as a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}
