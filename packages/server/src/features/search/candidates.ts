import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { textArray } from '../records/index.ts';
import { isOfNewestCopy, type SearchedCopies } from './copies.ts';
import { CONNECTION_PREFIX, MONTH_PREFIX } from './entry.ts';
import type { SearchScope } from './scope.ts';
import type { SearchTerms } from './terms.ts';

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

/** What identifies a record of a user. */
export type RecordKey = Pick<FoundRecord, 'connection_id' | 'entity' | 'id'>;

/** Returns the key of a record over all connections and entities. */
export function keyOf({ connection_id, entity, id }: RecordKey): string {
  return `${connection_id} ${entity} ${id}`;
}

/** Records in the months that are searched first. */
const FIRST_RECORDS = 2500;
/** Smaller indexes are searched at once. */
const LARGE_INDEX = 50_000;
/** Largest number of months that a condition names. */
const MAX_MONTHS = 120;
/** How much longer it takes to read a match than to look at a record in the months of a condition. */
const MATCH_COST = 4;

/** The months with records of a user, back from the newest one. */
export interface IndexedMonths {
  newest: Date;
  /** Number of the user's records, also of those that are too new to match. */
  records: number;
  /** Months that are searched first; undefined if these are all that a condition can name. */
  first: number | undefined;
  /** The start of the month after them, if records of the future may match. */
  future: Date | undefined;
}

/** Months as the index names them, e.g. 2026-11. */
type Months = readonly string[];

/**
 * Returns the condition on rows `e`: those of the scope that match.
 * @param months to which it is limited; an empty list sets no limit
 */
export function matchCondition(
  scope: SearchScope,
  { words, tests }: SearchConditions,
  months: Months = [],
): SQL {
  const { userId, connectionIds, entity, former } = scope;
  const any = (prefix: string, texts: readonly string[]) =>
    sql`(select search_any(search_lexeme(${prefix}::text || one, false)) from unnest(${textArray(texts)}) one)`;
  const queries = [
    ...(words === null ? [] : [sql`${words}::tsquery`]),
    any(CONNECTION_PREFIX, connectionIds),
    ...(months.length === 0 ? [] : [any(MONTH_PREFIX, months)]),
  ];
  // Conditions without words are read by other indexes: those of times and of parts of words.
  const isWithoutWords = words === null && months.length === 0 && tests.length > 0;
  return sql.join(
    [
      sql`e.user_id = ${userId}`,
      sql`e.connection_id = any(${textArray(connectionIds)}::uuid[])`,
      ...(entity === undefined ? [] : [sql`e.entity = ${entity}`]),
      ...(former.length === 0 ? [] : [sql`e.entity <> all(${textArray(former)})`]),
      ...(isWithoutWords ? [] : [sql`e.terms @@ (${sql.join(queries, sql` && `)})`]),
      ...tests,
    ],
    sql` and `,
  );
}

/** Returns months from the newest one back. @param from months to leave out @param to number of months with those left out */
export function monthsBack({ newest }: IndexedMonths, from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) =>
    startOfMonth(newest, from + index)
      .toISOString()
      .slice(0, 7),
  );
}

/** Returns the start of a month, in UTC. @param back how many months before that of `time` */
function startOfMonth(time: Date, back: number): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - back, 1));
}

/** Returns the condition that a record is older than these months; of none, that it is not of the future. */
function isOlderThan({ newest }: IndexedMonths, count: number): SQL {
  return sql`e.occurred_at < ${startOfMonth(newest, count - 1)}`;
}

const monthNumber = (time: Date) => time.getUTCFullYear() * 12 + time.getUTCMonth();

/** Returns how many months it takes back to a time; undefined if a condition cannot name them all. */
function monthsTo(newest: Date, time: string | null): number | undefined {
  const count = time === null ? undefined : 1 + monthNumber(newest) - monthNumber(new Date(time));
  return count !== undefined && count <= MAX_MONTHS ? count : undefined;
}

/** Returns a query for the time of a user's record that so many are newer than; none if there are fewer. */
function timeOfRecord(userId: string, { until, newer }: { until: Date; newer: number }): SQL {
  return sql`(select occurred_at from search_entries where user_id = ${userId} and occurred_at <= ${until}
    order by occurred_at desc offset ${Math.ceil(newer)} limit 1)`;
}

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
  const records = sizes[0]?.records ?? 0;
  if (records <= LARGE_INDEX) return undefined;
  const own = sql`from search_entries where user_id = ${userId}`;
  // The first months by a number of records, not by age: senders without a clock write mails of 1970.
  const { rows } = await db.execute<{ newest: string | null; first: string | null; last: string | null }>(sql`
    select (select max(occurred_at) ${own} and occurred_at <= ${new Date(until)}) as newest,
      ${timeOfRecord(userId, { until: new Date(until), newer: FIRST_RECORDS })} as first,
      (select max(occurred_at) ${own}) as last`);
  const { newest: newestText = null, first: firstText = null, last = null } = rows[0] ?? {};
  if (newestText === null || last === null) return undefined;
  const newest = new Date(newestText);
  const first = monthsTo(newest, firstText);
  const next = startOfMonth(newest, -1);
  const future = until >= now && new Date(last) >= next ? next : undefined;
  return { newest, records, first, future };
}

