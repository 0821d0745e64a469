import { FACET_RECORDS, FACET_VALUES, type SearchFacets } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import type { ConnectorRegistry } from '../connections/index.ts';
import { textArray } from '../records/index.ts';
import type { RunningSearch } from './attempts.ts';
import {
  type IndexedMonths,
  matchCondition,
  monthCounts,
  monthsBack,
  newestEntries,
  type SearchConditions,
} from './candidates.ts';
import { countsOfPeriods, facetPeriods } from './facet-periods.ts';
import type { SearchTerms } from './terms.ts';
import { personOperator, searchedEntities } from './triggers.ts';

type Facet = SearchFacets['facets'][number];
type FacetName = Facet['name'];
type FacetValue = Facet['values'][number];
type Periods = ReturnType<typeof facetPeriods>;

/** Values that are read of each facet: labels with the same name are one value. */
const READ_VALUES = 3 * FACET_VALUES;

interface FacetRow extends Record<string, unknown> {
  name: FacetName;
  value: string;
  count: number;
}

/** Counts the values of the newest matches, the most frequent first. */
async function countValues(
  { db, scope, copies }: RunningSearch,
  {
    conditions,
    authored,
    starts,
    months,
  }: {
    conditions: SearchConditions;
    authored: readonly string[];
    starts: readonly Date[];
    months: readonly string[];
  },
): Promise<FacetRow[]> {
  const { rows } = await db.execute<FacetRow>(sql`
    with found as materialized (
      ${newestEntries(matchCondition(scope, conditions, months), copies, FACET_RECORDS)}
    ), counted as (
      select 'entity' as name, entity as value, count(*)::int as count from found group by 2
      union all
      select case when entity = any(${textArray(authored)}) then 'author' else 'from' end, person, count(*)::int
      from found where person <> '' group by 1, 2
      union all
      select 'label', connection_id || ' ' || label, count(*)::int from found cross join lateral unnest(labels) label group by 2
      union all
      select 'account', connection_id::text, count(*)::int from found group by 2
      union all
      select 'month', width_bucket(occurred_at, ${textArray(starts.map((start) => start.toISOString()))}::timestamptz[])::text, count(*)::int
      from found group by 2
    ), ranked as (
      select *, row_number() over (partition by name order by count desc, value desc) as place from counted
    )
    select name, value, count from ranked where place <= ${READ_VALUES} or name in ('entity', 'month') order by count desc, value desc`);
  return rows;
}

/** Returns the number of counted records. */
function recordsIn(rows: readonly FacetRow[]): number {
  return rows.reduce((sum, row) => sum + (row.name === 'entity' ? row.count : 0), 0);
}

/** Counts the values of the newest matches of a search. In a large index, the newest months are counted first. */
async function countNewest(
  search: RunningSearch,
  {
    terms,
    months,
    ...counted
  }: {
    terms: SearchTerms;
    months: IndexedMonths | undefined;
    authored: readonly string[];
    starts: readonly Date[];
  },
): Promise<FacetRow[]> {
  const count = (names: readonly string[]) =>
    countValues(search, { ...counted, conditions: terms, months: names });
  if (!months) return count([]);
  let found = 0;
  const { db, scope } = search;
  const request = { months, found: () => found, limit: FACET_RECORDS };
  for await (const searched of monthCounts(db, scope.userId, request)) {
    const rows = await count(monthsBack(months, 0, searched));
    found = recordsIn(rows);
    if (found >= FACET_RECORDS) return rows;
  }
  return count([]);
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Adds up the counts of values with the same name, and returns the most frequent ones. */
function mostFrequent(values: readonly FacetValue[]): FacetValue[] {
  const merged = new Map<string, FacetValue>();
  for (const value of values) {
    const known = merged.get(value.value);
    merged.set(value.value, known ? { ...known, count: known.count + value.count } : value);
  }
  return [...merged.values()].sort((a, b) => b.count - a.count).slice(0, FACET_VALUES);
}

/** Returns the facets for people. Months, or years, are in the order of time, the newest first. */
function facetsOf(
  rows: readonly FacetRow[],
  registry: ConnectorRegistry,
  { labels, scope, periods }: Pick<RunningSearch, 'labels' | 'scope'> & { periods: Periods },
): Facet[] {
  const valuesOf = (name: FacetName, convert: (value: string) => Omit<FacetValue, 'count'>) => ({
    name,
    values: mostFrequent(
      rows.filter((row) => row.name === name).map(({ value, count }) => ({ ...convert(value), count })),
    ),
  });
  const same = (value: string) => ({ value, title: value });
  const entities = valuesOf('entity', (id) => {
    const provider = registry.providerOf(id);
    return { value: id, title: `${provider.title} · ${registry.entity(provider.key, id).title}` };
  });
  const accountValue = (id: string) => {
    const found = scope.accounts.find(({ connectionId }) => connectionId === id);
    return { value: found?.account ?? '', title: found?.title || (found?.account ?? '') };
  };
  const providers = rows
    .filter(({ name }) => name === 'entity')
    .map(({ value, count }) => {
      const { key, title } = registry.providerOf(value);
      return { value: key, title, count };
    });
  const periodCounts = rows
    .filter(({ name }) => name === 'month')
    .map(({ value, count }) => [Number(value), count] as const);
  const months = countsOfPeriods(periods, new Map(periodCounts)).map(({ name, count }) => ({
    value: name,
    title: name.length === 4 ? name : MONTH.format(new Date(name)),
    count,
  }));
  return [
    { name: 'provider' as const, values: mostFrequent(providers) },
    entities,
    valuesOf('from', same),
    valuesOf('author', same),
    valuesOf('label', (value) => {
      const at = value.indexOf(' ');
      return same(labels.nameOf(value.slice(0, at), value.slice(at + 1)));
    }),
    // One account is no choice.
    ...(scope.accounts.length > 1 ? [valuesOf('account', accountValue)] : []),
    { name: 'month' as const, values: months },
  ].filter(({ values }) => values.length > 0);
}

/** Counts the values of the records that a search finds. @param request.months from `readMonths` */
export async function countFacets(
  search: RunningSearch,
  registry: ConnectorRegistry,
  request: { terms: SearchTerms; months: IndexedMonths | undefined },
): Promise<SearchFacets> {
  const authored = searchedEntities(registry.all().flatMap(({ entities }) => entities))
    .filter((entity) => personOperator(entity.search) === 'author')
    .map(({ id }) => id);
  const periods = facetPeriods(search.now, search.scope.timeZone);
  const starts = periods.map(({ start }) => start);
  const rows = await countNewest(search, { ...request, authored, starts });
  const count = recordsIn(rows);
  return {
    facets: facetsOf(rows, registry, { ...search, periods }),
    count,
    isLimited: count >= FACET_RECORDS,
  };
}
