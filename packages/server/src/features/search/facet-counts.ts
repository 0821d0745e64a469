import { FACET_RECORDS, FACET_VALUES, type FacetName } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import { type LabelNames, textArray } from '../records/index.ts';
import type { RunningSearch } from './attempts.ts';
import {
  type IndexedMonths,
  matchCondition,
  monthCounts,
  monthsBack,
  newestEntries,
  type SearchConditions,
} from './candidates.ts';

/** Values that are read of each facet: several of them may be one for people. */
const READ_VALUES = 3 * FACET_VALUES;

/** Number of counted records with a value; the row called `all` has the number of all. */
export interface FacetRow extends Record<string, unknown> {
  name: FacetName | 'all';
  /** For `month` the number of the period, from 1. */
  value: string;
  count: number;
  /** Whether it is one of `chosen`, in any case and with or without accents. */
  isChosen: boolean;
}

/** Which facets to count, and how. */
export interface CountedFacets {
  names: readonly FacetName[];
  /** Values that are returned even if they are rare, in lower case. */
  chosen: readonly string[];
  /** Entities whose people are authors; those of the others are senders. */
  authored: readonly string[];
  /** First instants of the periods of `month`, oldest first. */
  starts: readonly Date[];
}

/** Returns the query for labels by their names: ids are per account, and one name in any case is one value. */
function labelQuery({ all }: LabelNames): SQL {
  const columns = [
    sql`${textArray(all.map(({ connectionId }) => connectionId))}::uuid[]`,
    textArray(all.map(({ id }) => id)),
    textArray(all.map(({ name }) => name)),
  ];
  return sql`
    select 'label' as name, coalesce(l.name, value) as value, coalesce(lower(l.name), lower(unaccent(value))) as key, count from (
      select connection_id, label as value, count(*)::int as count from found cross join lateral unnest(labels) label group by 1, 2
    ) labelled left join unnest(${sql.join(columns, sql`, `)}) l(connection_id, id, name)
      on l.connection_id = labelled.connection_id and l.id = labelled.value`;
}

/** Returns the query that counts the rows of `from` by name and value. */
function countQuery(name: SQL, value: SQL, from: SQL = sql`found`): SQL {
  return sql`select name, value, lower(value) as key, count from (
    select ${name} as name, ${value} as value, count(*)::int as count from ${from} group by 1, 2) counted`;
}

function queriesOf({ names, authored, starts }: CountedFacets, labels: LabelNames): SQL[] {
  const has = (...some: FacetName[]) => some.some((name) => names.includes(name));
  const instants = textArray(starts.map((start) => start.toISOString()));
  const person = sql`case when entity = any(${textArray(authored)}) then 'author' else 'from' end`;
  const fact = sql`case split_part(fact, ':', 1) when 'is' then 'state' else split_part(fact, ':', 1) end`;
  return [
    countQuery(sql`'all'`, sql`''`),
    // A provider is the sum of its entities.
    ...(has('provider') ? [countQuery(sql`'provider'`, sql`entity`)] : []),
    ...(has('entity') ? [countQuery(sql`'entity'`, sql`entity`)] : []),
    ...(has('account') ? [countQuery(sql`'account'`, sql`connection_id::text`)] : []),
    ...(has('from', 'author') ? [countQuery(person, sql`person`, sql`found where person <> ''`)] : []),
    ...(has('label') ? [labelQuery(labels)] : []),
    ...(has('state', 'repo', 'has')
      ? [
          countQuery(
            fact,
            sql`substr(fact, strpos(fact, ':') + 1)`,
            sql`found cross join lateral unnest(facts) fact`,
          ),
        ]
      : []),
    ...(has('month')
      ? [countQuery(sql`'month'`, sql`width_bucket(occurred_at, ${instants}::timestamptz[])::text`)]
      : []),
  ];
}

/** Counts the values of the newest matches, the most frequent first. */
async function countValues(
  { db, scope, copies, labels }: Pick<RunningSearch, 'db' | 'scope' | 'copies' | 'labels'>,
  {
    conditions,
    months,
    ...counted
  }: CountedFacets & { conditions: SearchConditions; months: readonly string[] },
): Promise<FacetRow[]> {
  const { rows } = await db.execute<FacetRow>(sql`
    with found as materialized (
      ${newestEntries(matchCondition(scope, conditions, months), copies, FACET_RECORDS)}
    ), merged as (
      select name, key, (array_agg(value order by count desc, value desc))[1] as value, sum(count)::int as count
      from (${sql.join(queriesOf(counted, labels), sql` union all `)}) counted group by name, key
    ), ranked as (
      select *, row_number() over (partition by name order by count desc, value desc) as place from merged
    )
    select name, value, count, "isChosen" from (
      select *, lower(unaccent(key)) in (select lower(unaccent(one)) from unnest(${textArray(counted.chosen)}) one) as "isChosen"
      from ranked) named
    where name = any(${textArray(['all', ...counted.names])})
      and (place <= ${READ_VALUES} or name in ('provider', 'entity', 'month') or "isChosen")
    order by count desc, value desc`);
  return rows;
}

/** Returns the number of counted records, at most `FACET_RECORDS`. */
export function recordsIn(rows: readonly FacetRow[]): number {
  return rows.find(({ name }) => name === 'all')?.count ?? 0;
}

/**
 * Counts the values of the newest matches of a search. In a large index, the newest months are counted first.
 * @param request.months from `readMonths`
 */
export async function countNewest(
  search: Pick<RunningSearch, 'db' | 'scope' | 'copies' | 'labels'>,
  {
    conditions,
    months,
    ...counted
  }: CountedFacets & { conditions: SearchConditions; months: IndexedMonths | undefined },
): Promise<FacetRow[]> {
  const count = (names: readonly string[]) => countValues(search, { ...counted, conditions, months: names });
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
