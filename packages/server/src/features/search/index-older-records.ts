import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { Isolated } from '../../platform/jobs/isolated.ts';
import { BACKFILL_JOBS, type QueueDefinition } from '../../platform/jobs/jobs.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import {
  connectionIdsOf,
  isRecordOf,
  type RecordSet,
  type RecordSource,
  tableOf,
  textArray,
} from '../records/index.ts';
import { type SearchedEntity, searchedEntities } from './entry.ts';
import { indexFunctionOf } from './triggers.ts';

/** Queue of the job that indexes records stored by earlier versions; all processes together run one at a time. */
export const SEARCH_INDEX_QUEUE: QueueDefinition = { name: 'search-index', ...BACKFILL_JOBS };

/** Records indexed in one transaction, which holds their rows locked for less than a second. */
const STEP_RECORDS = 300;
interface PendingRow extends Record<string, unknown> {
  user_id: string;
  connection_id: string;
  entity: string;
  after: string;
}

interface PendingSource extends RecordSource {
  after: string;
}

/** Lists the sources with records to index, those that are least advanced first. */
async function listPending(db: Queryable): Promise<PendingSource[]> {
  const { rows } = await db.execute<PendingRow>(
    sql`select user_id, connection_id, entity, after from search_pending order by after, user_id`,
  );
  return rows.map((row) => ({
    userId: row.user_id,
    connectionId: row.connection_id,
    entity: row.entity,
    after: row.after,
  }));
}

function isPending({ userId, connectionId, entity }: RecordSource): SQL {
  return sql`user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity}`;
}

/** Indexes the next records of a source in the order of their ids. Removes the source from the list after the last one. */
async function indexNext(db: Database, source: PendingSource, entity: SearchedEntity): Promise<void> {
  const { userId, connectionId } = source;
  await db.transaction(async (tx) => {
    // Locked, so that a run that updates a record at the same time does not leave its older words in the index.
    const { rows } = await tx.execute<{ id: string }>(sql`
      select r.id from ${tableOf(source)} r where ${isRecordOf(source)} and r.id > ${source.after}
      order by r.id limit ${STEP_RECORDS} for share`);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0)
      await tx.execute(
        sql`select ${sql.raw(indexFunctionOf(entity))}(${userId}, ${connectionId}, ${textArray(ids)})`,
      );
    if (ids.length < STEP_RECORDS)
      await tx.execute(sql`delete from search_pending where ${isPending(source)}`);
    else await tx.execute(sql`update search_pending set after = ${ids.at(-1)} where ${isPending(source)}`);
  });
}

/**
 * Indexes all records of the pending sources, one step of each at a time. A killed process loses at most one step.
 * @throws AggregateError after all others when sources fail
 */
export async function indexPending(
  { db, log }: Pick<Context, 'db' | 'log'>,
  entities: readonly SearchedEntity[],
  isStopped: () => boolean = () => false,
): Promise<void> {
  const isolated = new Isolated<PendingSource>(log, 'the search index of a source', nameOf);
  for (;;) {
    const pending = isolated.withoutFailed(await listPending(db));
    if (pending.length === 0 || isStopped()) break;
    await isolated.forEach(pending, async (source) => {
      if (isStopped()) return;
      const entity = entities.find(({ id }) => id === source.entity);
      if (entity) await indexNext(db, source, entity);
      else await db.execute(sql`delete from search_pending where ${isPending(source)}`);
    });
  }
  isolated.throwIfFailed();
}

function nameOf({ userId, connectionId, entity }: RecordSource): string {
  return `${userId}/${connectionId}/${entity}`;
}

/** Enqueues the job that indexes records whose words changed, and replaces a running one. */
export async function startSearchIndex(db: Database, jobs: Context['jobs']): Promise<void> {
  await db.transaction((tx) => jobs.replace(SEARCH_INDEX_QUEUE.name, {}, { singletonKey: 'all', db: tx }));
}

/** Indexes older records in this process. Enqueues the job at once, because an update may have left some. */
export async function workOnSearchIndex(context: Context, registry: ConnectorRegistry): Promise<void> {
  const { db, jobs } = context;
  await startSearchIndex(db, jobs);
  await jobs.work(SEARCH_INDEX_QUEUE.name, { concurrency: 1 }, async ({ signal }) => {
    await indexPending(context, searchedEntities(registry.entities()), () => signal.aborted);
    signal.throwIfAborted();
  });
}

/** How many records of an entity are in the index, while some are not. */
export interface IndexProgress {
  entityLabel: string;
  indexed: number;
  total: number;
}

/** Counts the records of a user, or of one set, by entity, of entities with records that cannot be found yet. */
export async function readIndexProgress(
  db: Queryable,
  userId: string,
  only?: RecordSet,
): Promise<IndexProgress[]> {
  const ofSet = only && sql` and connection_id = any(${connectionIdsOf(only)}) and entity = ${only.entity}`;
  const isCounted = sql`user_id = ${userId}${ofSet ?? sql``}`;
  const { rows } = await db.execute<PendingRow>(
    sql`select user_id, connection_id, entity, after from search_pending where ${isCounted}`,
  );
  const left = new Map<string, number>();
  for (const { connection_id: connectionId, entity, after } of rows) {
    const source = { userId, connectionId, entity };
    const { rows: counted } = await db.execute<{ count: number }>(
      sql`select count(*)::int as count from ${tableOf(source)} r where ${isRecordOf(source)} and r.id > ${after}`,
    );
    left.set(entity, (left.get(entity) ?? 0) + (counted[0]?.count ?? 0));
  }
  if (left.size === 0) return [];
  const { rows: totals } = await db.execute<{ entity: string; total: number }>(
    sql`select entity, sum(records)::int as total from record_versions where ${isCounted} group by entity`,
  );
  return [...left].flatMap(([entityLabel, count]) => {
    const total = Math.max(totals.find(({ entity }) => entity === entityLabel)?.total ?? 0, count);
    return count === 0 ? [] : [{ entityLabel, indexed: total - count, total }];
  });
}

/** Returns how many records cannot be found yet. */
export function unindexedOf(progress: readonly IndexProgress[]): number {
  return progress.reduce((sum, { indexed, total }) => sum + total - indexed, 0);
}
