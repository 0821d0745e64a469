import type { FacetName, SearchFilter, SearchRequest } from '@datadeck/contract';
import type { SearchState } from '../../address/search-state.ts';
import type { Provider } from '../../api/models.ts';
import type { ActiveFilter } from './active-filters.tsx';
import { FACET_TITLES } from './facet-titles.ts';
import { writePeriod } from './periods.ts';
import {
  choicesIn,
  hasValue,
  periodIn,
  removeAllFilters,
  removeFilter,
  type TextFacet,
  type TextPeriod,
  toggleValue,
  withPeriod,
  writeFilter,
} from './search-text.ts';

/** Changes of the address beside the text. */
type Patch = Parameters<SearchState['set']>[0];

/** What narrows a search, and how to change it. */
export interface FacetChoices {
  isChosen: (name: FacetName, value: string) => boolean;
  toggle: (name: FacetName, value: string) => void;
  /** The period to which the search is narrowed. */
  period: TextPeriod | undefined;
  choosePeriod: (period: TextPeriod | undefined) => void;
  active: readonly ActiveFilter[];
  clear: () => void;
}

/** Returns an operator for people: `State Merged`, `Has attachment`; others as they are written. */
function filterWords(
  filter: SearchFilter,
  facet: FacetName | undefined,
): Pick<ActiveFilter, 'title' | 'value'> {
  const { name, value } = filter;
  const capital = value.charAt(0).toUpperCase() + value.slice(1).toLowerCase();
  if (facet === undefined) return { title: '', value: writeFilter(name, value) };
  if (facet === 'month') return { title: '', value: writePeriod({ [name]: value }) };
  if (facet === 'has') return { title: '', value: `Has ${value.toLowerCase()}` };
  return { title: FACET_TITLES[facet], value: facet === 'state' ? capital : value };
}

/** Lists the operators that narrow a search. Those of its period are one. */
function filtersInText(text: string, onText: (text: string) => void): ActiveFilter[] {
  const choices = choicesIn(text);
  const months = choices.filter(({ facet }) => facet === 'month');
  const isPeriod =
    months.length === 2 && new Set(months.flatMap((one) => one.filters).map(({ name }) => name)).size === 2;
  return choices.flatMap((choice): ActiveFilter[] => {
    if (isPeriod && choice.facet === 'month')
      return choice !== months[0]
        ? []
        : [
            {
              key: 'period',
              title: '',
              value: writePeriod(periodIn(text) ?? {}),
              onRemove: () => onText(withPeriod(text, undefined)),
            },
          ];
    return choice.filters.map((filter) => ({
      key: `${filter.name}:${filter.value} ${filter.from}`,
      ...filterWords(filter, choice.facet),
      onRemove: () => onText(removeFilter(text, filter)),
    }));
  });
}

/** Returns what narrows a search: operators in its text, and provider and entity in the address. */
export function facetChoices({
  request,
  text,
  providers,
  search,
  onText,
}: {
  request: SearchRequest;
  text: string;
  providers: readonly Provider[];
  search: SearchState;
  onText: (text: string, patch?: Patch) => void;
}): FacetChoices {
  const { providerId, entityLabel, account } = request;
  const inAddress: Partial<Record<FacetName, string | undefined>> = {
    provider: providerId,
    entity: entityLabel,
    account,
  };
  const isChosen = (name: FacetName, value: string) =>
    inAddress[name] === value || (name !== 'month' && hasValue(text, name, value));

  function toggle(name: FacetName, value: string) {
    const next = isChosen(name, value) ? null : value;
    // An account of the address is one of the provider that was chosen with it.
    const others = { page: null, ...(providerId !== undefined && { account: null }) };
    if (name === 'provider') search.set({ ...others, provider: next, entity: null });
    else if (name === 'entity') {
      const provider = providers.find(({ entities }) => entities.some(({ id }) => id === value));
      search.set({ ...others, ...(next !== null && { provider: provider?.key ?? null }), entity: next });
    } else if (name === 'account' && account !== undefined) {
      // The text may name several accounts, the address one.
      const kept =
        account === value || hasValue(text, name, account) ? text : toggleValue(text, name, account);
      onText(next === null ? kept : toggleValue(kept, name, value), { account: null });
    } else if (name !== 'month') onText(toggleValue(text, name as TextFacet, value));
  }

  const provider = providers.find(({ key }) => key === providerId);
  const entity = provider?.entities.find(({ id }) => id === entityLabel);
  const fixed = [
    {
      name: 'provider' as const,
      value: provider?.title,
      patch: { provider: null, entity: null, account: null },
    },
    { name: 'entity' as const, value: entity?.title, patch: { entity: null } },
    { name: 'account' as const, value: account, patch: { account: null } },
  ];
  return {
    isChosen,
    toggle,
    period: periodIn(text),
    choosePeriod: (period) => onText(withPeriod(text, period)),
    active: [
      ...fixed.flatMap(({ name, value, patch }): ActiveFilter[] =>
        value === undefined
          ? []
          : [
              {
                key: name,
                title: FACET_TITLES[name],
                value,
                onRemove: () => search.set({ ...patch, page: null }),
              },
            ],
      ),
      ...filtersInText(text, onText),
    ],
    clear: () => onText(removeAllFilters(text), { provider: null, entity: null, account: null }),
  };
}