/**
 * Returns how many months to search in all, when the first ones had too few matches. Returns undefined for all months:
 * when matches are rare, the index of the words finds them sooner than it looks at all records of many months.
 * @param found matches in the first months @param limit number of wanted matches
 */
async function nextMonthCount(
  db: Queryable,
  userId: string,
  { months, found, limit }: { months: IndexedMonths; found: number; limit: number },
): Promise<number | undefined> {
  const { newest, records, first } = months;
  if (found === 0 || first === undefined) return undefined;
  const { rows } = await db.execute<{ searched: number }>(sql`
    select count(*)::float8 as searched from search_entries
    where user_id = ${userId} and occurred_at <= ${newest} and occurred_at >= ${startOfMonth(newest, first - 1)}`);
  const share = found / Math.max(found, rows[0]?.searched ?? 0);
  // Some more than on average, so that the next months are rarely too few again.
  const wanted = (1.25 * limit) / share;
  if (wanted >= Math.min(0.75 * records, MATCH_COST * share * records)) return undefined;
  const { rows: times } = await db.execute<{ time: string | null }>(
    sql`select ${timeOfRecord(userId, { until: newest, newer: wanted })} as time`,
  );
  const count = monthsTo(newest, times[0]?.time ?? null);
  return count === undefined ? undefined : Math.max(first + 1, count);
}

/**
 * Yields how many of the newest months to search in all: the first ones, then as many as `limit` matches suggest, unless these
 * are too rare. The caller stops when it has enough, and searches without months when the last number was not enough.
 * @param request.found returns the number of matches so far @param request.limit number of wanted matches
 */
export async function* monthCounts(
  db: Queryable,
  userId: string,
  { months, found, limit }: { months: IndexedMonths; found: () => number; limit: number },
): AsyncGenerator<number, void> {
  if (months.first === undefined) return;
  yield months.first;
  const next = await nextMonthCount(db, userId, { months, found: found(), limit });
  if (next !== undefined) yield next;
}

/**
 * Selects the newest entries `e` that match a condition, of each record the newest copy: among the newest entries, as many times
 * as copies, there are enough records.
 */
export function newestEntries(condition: SQL, copies: SearchedCopies, limit: number): SQL {
  // With `offset 0` the planner cannot read in the order of time, which is slow for rare words.
  const newest = (count: number) => sql`
    select connection_id, entity, id, occurred_at, person, labels, facts from (
      select e.* from search_entries e where ${condition} offset 0
    ) e order by occurred_at desc, id limit ${count}`;
  const isNewest = isOfNewestCopy(copies);
  if (isNewest === undefined) return newest(limit);
  return sql`select * from (${newest(limit * copies.most)}) e where ${isNewest} order by occurred_at desc, id limit ${limit}`;
}

/** Reads the newest records that match a condition. */
async function readNewest(
  db: Queryable,
  condition: SQL,
  { copies, limit }: { copies: SearchedCopies; limit: number },
): Promise<FoundRecord[]> {
  const { rows } = await db.execute<FoundRecord>(newestEntries(condition, copies, limit));
  return rows;
}

/**
 * Finds the newest matches.
 * @param months from `readMonths` @param limit largest number of matches
 * @returns the matches, and whether so many were found without searching all months
 */
export async function findCandidates(
  { db, scope, copies }: { db: Queryable; scope: SearchScope; copies: SearchedCopies },
  {
    conditions,
    months,
    limit,
  }: { conditions: SearchConditions; months: IndexedMonths | undefined; limit: number },
): Promise<{ found: FoundRecord[]; isFrequent: boolean }> {
  if (!months) {
    const all = await readNewest(db, matchCondition(scope, conditions), { copies, limit });
    return { found: all, isFrequent: false };
  }
  const found: FoundRecord[] = [];
  const add = async (test: SQL[], names?: Months) => {
    const condition = matchCondition(scope, { ...conditions, tests: [...conditions.tests, ...test] }, names);
    found.push(...(await readNewest(db, condition, { copies, limit: limit - found.length })));
    return found.length >= limit;
  };
  if (months.future && (await add([sql`e.occurred_at >= ${months.future}`])))
    return { found, isFrequent: true };
  let searched = 0;
  for await (const count of monthCounts(db, scope.userId, { months, found: () => found.length, limit })) {
    if (await add([], monthsBack(months, searched, count))) return { found, isFrequent: true };
    searched = count;
  }
  await add([isOlderThan(months, searched)]);
  return { found, isFrequent: false };
}
