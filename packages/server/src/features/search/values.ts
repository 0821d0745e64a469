import type { SearchValues } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { readLabelNames, textArray } from '../records/index.ts';
import { findScope, type SearchScope } from './scope.ts';

/** Timeout of each statement, ms. */
const STATEMENT_MS = 2000;
const MAX_VALUES = 10;
/** Newest records by which values are ordered. */
const RECENT_RECORDS = 1000;

/** Operators of the index whose values an operator takes. */
export const VALUES_OF = {
  from: ['from'],
  // People who write are also those to whom one writes.
  to: ['from'],
  author: ['author'],
  label: ['label'],
  in: ['label'],
  repo: ['repo'],
} as const;

/** Returns the names of accounts that have a text, in any case: those that begin with it first. */
function accountValues({ accounts }: SearchScope, text: string): SearchValues {
  const wanted = text.toLowerCase();
  const names = [
    ...new Set(accounts.flatMap(({ title, account }) => (title === '' ? [account] : [title, account]))),
  ];
  const found = names.filter((name) => name.toLowerCase().includes(wanted));
  const begins = (name: string) => Number(name.toLowerCase().startsWith(wanted));
  const sorted = found.sort((one, other) => begins(other) - begins(one) || one.localeCompare(other));
  return sorted.slice(0, MAX_VALUES).map((value) => ({ value }));
}

/**
 * Returns values of an operator that have a text, in any case and with or without accents: those that begin with it first,
 * then the most frequent of the newest records.
 */
export async function readValues(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; operator: keyof typeof VALUES_OF | 'account'; text: string },
): Promise<SearchValues> {
  const { userId, operator } = request;
  const scope = await findScope(context.db, registry, { userId });
  const text = request.text;
  if (operator === 'account') return accountValues(scope, text);
  return readBounded(context.db, STATEMENT_MS, async (db) => {
    const labels = VALUES_OF[operator][0] === 'label' ? await readLabelNames(db, registry, scope) : undefined;
    const known = labels?.all ?? [];
    const columns = [
      sql`${textArray(known.map(({ connectionId }) => connectionId))}::uuid[]`,
      textArray(known.map(({ id }) => id)),
      textArray(known.map(({ name }) => name)),
    ];
    const isOwn = sql`user_id = ${userId} and connection_id = any(${textArray(scope.connectionIds)}::uuid[])`;
    const { rows } = await db.execute<{ value: string }>(sql`
      with recent as materialized (
        select one as value, count(*) as records from (
          select person, labels from search_entries where ${isOwn} order by occurred_at desc limit ${RECENT_RECORDS}
        ) newest cross join lateral unnest(labels || person) one group by one
      ), known as (
        select coalesce(l.name, v.value) as value, sum(recent.records) as records from (
          select distinct connection_id, value from search_values where ${isOwn} and operator = any(${textArray(VALUES_OF[operator])})
        ) v
        left join unnest(${sql.join(columns, sql`, `)}) l(connection_id, id, name)
          on l.connection_id = v.connection_id and l.id = v.value
        left join recent on recent.value = v.value
        group by 1
      ), folded as (select *, lower(unaccent(value)) as plain, lower(unaccent(${text})) as wanted from known)
      select value from folded where strpos(plain, wanted) > 0
      order by starts_with(plain, wanted) desc, records desc nulls last, value limit ${MAX_VALUES}`);
    return rows.map(({ value }) => ({ value }));
  });
}
