import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import { textArray } from '../sync/index.ts';
import { EARLIEST } from './compile.ts';
import type { SearchScope } from './scope.ts';
import type { SearchTerms } from './terms.ts';
import { CONNECTION_PREFIX, MONTH_PREFIX } from './triggers.ts';

/** The conditions of a search. `words` is the text of a tsquery, null for none; `tests` are conditions on rows `e`. */
export interface SearchConditions {
  words: string | null;
  tests: readonly SQL[];
}

/** A record that matches a search: its key, and what is shown without reading the record itself. */
export interface FoundRecord extends Record<string, unknown> {
  connection_id: string;
  entity: string;
  id: string;
  occurred_at: string;
  person: string;
  labels: string[];
}

/** Returns the key of a record over all connections and entities. */
export function keyOf({
  connection_id,
  entity,
  id,
}: Pick<FoundRecord, 'connection_id' | 'entity' | 'id'>): string {
  return `${connection_id} ${entity} ${id}`;
}

const DAY_MS = 86_400_000;

/** Records in the months that are searched first. */
const FIRST_RECORDS = 2500;
/** Smaller indexes are searched at once. */
const LARGE_INDEX = 50_000;
/** Largest number of months that a condition names: mails of 1970 are not rare. */
export const MAX_MONTHS = 1200;

/** The months with records of a user, back from the newest one. */
export interface IndexedMonths {
  newest: Date;
  count: number;
  /** Months that are searched first. */
  first: number;
  /** The start of the month after them, if records of the future may match. */
  future: Date | undefined;
}

/** Months as the index names them, e.g. 2026-11. */
type Months = readonly string[];

/**
 * Returns the condition on rows `e`: those of the scope that match.
 * @param months to which it is limited @param otherThan months that are left out; an empty list sets no limit
 */
export function matchCondition(
  scope: SearchScope,
  { words, tests }: SearchConditions,
  { months = [], otherThan = [] }: { months?: Months; otherThan?: Months } = {},
): SQL {
  const { userId, connectionIds, entity } = scope;
  const any = (prefix: string, texts: readonly string[]) =>
    sql`(select search_any(search_lexeme(${prefix}::text || one, false)) from unnest(${textArray(texts)}) one)`;
  const queries = [
    ...(words === null ? [] : [sql`${words}::tsquery`]),
    any(CONNECTION_PREFIX, connectionIds),
    ...(months.length === 0 ? [] : [any(MONTH_PREFIX, months)]),
    ...(otherThan.length === 0 ? [] : [sql`!!${any(MONTH_PREFIX, otherThan)}`]),
  ];
  // Conditions without words are read by other indexes: those of times and of parts of words.
  const isWithoutWords = words === null && months.length === 0 && otherThan.length === 0 && tests.length > 0;
  return sql.join(
    [
      sql`e.user_id = ${userId}`,
      sql`e.connection_id = any(${textArray(connectionIds)}::uuid[])`,
      ...(entity === undefined ? [] : [sql`e.entity = ${entity}`]),
      ...(isWithoutWords ? [] : [sql`e.terms @@ (${sql.join(queries, sql` && `)})`]),
      ...tests,
    ],
    sql` and `,
  );
}

/** Returns months from the newest one back. @param from months to leave out @param to number of months with those left out */
export function monthsBack({ newest }: IndexedMonths, from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) =>
    new Date(Date.UTC(newest.getUTCFullYear(), newest.getUTCMonth() - from - index, 1))
      .toISOString()
      .slice(0, 7),
  );
}

const monthNumber = (time: Date) => time.getUTCFullYear() * 12 + time.getUTCMonth();

/**
 * Returns the range of months of a user's records in a large index. Its newest months are searched first: of a frequent
 * word, reading all matches only to find the newest would take too long. Returns undefined for a small index and for parts
 * of words, which have an index of their own: these are searched at once; and where no record is as old as `until`.
 * @param until now, or an earlier time after which nothing matches, ms since 1970
 */
