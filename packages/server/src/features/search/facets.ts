import {
  choicesOf,
  FACET_NAMES,
  FACET_RECORDS,
  FACET_VALUES,
  type FacetName,
  type SearchFacets,
  withoutFacet,
} from '@datadeck/contract';
import type { ConnectorRegistry } from '../connections/index.ts';
import {
  openPlace,
  type RunningSearch,
  type SearchAttempt,
  type SearchPlace,
  type SearchQuestion,
} from './attempts.ts';
import { type IndexedMonths, readMonths } from './candidates.ts';
import { searchedEntities } from './entry.ts';
import { type CountedFacets, countNewest, type FacetRow, recordsIn } from './facet-counts.ts';
import { countsOfPeriods, facetPeriods } from './facet-periods.ts';
import { readTerms } from './terms.ts';
import { personOperator } from './triggers.ts';

type Facet = SearchFacets['facets'][number];
type FacetValue = Facet['values'][number];
type Periods = ReturnType<typeof facetPeriods>;

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Adds up the counts of values with the same name, and returns the most frequent ones and those that are chosen. */
function mostFrequent(
  values: readonly (FacetValue & Pick<FacetRow, 'isChosen'>)[],
  chosen: readonly string[],
): FacetValue[] {
  const merged = new Map<string, FacetValue & Pick<FacetRow, 'isChosen'>>();
  for (const value of values) {
    const known = merged.get(value.value);
    const isChosen = value.isChosen || (known?.isChosen ?? false);
    merged.set(value.value, { ...value, count: value.count + (known?.count ?? 0), isChosen });
  }
  return [...merged.values()]
    .sort((a, b) => b.count - a.count)
    .filter(
      // What people call a value may not be how it is counted: an account has an id.
      ({ value, isChosen }, index) =>
        index < FACET_VALUES || isChosen || chosen.includes(value.toLowerCase()),
    )
    .map(({ isChosen: _, ...value }) => value);
}

/** Returns the values of the months with records, or years, the newest first, and those that are chosen. */
function monthsOf(rows: readonly FacetRow[], periods: Periods, chosen: readonly string[]): FacetValue[] {
  const counts = new Map(rows.map(({ value, count }) => [Number(value), count] as const));
  return countsOfPeriods(periods, counts, chosen).map(({ name, count }) => ({
    value: name,
    title: name.length === 4 ? name : MONTH.format(new Date(name)),
    count,
  }));
}

/** Returns what a facet calls a counted value. */
function namedValue(
  registry: ConnectorRegistry,
  { scope }: SearchPlace,
  { name, value }: Pick<FacetRow, 'name' | 'value'>,
): Omit<FacetValue, 'count'> {
  switch (name) {
    case 'provider': {
      const { key, title } = registry.providerOf(value);
      return { value: key, title };
    }
    case 'entity': {
      const provider = registry.providerOf(value);
      return { value, title: `${provider.title} · ${registry.entity(provider.key, value).title}` };
    }
    case 'account': {
      const found = scope.accounts.find(({ connectionId }) => connectionId === value);
      return { value: found?.account ?? '', title: found?.title || (found?.account ?? '') };
    }
    case 'has':
      return { value, title: `Has ${value}` };
    case 'state':
      return { value, title: value.charAt(0).toUpperCase() + value.slice(1) };
    default:
      return { value, title: value };
  }
}

/** Facets that are counted in one query. */
interface FacetGroup {
  names: FacetName[];
  condition: SearchAttempt['condition'];
  /** Present if the search is narrowed by these facets, which are counted as if it were not: what is then asked. */
  widened?: SearchQuestion;
  /** Whether each account that has a record counts it, because a search within the account finds it. */
  hasCopies?: true;
}

/** Returns the facets by which a search is narrowed. */
function chosenFacets({ question }: RunningSearch, { condition }: SearchAttempt): Set<FacetName> {
  const { providerId, entityLabel, account = '' } = question;
  const names = new Set(choicesOf(condition).map(({ facet }) => facet));
  if (providerId !== undefined || entityLabel !== undefined) names.add('provider');
  if (entityLabel !== undefined) names.add('entity');
  if (account !== '') names.add('account');
  return names;
}

/** Returns the facets that are counted together: those of the found records, and each one by which they are narrowed. */
function groupsOf(search: RunningSearch, attempt: SearchAttempt): FacetGroup[] {
  const { condition } = attempt;
  const { question, copies } = search;
  const chosen = chosenFacets(search, attempt);
  const isApart = copies.sets.length > 0 && !chosen.has('account');
  const names = FACET_NAMES.filter((name) => !chosen.has(name) && !(isApart && name === 'account'));
  const groups: FacetGroup[] = [{ names, condition }];
  if (isApart) groups.push({ names: ['account'], condition, hasCopies: true });
  const inRequest = (['provider', 'entity'] as const).filter((name) => chosen.has(name));
  // An account of the request is one of its provider.
  const everywhere = { ...question, providerId: undefined, entityLabel: undefined, account: undefined };
  if (inRequest.length > 0) groups.push({ names: inRequest, condition, widened: everywhere });
  for (const name of chosen) {
    const others = { names: [name], condition: withoutFacet(condition, name) };
    if (name === 'account')
      groups.push({ ...others, widened: { ...question, account: undefined }, hasCopies: true });
    else if (name !== 'provider' && name !== 'entity') groups.push({ ...others, widened: question });
  }
  return groups;
}

