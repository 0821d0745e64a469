import type { ChangedRecord, ChangeKind, RecordVersion } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import type { RecordSource, StoredEntity } from './source.ts';
import { textArray } from './text-array.ts';

/** A run whose undo log is kept. Lists of these are ordered from oldest to newest, without gaps. */
export interface LoggedRun {
  id: string;
  /** The user's running number of the sync. */
  number: number;
  /** When the run ended, ISO. */
  at: string;
}

/** A record source with the declaration of its entity. */
export interface LoggedSource extends RecordSource {
  declared: StoredEntity;
}

/** Returns the expression for the title of the row `r`. */
const titleOf = ({ declared }: LoggedSource): SQL =>
  sql`coalesce(r.${sql.identifier(declared.table.title)}, '')`;

/** Selects the undo log of a run: records that existed before it, and records that it added. @param only a record id */
function logOf(source: LoggedSource, run: SQL, only?: string): SQL {
  const one = (column: SQL) => (only === undefined ? sql`` : sql` and ${column} = ${only}`);
  const { userId } = source;
  return sql`
    select id, sync_id, true as existed, hash, created_sync, changed_sync from record_undo
    where user_id = ${userId} and sync_id = ${run}${one(sql`id`)}
    union
    select id, sync_id, false, null, null, null from record_added, unnest(external_ids) id
    where user_id = ${userId} and sync_id = ${run}${one(sql`id`)}`;
}

/**
 * Builds the CTEs that end in `c`: the records a run touched, with their state before and after it. The state before is
 * in the run's undo log; the state after is in the undo log of the next run that touched the record, otherwise in the
 * stored record.
 */
function touched(source: LoggedSource, syncId: string, later: readonly string[], only?: string): SQL {
  return sql`
    u as materialized (
      ${logOf(source, sql`${syncId}::uuid`, only)}
    ), n as materialized (
      select distinct on (v.id) v.id, v.sync_id, v.existed, v.hash
      from unnest(${textArray(later)}::uuid[]) with ordinality l(id, run_index)
      cross join lateral (${logOf(source, sql`l.id`, only)}) v
      where v.id in (select id from u)
      order by v.id, l.run_index
    ), r as materialized (
      select r.id, r.hash, r.occurred_at, ${titleOf(source)} as title from ${tableOf(source)} r
      where ${isRecordOf(source)} and r.id in (select id from u)
    ), c as (
      select u.id, n.sync_id as next_sync, r.occurred_at, r.title as title_now,
        case
          when not u.existed and is_there then 'added'
          when u.existed and not is_there then 'removed'
          when u.existed and is_there and u.hash is distinct from case when n.id is null then r.hash else n.hash end
            then 'updated'
        end as kind
      from u left join n using (id) left join r using (id)
      cross join lateral (select coalesce(n.existed, r.id is not null) as is_there) there
    )`;
}

/** Builds the join of the pre-image that a run saved of a record. @param record the statement's alias for the record */
function preImage({ userId }: LoggedSource, alias: 'a' | 'b', syncId: SQL, record: 'c' | 'p' = 'p'): SQL {
  const name = (column: string) => sql.raw(`${alias}.${column}`);
  return sql`record_undo ${sql.raw(alias)} on ${name('user_id')} = ${userId} and ${name('sync_id')} = ${syncId} and ${name('id')} = ${sql.raw(record)}.id`;
}

/** Reads a page of the records that a run changed: updated, added, then removed ones, each newest first. */
export async function readChanges(
  db: Queryable,
  source: LoggedSource,
  run: { id: string; later: readonly LoggedRun[] },
  page: { kind: ChangeKind | undefined; limit: number; offset: number },
): Promise<{ results: ChangedRecord[]; counts: Record<ChangeKind, number> }> {
  const later = run.later.map(({ id }) => id);
  // Titles come from whole rows, so they are read only for the records of the page.
  const titleIn = (alias: 'a' | 'b') =>
    sql`nullif(${sql.raw(alias)}.row->>${source.declared.table.title}::text, '')`;
  const wanted = page.kind === undefined ? sql`` : sql` and kind = ${page.kind}`;
  const { rows } = await db.execute<{
    results: ChangedRecord[] | null;
    counts: Partial<Record<ChangeKind, number>> | null;
  }>(sql`
    with ${touched(source, run.id, later)}
    select
      (select json_agg(json_build_object('recordId', p.id, 'title', coalesce(
          nullif(case when p.next_sync is null then p.title_now else ${titleIn('a')} end, ''), ${titleIn('b')}, p.title_now, ''), 'kind', p.kind)
        order by array_position(array['updated', 'added', 'removed'], p.kind), p.occurred_at desc nulls last, p.id) from (
          select * from c where kind is not null${wanted}
          order by array_position(array['updated', 'added', 'removed'], kind), occurred_at desc nulls last, id
          limit ${page.limit} offset ${page.offset}) p
        left join ${preImage(source, 'b', sql`${run.id}`)} left join ${preImage(source, 'a', sql`p.next_sync`)}) as results,
      (select json_object_agg(kind, count) from
        (select kind, count(*)::int as count from c where kind is not null group by kind) k) as counts`);
  const [row] = rows;
  return {
    results: row?.results ?? [],
    counts: { added: 0, updated: 0, removed: 0, ...row?.counts },
  };
}

