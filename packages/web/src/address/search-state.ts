import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

type Patch = Record<string, string | number | null>;

export interface SearchState {
  /** Returns a query parameter; empty when it is absent. */
  get: (name: string) => string;
  /** The `page` parameter; at least 1. */
  page: number;
  /** Sets parameters; removes those that are null or empty. */
  set: (patch: Patch, options?: { replace: boolean }) => void;
}

/** Keeps a screen's selection in the URL, so that it survives a reload and can be shared. */
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
