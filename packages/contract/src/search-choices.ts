import type { SearchCondition, SearchFilter } from './search-query.ts';

/** Groups of values that narrow a search, in the order in which they are shown. */
export const FACET_NAMES = [
  'provider',
  'entity',
  'month',
  'account',
  'state',
  'repo',
  'from',
  'author',
  'label',
  'has',
] as const;
/** Name of a facet, e.g. `label`. */
export type FacetName = (typeof FACET_NAMES)[number];

/** Values of `is:` that are states of pull requests. */
export const FACET_STATES = ['open', 'closed', 'merged', 'draft'] as const;

/** Values of one facet that narrow the whole search. Of several filters, one is enough: `label:{a b}`. */
export interface SearchChoice {
  facet: FacetName;
  filters: SearchFilter[];
}

/** Returns the facet to which an operator with its value belongs; undefined for e.g. `is:unread` and `newer_than:7d`. */
export function facetOf({ name, value }: Pick<SearchFilter, 'name' | 'value'>): FacetName | undefined {
  switch (name) {
    case 'account':
    case 'repo':
    case 'from':
    case 'author':
    case 'label':
    case 'has':
      return name;
    case 'is':
      return FACET_STATES.some((state) => state === value.toLowerCase()) ? 'state' : undefined;
    case 'before':
    case 'after':
      return 'month';
    default:
      return undefined;
  }
}

/** Returns the choice that a part of a search is; undefined for words, exclusions and conditions on several facets. */
function choiceOf(part: SearchCondition): SearchChoice | undefined {
  const filters = part.kind === 'any' ? part.of : [part];
  const [first] = filters;
  const facet = first?.kind === 'filter' ? facetOf(first) : undefined;
  const isChoice = (one: SearchCondition): one is SearchFilter =>
    one.kind === 'filter' && facetOf(one) === facet;
  return facet !== undefined && filters.every(isChoice) ? { facet, filters } : undefined;
}

/** Returns the conditions that must all hold, also those in parentheses: `(a b) c` has three. */
export function partsOfSearch(condition: SearchCondition): readonly SearchCondition[] {
  return condition.kind === 'all' ? condition.of.flatMap(partsOfSearch) : [condition];
}

/**
 * Lists the choices of a search.
 *
 *     choicesOf(parseSearch('label:{a b} is:open invoice').condition)
 *     // [{ facet: 'label', filters: [a, b] }, { facet: 'state', filters: [open] }]
 */
export function choicesOf(condition: SearchCondition): SearchChoice[] {
  return partsOfSearch(condition).flatMap((part) => choiceOf(part) ?? []);
}

/** Returns a search without the choices of a facet. */
export function withoutFacet(condition: SearchCondition, facet: FacetName): SearchCondition {
  return { kind: 'all', of: partsOfSearch(condition).filter((part) => choiceOf(part)?.facet !== facet) };
}
