import {
  type ChangeKind,
  PAGE_SIZES,
  type RecordChange,
  type RecordVersions,
  type SyncChanges,
} from '@datadeck/contract';
import { and, asc, eq } from 'drizzle-orm';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import {
  findRecord,
  findRecordSet,
  type LoggedRun,
  type LoggedSource,
  openRecords,
  type RecordSource,
  readChange,
  readChanges,
  readVersions,
  requirePrepared,
} from '../records/index.ts';
import { findSync } from './list.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncs } from './tables.ts';
import type { SyncRow } from './to-response.ts';

function toRun(row: Pick<SyncRow, 'id' | 'number' | 'updatedAt'>): LoggedRun {
  return { id: row.id, number: row.number, at: row.updatedAt.toISOString() };
}

/** Lists the runs of an entity whose undo log is kept, oldest first. */
async function loggedRuns(db: Queryable, source: RecordSource): Promise<LoggedRun[]> {
  const rows = await db
    .select({ id: syncs.id, number: syncs.number, updatedAt: syncs.updatedAt })
    .from(syncs)
    .where(and(isSyncStateOf(syncs, source), eq(syncs.undoable, true)))
    .orderBy(asc(syncs.number));
  return rows.map(toRun);
}

interface RunRequest {
  userId: string;
  /** Id of the sync. */
  id: string;
}

/** Finds a sync and the later runs whose undo log is kept. @throws AppError not-found, unavailable */
async function runOf(context: Context, registry: ConnectorRegistry, { userId, id }: RunRequest) {
  const sync = await findSync(context.db, userId, id);
  const declared = registry.entity(sync.provider, sync.entity);
  const source: LoggedSource = { userId, connectionId: sync.connectionId, entity: sync.entity, declared };
  await requirePrepared(context.db, source, { entity: declared });
  const runs = await loggedRuns(context.db, source);
  return { sync, source, run: { id, later: runs.filter(({ number }) => number > sync.number) } };
}

interface ChangesRequest extends RunRequest {
  kind: ChangeKind | '' | undefined;
  page: number;
}

/** Returns a page of the records that a sync changed. @throws AppError not-found, unavailable */
export async function listChanges(
  context: Context,
  registry: ConnectorRegistry,
  request: ChangesRequest,
): Promise<SyncChanges> {
  const { sync, source, run } = await runOf(context, registry, request);
  const kind = request.kind || undefined;
  const limit = PAGE_SIZES.results;
  const offset = (request.page - 1) * limit;
  const { results, counts } = await readChanges(context.db, source, run, { kind, limit, offset });
  const count = kind ? counts[kind] : counts.added + counts.updated + counts.removed;
  return { results, counts, count, isKept: sync.undoable };
}

/** Returns a record before and after a sync. @throws AppError not-found, unavailable */
export async function showChange(
  context: Context,
  registry: ConnectorRegistry,
  request: RunRequest & { record: string },
): Promise<RecordChange> {
  const { source, run } = await runOf(context, registry, request);
  const change = await readChange(context.db, source, run, request.record);
  if (!change) throw notFound('This change');
  return change;
}

/**
 * Returns the kept versions of a record, newest first: of its newest copy, or of that of the named account. A record that was
 * removed is looked for in each account.
 * @throws AppError not-found, unavailable
 */
export async function listVersions(
  context: Context,
  registry: ConnectorRegistry,
  request: {
    userId: string;
    providerId: string;
    entityLabel: string;
    account?: string | undefined;
    record: string;
  },
): Promise<RecordVersions> {
  const { userId, account } = request;
  const entity = registry.entity(request.providerId, request.entityLabel);
  const shown = await findRecordSet(context.db, registry, { userId, entity: entity.id, account });
  if (!shown) throw notFound('This record');
  const { set } = await openRecords(context.db, shown, { entity });
  const found = await findRecord(context.db, set, request.record);
  for (const { connectionId } of found ? [found] : set.accounts) {
    const source = { userId, connectionId, entity: entity.id, declared: entity };
    const versions = await readVersions(context.db, source, await loggedRuns(context.db, source), {
      recordId: request.record,
      findRun: async (syncId) => {
        const row = await findSync(context.db, userId, syncId).catch(() => undefined);
        return row && toRun(row);
      },
    });
    if (versions) return versions;
  }
  throw notFound('This record');
}
