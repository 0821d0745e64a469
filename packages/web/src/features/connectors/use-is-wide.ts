import { useSyncExternalStore } from 'react';

/** Matches windows with room for the form beside the document: from Tailwind's `lg`. */
const wide = window.matchMedia('(min-width: 1024px)');

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/** Returns whether the form fits beside the document. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}
