import { SEARCH_BOUNDS } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import { textArray } from '../sync/index.ts';
import type { SearchScope } from './scope.ts';
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
  occurred_at: Date;
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

/** Months that are searched first, and then, when they have fewer than the candidates that are ranked. */
const WINDOW_MONTHS = [3, 24] as const;
/** Smaller indexes are searched at once. */
const LARGE_INDEX = 50_000;

/** Returns the condition on rows `e`: those of the scope that match. @param months to which it is limited, empty for all */
export function isMatch(
  scope: SearchScope,
  { words, tests }: SearchConditions,
  months: readonly string[] = [],
): SQL {
  const { userId, connectionIds, entity } = scope;
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
      ...(isWithoutWords ? [] : [sql`e.terms @@ (${sql.join(queries, sql` && `)})`]),
      ...tests,
    ],
    sql` and `,
  );
}

/** Returns the months of a window that ends in a month, as the index names them. */
function monthsUntil(end: Date, count: number): string[] {
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

/**
 * Returns the months to look at, one list after the other; an empty list means all. In a large index the newest months come
 * first: of a frequent word, reading all matches only to find the newest would take too long.
 */
export async function readWindows(db: Queryable, userId: string, now: number): Promise<readonly string[][]> {
  const { rows } = await db.execute<{ is_large: boolean; newest: Date | null }>(sql`
    select (select coalesce(sum(records), 0) > ${LARGE_INDEX} from record_versions where user_id = ${userId}) as is_large,
      (select max(occurred_at) from search_entries where user_id = ${userId} and occurred_at <= ${new Date(now)}) as newest`);
  const { is_large: isLarge = false, newest = null } = rows[0] ?? {};
  if (!isLarge || newest === null) return [[]];
  return [...WINDOW_MONTHS.map((count) => monthsUntil(newest, count)), []];
}

/** Finds the newest matches, at most `SEARCH_BOUNDS.candidates`. @param windows from `readWindows` */
export async function findCandidates(
  db: Queryable,
  scope: SearchScope,
  { conditions, windows }: { conditions: SearchConditions; windows: readonly string[][] },
): Promise<FoundRecord[]> {
  let found: FoundRecord[] = [];
  for (const months of windows) {
    // With `offset 0` the planner cannot read in the order of time, which is slow for rare words.
    const { rows } = await db.execute<FoundRecord>(sql`
      select connection_id, entity, id, occurred_at, person, labels from (
        select e.* from search_entries e where ${isMatch(scope, conditions, months)} offset 0
      ) e order by occurred_at desc, id limit ${SEARCH_BOUNDS.candidates}`);
    found = rows;
    if (found.length >= SEARCH_BOUNDS.candidates) break;
  }
  return found;
}
