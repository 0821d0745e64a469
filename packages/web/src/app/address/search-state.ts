import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

type Patch = Record<string, string | number | null>;

export interface SearchState {
  /** A parameter of the address; empty when absent. */
  get: (name: string) => string;
  /** A page number of the address; at least 1. */
  page: number;
  /** Changes parameters; null and empty ones are removed. */
  set: (patch: Patch, options?: { replace: boolean }) => void;
}

/** What is chosen on a screen lives in its address, so that it survives reload and can be shared. */
export function useSearchState(): SearchState {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (patch: Patch, options = { replace: false }) =>
      setParams((current) => {
        const next = new URLSearchParams(current);
        for (const [name, value] of Object.entries(patch)) {
          if (value === null || value === '') next.delete(name);
          else next.set(name, String(value));
        }
        return next;
      }, options),
    [setParams],
  );
  const number = Number.parseInt(params.get('page') ?? '1', 10);
  return { get: (name) => params.get(name) ?? '', page: number >= 1 ? number : 1, set };
}
