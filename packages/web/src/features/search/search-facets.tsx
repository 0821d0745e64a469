import type { SearchRequest } from '@datadeck/contract';
import type { SearchState } from '../../address/search-state.ts';
import type { Provider } from '../../api/models.ts';
import { type FacetName, FacetPanel } from './facet-panel.tsx';
import type { useSearch } from './search-api.ts';
import {
  addFilter,
  addMonth,
  filtersOf,
  hasFilter,
  hasMonth,
  removeFilter,
  removeMonth,
} from './search-text.ts';

/** Returns whether a search is narrowed to the value of an operator or month. */
function isInText(text: string, name: FacetName, value: string): boolean {
  if (name === 'month') return hasMonth(text, value);
  if (name === 'provider' || name === 'entity') return false;
  return hasFilter(text, name, value);
}

/** Adds the value of a facet to the text of a search, or removes it. */
function toggledText(text: string, name: Exclude<FacetName, 'provider' | 'entity'>, value: string): string {
  if (name === 'month') return hasMonth(text, value) ? removeMonth(text, value) : addMonth(text, value);
  return hasFilter(text, name, value) ? removeFilter(text, name, value) : addFilter(text, name, value);
}

interface SearchFacetsProps {
  request: SearchRequest;
  results: ReturnType<typeof useSearch>;
  text: string;
  providers: readonly Provider[];
  search: SearchState;
  onText: (text: string) => void;
}

/** The facets of a search. They narrow it by operators in its text, or by provider, entity and account in the address. */
export function SearchFacets({ request, results, text, providers, search, onText }: SearchFacetsProps) {
  const chosen: Partial<Record<FacetName, string>> = {
    provider: request.providerId ?? '',
    entity: request.entityLabel ?? '',
    account: request.account ?? '',
  };
  const isChosen = (name: FacetName, value: string) => chosen[name] === value || isInText(text, name, value);
  const inAddress = [request.providerId, request.entityLabel, request.account].filter(
    (one) => one !== undefined,
  ).length;

  function toggle(name: FacetName, value: string) {
    const next = isChosen(name, value) ? null : value;
    if (name === 'provider') search.set({ provider: next, entity: null, account: null, page: null });
    else if (name === 'account' && !isInText(text, name, value)) search.set({ account: next, page: null });
    else if (name === 'entity') {
      const provider = providers.find(({ entities }) => entities.some(({ id }) => id === value));
      search.set({ ...(next !== null && { provider: provider?.key ?? null }), entity: next, page: null });
    } else onText(toggledText(text, name, value));
  }

  return (
    <FacetPanel
      facets={results.data?.facets ?? undefined}
      hasFailed={results.error !== undefined}
      isChosen={isChosen}
      onToggle={toggle}
      chosen={inAddress + filtersOf(text).length}
    />
  );
}