/** Returns where the records of a group are. */
async function placeOf(
  search: RunningSearch,
  registry: ConnectorRegistry,
  { widened, condition, hasCopies }: FacetGroup,
): Promise<SearchPlace> {
  const { db, question, now } = search;
  const isElsewhere = widened !== undefined && (widened !== question || hasCopies);
  const place = isElsewhere ? await openPlace(db, registry, { question: widened, condition, now }) : search;
  return hasCopies ? { ...place, copies: { sets: [], most: 1 } } : place;
}

/** Counts the values of the facets of a group. */
async function countGroup(
  search: RunningSearch,
  registry: ConnectorRegistry,
  {
    group,
    attempt,
    months,
    ...counted
  }: Pick<CountedFacets, 'authored'> & {
    group: FacetGroup;
    attempt: SearchAttempt;
    /** Of the search itself. */
    months: IndexedMonths | undefined;
  },
): Promise<{ facets: Facet[]; count: number }> {
  const { db, scope, now, question } = search;
  const place = await placeOf(search, registry, group);
  const periods = facetPeriods(now, scope.timeZone);
  const isTyping = question.isTyping === 'true';
  const { compiler } = place;
  const terms = group.widened
    ? await readTerms(db, group.condition, { compiler, isTyping, isByParts: attempt.isByParts })
    : attempt.terms;
  // One account is no choice.
  const names = group.names.filter((name) => name !== 'account' || place.scope.accounts.length > 1);
  const chosen = choicesOf(attempt.condition)
    .filter(({ facet }) => names.includes(facet))
    .flatMap(({ filters }) => filters.map(({ value }) => value.toLowerCase()));
  if (names.length === 0) return { facets: [], count: 0 };
  const rows = await countNewest(
    { ...place, db },
    {
      ...counted,
      names,
      chosen,
      starts: periods.map(({ start }) => start),
      conditions: terms,
      months: group.widened ? await readMonths(db, scope.userId, { ...terms, now }) : months,
    },
  );
  const facets = names.map((name) => {
    const ofFacet = rows.filter((row) => row.name === name);
    if (name === 'month') return { name, values: monthsOf(ofFacet, periods, chosen) };
    const named = ofFacet.map((row) => ({
      ...namedValue(registry, place, row),
      count: row.count,
      isChosen: row.isChosen,
    }));
    return { name, values: mostFrequent(named, chosen) };
  });
  return { facets, count: recordsIn(rows) };
}

async function countGroups(
  search: RunningSearch,
  registry: ConnectorRegistry,
  {
    groups,
    ...request
  }: { groups: readonly FacetGroup[]; attempt: SearchAttempt; months: IndexedMonths | undefined },
): Promise<SearchFacets> {
  const authored = searchedEntities(registry.all().flatMap(({ entities }) => entities))
    .filter((entity) => personOperator(entity.search) === 'author')
    .map(({ id }) => id);
  const counted: Awaited<ReturnType<typeof countGroup>>[] = [];
  for (const group of groups)
    counted.push(await countGroup(search, registry, { ...request, group, authored }));
  const facets = counted.flatMap((one) => one.facets).filter(({ values }) => values.length > 0);
  return {
    facets: facets.sort((a, b) => FACET_NAMES.indexOf(a.name) - FACET_NAMES.indexOf(b.name)),
    count: counted[0]?.count ?? 0,
    isLimited: counted.some(({ count }) => count >= FACET_RECORDS),
  };
}

/**
 * Counts the values of the records that a search finds. A facet by which it is narrowed is counted as if it were not, so that
 * people see what else they can choose.
 * @param request.months from `readMonths`
 */
export function countFacets(
  search: RunningSearch,
  registry: ConnectorRegistry,
  request: { attempt: SearchAttempt; months: IndexedMonths | undefined },
): Promise<SearchFacets> {
  return countGroups(search, registry, { ...request, groups: groupsOf(search, request.attempt) });
}

/** Counts what else can be chosen in the facets by which a search is narrowed that finds nothing. */
export async function countAlternatives(
  search: RunningSearch,
  registry: ConnectorRegistry,
  attempt: SearchAttempt,
): Promise<SearchFacets> {
  const groups = groupsOf(search, attempt).filter(({ widened }) => widened);
  const counted = await countGroups(search, registry, { groups, attempt, months: undefined });
  return { ...counted, count: 0 };
}