export async function readMonths(
  db: Queryable,
  userId: string,
  { until, parts, now }: Pick<SearchTerms, 'until' | 'parts'> & { now: number },
): Promise<IndexedMonths | undefined> {
  if (parts.length > 0) return undefined;
  const { rows: sizes } = await db.execute<{ records: number }>(sql`
    select coalesce(sum(records), 0)::float8 as records from record_versions where user_id = ${userId}`);
  if ((sizes[0]?.records ?? 0) <= LARGE_INDEX) return undefined;
  const own = sql`from search_entries where user_id = ${userId}`;
  const times = sql`${own} and occurred_at <= ${new Date(until)}`;
  // The time of a record, not the age of the oldest one, which is often wrong: some mails are from 1970.
  const { rows } = await db.execute<{
    oldest: string | null;
    first: string | null;
    newest: string | null;
    last: string | null;
  }>(sql`
    select (select min(occurred_at) ${times}) as oldest, (select max(occurred_at) ${times}) as newest,
      (select occurred_at ${times} order by occurred_at desc offset ${FIRST_RECORDS} limit 1) as first,
      (select max(occurred_at) ${own}) as last`);
  const { oldest = null, newest: newestText = null, first, last = null } = rows[0] ?? {};
  if (oldest === null || newestText === null || last === null) return undefined;
  const newest = new Date(newestText);
  const monthsSince = (time: string) => 1 + monthNumber(newest) - monthNumber(new Date(time));
  const next = new Date(Date.UTC(newest.getUTCFullYear(), newest.getUTCMonth() + 1, 1));
  const future = until >= now && new Date(last) >= next ? next : undefined;
  return { newest, count: monthsSince(oldest), first: monthsSince(first ?? oldest), future };
}

/** Returns the condition for the months that remain. */
function restCondition(
  scope: SearchScope,
  conditions: SearchConditions,
  { months, searched }: { months: IndexedMonths; searched: number },
): SQL {
  if (months.count <= MAX_MONTHS)
    return matchCondition(scope, conditions, { months: monthsBack(months, searched, months.count) });
  const tests = months.future
    ? [...conditions.tests, sql`e.occurred_at < ${months.future}`]
    : conditions.tests;
  return matchCondition(scope, { ...conditions, tests }, { otherThan: monthsBack(months, 0, searched) });
}

/** Returns whether to search all months instead: most of them cost nearly as much. */
export function shouldSearchAll(months: IndexedMonths, count: number): boolean {
  return count >= Math.min(0.75 * months.count, MAX_MONTHS);
}

/**
 * Returns how many months to search in all, when the newest ones had too few matches; may be more than there are. It
 * expects as many matches a day as in the searched months, the newest of which may have just begun.
 */
export function nextMonthCount(
  { newest }: IndexedMonths,
  { searched, found, limit }: { searched: number; found: number; limit: number },
): number {
  const start = Date.UTC(newest.getUTCFullYear(), newest.getUTCMonth() - searched + 1, 1);
  const factor = Math.max(2, (1.25 * limit) / Math.max(1, found));
  const span = factor * Math.max(DAY_MS, newest.getTime() - start);
  const wanted = new Date(Math.max(EARLIEST, newest.getTime() - span));
  return Math.max(searched + 1, 1 + monthNumber(newest) - monthNumber(wanted));
}

/** Reads the newest records that match a condition. */
async function readNewest(db: Queryable, condition: SQL, limit: number): Promise<FoundRecord[]> {
  // With `offset 0` the planner cannot read in the order of time, which is slow for rare words.
  const { rows } = await db.execute<FoundRecord>(sql`
    select connection_id, entity, id, occurred_at, person, labels from (
      select e.* from search_entries e where ${condition} offset 0
    ) e order by occurred_at desc, id limit ${limit}`);
  return rows;
}

/**
 * Finds the newest matches.
 * @param months from `readMonths` @param limit largest number of matches
 */
export async function findCandidates(
  db: Queryable,
  scope: SearchScope,
  {
    conditions,
    months,
    limit,
  }: { conditions: SearchConditions; months: IndexedMonths | undefined; limit: number },
): Promise<FoundRecord[]> {
  if (!months) return readNewest(db, matchCondition(scope, conditions), limit);
  const found: FoundRecord[] = [];
  const add = async (condition: SQL) => {
    found.push(...(await readNewest(db, condition, limit - found.length)));
    return found.length >= limit;
  };
  if (months.future) {
    const tests = [...conditions.tests, sql`e.occurred_at >= ${months.future}`];
    if (await add(matchCondition(scope, { ...conditions, tests }))) return found;
  }
  for (let searched = 0, next = months.first; ; ) {
    if (shouldSearchAll(months, next)) {
      await add(restCondition(scope, conditions, { months, searched }));
      return found;
    }
    if (await add(matchCondition(scope, conditions, { months: monthsBack(months, searched, next) })))
      return found;
    [searched, next] = [next, nextMonthCount(months, { searched: next, found: found.length, limit })];
  }
}
