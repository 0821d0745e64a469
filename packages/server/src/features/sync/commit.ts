import type { Completion, TableDefinition } from '@datadeck/connectors';
import { limitOf } from '@datadeck/contract';
import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import {
  countPresentAndListed,
  countScope,
  countWithinHorizon,
  deleteListedIds,
  deleteUndoLog,
  NO_REMOVAL,
  oldestInScope,
  oldestListed,
  type Removal,
  removeUnlisted,
  trimScope,
  type WriteTarget,
} from '../records/index.ts';
import { type Claim, ClaimLost, isHeldAtCheckpoint, isHeldBy, lockRun } from './claim.ts';
import {
  addClientUsage,
  type ClientUsage,
  countersSchema,
  receiptOf,
  recordsOf,
  withRemoval,
} from './counters.ts';
import { reportChangedRecords } from './records-changed.ts';
import { reportScheduledFailure } from './scheduled-failure.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncCursors, syncs } from './tables.ts';
import type { SyncRow } from './to-response.ts';
import { uncountRun } from './usage.ts';

/** Number of newest runs of an entity whose undo log is always kept. */
const MIN_UNDOABLE_RUNS = 10;
/** Undo logs of older runs are kept up to these totals of changed records and of runs. */
const MAX_LOGGED_RECORDS = 5000;
const MAX_LOGGED_RUNS = 200;

/** Returns the write target of a run. @param table the entity's, for what depends on the order of the records */
export function targetOf(run: SyncRow, table?: TableDefinition): WriteTarget {
  return {
    listedBy: table?.listedBy,
    userId: run.userId,
    connectionId: run.connectionId,
    entity: run.entity,
    syncId: run.id,
    scope: run.scope,
    isRestart: countersSchema.parse(run.counters).restarts > 0,
  };
}

/** Returns the column values common to all ended runs. */
const endedFields = () => ({ phase: 'done', updatedAt: new Date(), waitingUntil: null }) as const;

/** Stores the cursor of the scope. Deletes it when the run ended without one, so that the next run is a full one. */
async function saveCursor(
  tx: Queryable,
  run: SyncRow,
  completion: Completion,
  truncated: boolean,
): Promise<void> {
  const key = { userId: run.userId, connectionId: run.connectionId, entity: run.entity, scope: run.scope };
  if (completion.cursor === null) {
    await tx
      .delete(syncCursors)
      .where(and(isSyncStateOf(syncCursors, run), eq(syncCursors.scope, run.scope)));
    return;
  }
  const values = { cursor: completion.cursor, truncated, cap: run.cap, syncId: run.id };
  await tx
    .insert(syncCursors)
    .values({ ...key, ...values })
    .onConflictDoUpdate({
      target: [syncCursors.userId, syncCursors.connectionId, syncCursors.entity, syncCursors.scope],
      set: values,
    });
}

/** Deletes the undo logs of older runs. These runs can no longer be undone and their changes no longer be shown. */
async function pruneUndo(tx: Queryable, run: SyncRow): Promise<void> {
  const { rows: old } = await tx.execute<{ id: string }>(sql`
    select id from (
      select id, row_number() over newest as age,
        sum(coalesce((counters->>'updated')::int, 0) + coalesce((counters->>'removed')::int, 0)) over newest as logged
      from syncs
      where user_id = ${run.userId} and connection_id = ${run.connectionId} and entity = ${run.entity}
        and undoable and number <= ${run.number}
      window newest as (order by number desc)
    ) kept
    where age > ${MIN_UNDOABLE_RUNS} and (logged > ${MAX_LOGGED_RECORDS} or age > ${MAX_LOGGED_RUNS})`);
  for (const { id } of old) {
    await deleteUndoLog(tx, run.userId, id);
    await tx
      .update(syncs)
      .set({ undoable: false })
      .where(and(eq(syncs.userId, run.userId), eq(syncs.id, id)));
  }
}

/**
 * Thrown when an incremental run ends below the cap although the provider has more records: only a full run can find
 * them.
 */
export class ScopeNeedsFullRun extends Error {}

/** The end of a successful read, with the client usage since the last commit and the entity's table. */
type RunCompletion = Completion & { clientUsage: ClientUsage; table: TableDefinition };

/** The records of the scope at the end of a run. */
interface FinalScope {
  /** Number of records in the scope. */
  kept: number;
  /** Removed because a complete listing did not contain them. */
  unlisted: Removal;
  /** Removed because they were the oldest beyond the cap. */
  trimmed: Removal;
  /** True when the scope was already truncated before an incremental run. */
  wasTruncated: boolean;
}

/**
 * Removes records from the scope that a complete listing lacks or that exceed the cap.
 * @throws ScopeNeedsFullRun
 */
async function finalizeScope(tx: Queryable, run: SyncRow, completion: RunCompletion): Promise<FinalScope> {
  const target = targetOf(run, completion.table);
  const isIncremental = run.startCursor !== null;
  const { unreadable } = countersSchema.parse(run.counters);
  const { present, listed } = await countPresentAndListed(tx, target);
  // Every listed record is in the scope, so equal counts mean that nothing else is.
  const isAllListed = !isIncremental && present === listed && unreadable === 0;
  const keepsUnlisted = isIncremental || isAllListed || completion.isListPartial === true;
  const unlisted = keepsUnlisted ? NO_REMOVAL : await removeUnlisted(tx, target);
  // A full run may exceed its cap because records that could not be read keep their stored version.
  const { cap } = run;
  const isOver = cap !== null && present - unlisted.count > cap;
  const trimmed = isOver ? await trimScope(tx, target, cap) : NO_REMOVAL;
  const wasTruncated = isIncremental && (await cursorIsTruncated(tx, run));
  if (wasTruncated && (await countWithinHorizon(tx, target)) < limitOf(run.cap))
    throw new ScopeNeedsFullRun();
  return { kept: present - trimmed.count - unlisted.count, unlisted, trimmed, wasTruncated };
}

