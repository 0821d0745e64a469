import type { ReachableRun } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isId } from '../../platform/ids.ts';
import { connectionIdsOf, type RecordSet, textArray } from '../records/index.ts';

/** Records whose past is read: entities of the same accounts. */
export interface ReadSources {
  set: Pick<RecordSet, 'userId' | 'accounts'>;
  entities: readonly string[];
}

/** Returns the condition that a run `s` belongs to one of the sources. */
function isOfSources({ set, entities }: ReadSources): SQL {
  return sql`s.user_id = ${set.userId} and s.connection_id = any(${connectionIdsOf(set)}) and s.entity = any(${textArray(entities)})`;
}

/**
 * Returns the condition that a run `s` changed records after the run `e` had ended. Runs of a source follow one another; those of
 * others are compared by their ends.
 */
const IS_LATER = sql`(s.status = 'started' or case when s.connection_id = e.connection_id and s.entity = e.entity
  then s.number > e.number else (s.updated_at, s.number) > (e.updated_at, e.number) end)`;

/** Selects the runs of one entity after the end of a run: their `id`, `connection_id` and `number`. */
export function runsAfter(set: ReadSources['set'], entity: string, syncId: string): SQL {
  return sql`
    select s.id, s.connection_id, s.number from syncs e join syncs s on ${isOfSources({ set, entities: [entity] })}
    where e.user_id = ${set.userId} and e.id = ${syncId} and ${IS_LATER}`;
}

/**
 * Checks that the records of sources can be read as they were when a run had ended.
 * @returns when it ended
 * @throws AppError not-found for an unknown run; validation-failed for a running one, and one whose later undo logs are gone
 */
export async function requireReach(db: Queryable, sources: ReadSources, syncId: string): Promise<Date> {
  const { userId } = sources.set;
  const { rows } = await db.execute<{ status: string; at: number; is_cut: boolean }>(sql`
    select e.status, (extract(epoch from e.updated_at) * 1000)::float8 as at, exists (select from syncs s where ${isOfSources(sources)} and not s.undoable and ${IS_LATER}) as is_cut
    from syncs e where e.user_id = ${userId} and e.id = ${isId(syncId) ? syncId : null}`);
  const [run] = rows;
  if (!run) throw notFound('This run');
  if (run.status === 'started') throw refused('This run has not ended yet.');
  if (run.is_cut)
    throw refused('This run is too old: the changes of later runs are no longer kept. Choose a newer one.');
  return new Date(run.at);
}

function refused(message: string): AppError {
  return new AppError('validation-failed', message, { fields: { run: message } });
}

type RunRow = {
  id: string;
  number: number;
  at: number;
  entity: string;
  connection_id: string;
  counters: Record<string, unknown>;
  total: number;
  is_cut: boolean;
};

/**
 * Lists the runs of sources as of whose end their records can be read, newest first.
 * @returns also their number, and whether older runs cannot be chosen any more
 */
export async function listReachableRuns(
  db: Queryable,
  sources: readonly [ReadSources, ...ReadSources[]],
  page: { limit: number; offset: number },
): Promise<{ results: ReachableRun[]; count: number; isCut: boolean }> {
  // The newest run whose undo log is gone: as of its end all later changes are kept.
  const { rows } = await db.execute<RunRow>(sql`
    with s as materialized (select s.* from syncs s where ${sql.join(
      sources.map((one) => sql`(${isOfSources(one)})`),
      sql` or `,
    )}),
    cut as (select updated_at, number from s where not undoable order by updated_at desc, number desc limit 1),
    reached as (
      select s.* from s left join cut on true
      where s.status <> 'started' and (cut.number is null or (s.updated_at, s.number) >= (cut.updated_at, cut.number))
    )
    select id, number, (extract(epoch from updated_at) * 1000)::float8 as at, entity, connection_id, counters, (select count(*)::int from reached) as total,
      exists (select from s where not undoable) as is_cut
    from reached order by updated_at desc, number desc limit ${page.limit} offset ${page.offset}`);
  const accounts = new Map(
    sources.flatMap(({ set }) => set.accounts).map(({ connectionId, account }) => [connectionId, account]),
  );
  const numberOf = (counters: Record<string, unknown>, name: string) => Number(counters[name] ?? 0);
  const results = rows.map((row) => ({
    _id: row.id,
    number: row.number,
    at: new Date(row.at).toISOString(),
    entityLabel: row.entity,
    account: accounts.get(row.connection_id) ?? '',
    added: numberOf(row.counters, 'added'),
    updated: numberOf(row.counters, 'updated'),
    removed: numberOf(row.counters, 'removed'),
  }));
  return { results, count: rows[0]?.total ?? 0, isCut: rows[0]?.is_cut ?? false };
}