/** Reads a record before and after a run; returns undefined when the run did not change it. */
export async function readChange(
  db: Queryable,
  source: LoggedSource,
  run: { id: string; later: readonly LoggedRun[] },
  recordId: string,
): Promise<{ kind: ChangeKind; before: unknown; after: unknown } | undefined> {
  const later = run.later.map(({ id }) => id);
  const { rows } = await db.execute<{ kind: ChangeKind; before: unknown; after: unknown }>(sql`
    with ${touched(source, run.id, later, recordId)}
    select c.kind, b.row->'data' as before, case when c.next_sync is null then r.data else a.row->'data' end as after
    from c
    left join ${preImage(source, 'b', sql`${run.id}`, 'c')}
    left join ${preImage(source, 'a', sql`c.next_sync`, 'c')}
    left join ${tableOf(source)} r on ${isRecordOf(source)} and r.id = c.id
    where c.kind is not null`);
  return rows[0];
}

interface State {
  /** The run whose undo log holds this state; null for the present state. */
  sync_id: string | null;
  existed: boolean;
  hash: string | null;
  title: string;
  created: string | null;
  changed: string | null;
}

/** Reads the states of a record, from the oldest one kept to the present one. */
async function statesOf(
  db: Queryable,
  source: LoggedSource,
  runs: readonly LoggedRun[],
  recordId: string,
): Promise<State[]> {
  const ids = runs.map(({ id }) => id);
  const { rows } = await db.execute<Record<string, unknown> & State>(sql`
    select sync_id, existed, hash, title, created_sync as created, changed_sync as changed from (
      select l.run_index, v.*, coalesce((select b.row->>${source.declared.table.title}::text from record_undo b
        where b.user_id = ${source.userId} and b.sync_id = v.sync_id and b.id = v.id), '') as title from unnest(${textArray(ids)}::uuid[]) with ordinality l(id, run_index)
      cross join lateral (${logOf(source, sql`l.id`, recordId)}) v
      union all
      select null, r.id, null, true, r.hash, r.created_sync, r.changed_sync, ${titleOf(source)} from ${tableOf(source)} r
      where ${isRecordOf(source)} and r.id = ${recordId}
    ) s order by run_index nulls last`);
  const isStored = rows.at(-1)?.sync_id === null;
  if (isStored || rows.length === 0) return rows;
  const gone: State = { sync_id: null, existed: false, hash: null, title: '', created: null, changed: null };
  return [...rows, gone];
}

/**
 * Reads the kept versions of a record, newest first, each with the run that stored it.
 * @param runs all runs of the entity whose undo log is kept, oldest first
 * @param findRun finds a run by id, including runs whose log is no longer kept
 * @returns undefined for an unknown record
 */
export async function readVersions(
  db: Queryable,
  source: LoggedSource,
  runs: readonly LoggedRun[],
  request: { recordId: string; findRun(syncId: string): Promise<LoggedRun | undefined> },
): Promise<{ title: string; results: RecordVersion[] } | undefined> {
  const states = await statesOf(db, source, runs, request.recordId);
  const [first] = states;
  if (!first) return undefined;
  const toSync = (run: LoggedRun | undefined): RecordVersion['sync'] =>
    run ? { _id: run.id, number: run.number, at: run.at } : null;
  const results: RecordVersion[] = [];
  if (first.existed && first.changed !== null)
    results.push({ kind: 'kept', sync: toSync(await request.findRun(first.changed)) });
  for (const [index, before] of states.slice(0, -1).entries()) {
    const after = states[index + 1] as State;
    const kind = kindOf(before, after);
    if (kind) results.push({ kind, sync: toSync(runs.find(({ id }) => id === before.sync_id)) });
  }
  const title = states.findLast((state) => state.title !== '')?.title ?? '';
  return { title, results: results.reverse() };
}

function kindOf(before: State, after: State): ChangeKind | undefined {
  if (!before.existed) return after.existed ? 'added' : undefined;
  if (!after.existed) return 'removed';
  return before.hash === after.hash ? undefined : 'updated';
}