/** Returns the date of the oldest kept record when the cap cut off older ones. */
async function keptBackTo(
  tx: Queryable,
  run: SyncRow,
  { kept, table }: { kept: number; table: TableDefinition },
): Promise<{ keptBackTo?: string }> {
  const cap = limitOf(run.cap);
  const isCut = run.total !== null && run.total > cap && kept >= cap;
  const oldest = isCut ? await oldestInScope(tx, targetOf(run, table)) : undefined;
  return oldest === undefined ? {} : { keptBackTo: oldest.toISOString() };
}

/**
 * Finishes a successful run: removes records that the provider no longer has, applies the cap, stores the cursor and
 * the receipt.
 * @throws ClaimLost, ScopeNeedsFullRun
 */
export async function commitCompletion(
  context: Context,
  claim: Claim,
  run: SyncRow,
  completion: RunCompletion,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    await lockRun(tx, claim);
    const incremental = run.startCursor !== null;
    const { kept, unlisted, trimmed, wasTruncated } = await finalizeScope(tx, run, completion);
    const before = addClientUsage(countersSchema.parse(run.counters), completion.clientUsage);
    const counters = withRemoval(withRemoval(before, trimmed), unlisted);
    const summary = {
      ...receiptOf(counters, Date.now() - run.createdAt.getTime(), kept),
      cap: run.cap,
      incremental,
      ...(await keptBackTo(tx, run, { kept, table: completion.table })),
      ...(run.total === null ? {} : { total: run.total }),
    };
    const saved = await tx
      .update(syncs)
      .set({ status: 'finished', counters, summary, checkpoint: null, ...endedFields() })
      .where(isHeldAtCheckpoint(claim, run))
      .returning({ id: syncs.id });
    if (saved.length === 0) throw new ClaimLost();
    // A full run can also exceed the cap: kept unreadable records push out the oldest ones.
    const wasCut = incremental ? wasTruncated : completion.truncated;
    await saveCursor(tx, run, completion, wasCut || trimmed.count > 0);
    await deleteListedIds(tx, run.userId, run.id);
    await pruneUndo(tx, run);
    await reportChangedRecords(tx, context.jobs, run);
  });
}

async function cursorIsTruncated(tx: Queryable, run: SyncRow): Promise<boolean> {
  const [stored] = await tx
    .select({ truncated: syncCursors.truncated })
    .from(syncCursors)
    .where(and(isSyncStateOf(syncCursors, run), eq(syncCursors.scope, run.scope)));
  return stored?.truncated ?? false;
}

/** Restarts the run as a full run. Committed records stay; the new listing reads them again. @throws ClaimLost */
export async function commitRestart(context: Context, claim: Claim, run: SyncRow): Promise<SyncRow> {
  return context.db.transaction(async (tx) => {
    await deleteListedIds(tx, run.userId, run.id);
    const before = countersSchema.parse(run.counters);
    const counters = { ...before, restarts: before.restarts + 1 };
    const [saved] = await tx
      .update(syncs)
      .set({ startCursor: null, checkpoint: null, counters })
      .where(isHeldBy(claim))
      .returning();
    if (!saved) throw new ClaimLost();
    return saved;
  });
}

/** Returns the date down to which an interrupted full run is complete: runs list the newest records first. */
export async function completeBackTo(
  tx: Queryable,
  run: SyncRow,
  table: TableDefinition | undefined,
): Promise<{ completeBackTo?: string }> {
  const oldest = run.startCursor === null ? await oldestListed(tx, targetOf(run, table)) : undefined;
  return oldest === undefined ? {} : { completeBackTo: oldest.toISOString() };
}

/** The claim, client usage and error message of a run that its own worker is failing. */
interface FailingRun {
  claim: Claim;
  /** Client usage since the last commit, which only the worker knows. */
  clientUsage: ClientUsage;
  errMessage: string;
  jobs: Jobs;
  /** Undefined for an entity of an earlier version. */
  table: TableDefinition | undefined;
}

/**
 * Fails a run that the caller holds. Committed records stay. A run without records is not counted towards the month.
 * @throws ClaimLost when the run has already ended or the worker no longer holds it
 */
export async function commitFailure(
  tx: Queryable,
  run: SyncRow,
  { claim, clientUsage, errMessage, jobs, table }: FailingRun,
): Promise<void> {
  const counters = addClientUsage(countersSchema.parse(run.counters), clientUsage);
  const summary = {
    ...receiptOf(counters, Date.now() - run.createdAt.getTime(), await countScope(tx, targetOf(run))),
    errMessage,
    cap: run.cap,
    ...(run.total === null ? {} : { total: run.total }),
    ...(await completeBackTo(tx, run, table)),
  };
  const saved = await tx
    .update(syncs)
    .set({ status: 'failed', failure: 'error', summary, ...endedFields() })
    .where(isHeldBy(claim))
    .returning({ id: syncs.id });
  if (saved.length === 0) throw new ClaimLost();
  await reportChangedRecords(tx, jobs, run);
  await reportScheduledFailure(tx, jobs, { run, message: errMessage });
  await deleteListedIds(tx, run.userId, run.id);
  if (recordsOf(counters) === 0) await uncountRun(tx, run.userId, run.entity, run.createdAt);
}
