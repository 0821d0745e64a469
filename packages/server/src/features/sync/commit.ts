import type { Completion } from '@datadeck/connectors';
import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { type Claim, ClaimLost, held, heldAt, lockHeld } from './claim.ts';
import { countersSchema, receiptOf, recordsOf, type Spent, withRemoval, withSpent } from './counters.ts';
import { reportScheduledFailure } from './scheduled-failure.ts';
import {
  countAtEnd,
  countScope,
  countWithinHorizon,
  forgetSeen,
  forgetUndo,
  NO_REMOVAL,
  oldestInScope,
  oldestSeen,
  type Removal,
  removeUnseen,
  trimScope,
  type WriteTarget,
} from './storage/index.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncCursors, syncs } from './tables.ts';
import { uncountRun } from './usage.ts';
import type { SyncRow } from './wire.ts';

/** Runs of an entity whose undo log is kept in any case. */
const UNDOABLE_RUNS = 10;
/** Older ones are kept while their logs hold no more records than this, and there are no more of them. */
const LOGGED_RECORDS = 5000;
const LOGGED_RUNS = 200;

export function targetOf(run: SyncRow): WriteTarget {
  return {
    userId: run.userId,
    connectionId: run.connectionId,
    entity: run.entity,
    syncId: run.id,
    scope: run.scope,
    isRestart: countersSchema.parse(run.counters).restarts > 0,
  };
}

/** What every run that has ended has in common. */
const ended = () => ({ phase: 'done', updatedAt: new Date(), waitingUntil: null }) as const;

/** A run that ends without a cursor leaves none: the next one is a full one. */
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

/** Undo logs of older runs are dropped: the oldest runs can no longer be undone, and what they changed no longer be seen. */
async function pruneUndo(tx: Queryable, run: SyncRow): Promise<void> {
  const { rows: old } = await tx.execute<{ id: string }>(sql`
    select id from (
      select id, row_number() over newest as place,
        sum(coalesce((counters->>'updated')::int, 0) + coalesce((counters->>'removed')::int, 0)) over newest as logged
      from syncs
      where user_id = ${run.userId} and connection_id = ${run.connectionId} and entity = ${run.entity}
        and undoable and number <= ${run.number}
      window newest as (order by number desc)
    ) kept
    where place > ${UNDOABLE_RUNS} and (logged > ${LOGGED_RECORDS} or place > ${LOGGED_RUNS})`);
  for (const { id } of old) {
    await forgetUndo(tx, run.userId, id);
    await tx
      .update(syncs)
      .set({ undoable: false })
      .where(and(eq(syncs.userId, run.userId), eq(syncs.id, id)));
  }
}

/** Thrown when an incremental run left room under the cap that only a full listing can fill. */
export class ScopeNeedsFullRun extends Error {}

/** What the end of a run did to its scope. */
interface Settlement {
  /** Records that the scope holds now. */
  kept: number;
  /** Those that a complete listing did not meet. */
  unseen: Removal;
  /** The oldest beyond the cap. */
  trimmed: Removal;
  /** Older records were missing already when an incremental run began. */
  wasTruncated: boolean;
}

/** Leaves in the scope the newest that the provider still holds. @throws ScopeNeedsFullRun */
async function settleScope(tx: Queryable, run: SyncRow): Promise<Settlement> {
  const target = targetOf(run);
  const isIncremental = run.startCursor !== null;
  const { unreadable } = countersSchema.parse(run.counters);
  const { present, seen } = await countAtEnd(tx, target);
  // Records that a listing contained are in the scope: where the numbers are the same, nothing else is.
  const isAllSeen = !isIncremental && present === seen && unreadable === 0;
  const unseen = isIncremental || isAllSeen ? NO_REMOVAL : await removeUnseen(tx, target);
  // A full run is over its cap by what is stored of records that it could not read.
  const isOver = present - unseen.count > run.cap;
  const trimmed = isOver ? await trimScope(tx, target, run.cap) : NO_REMOVAL;
  const wasTruncated = isIncremental && (await cursorIsTruncated(tx, run));
  if (wasTruncated && (await countWithinHorizon(tx, target)) < run.cap) throw new ScopeNeedsFullRun();
  return { kept: present - trimmed.count - unseen.count, unseen, trimmed, wasTruncated };
}

/** Whether the cap kept records of the provider out, and down to when the scope holds them all. */
async function keptBackTo(tx: Queryable, run: SyncRow, kept: number): Promise<{ keptBackTo?: string }> {
  const isCut = run.total !== null && run.total > run.cap && kept >= run.cap;
  const oldest = isCut ? await oldestInScope(tx, targetOf(run)) : undefined;
  return oldest === undefined ? {} : { keptBackTo: oldest.toISOString() };
}

/**
 * Ends a run well: removes what the provider no longer holds, keeps the newest of the scope, stores the cursor and the receipt.
 * @throws ClaimLost, ScopeNeedsFullRun
 */
export async function commitCompletion(
  context: Context,
  claim: Claim,
  run: SyncRow,
  completion: Completion & { spent: Spent },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    await lockHeld(tx, claim);
    const incremental = run.startCursor !== null;
    const { kept, unseen, trimmed, wasTruncated } = await settleScope(tx, run);
    const before = withSpent(countersSchema.parse(run.counters), completion.spent);
    const counters = withRemoval(withRemoval(before, trimmed), unseen);
    const summary = {
      ...receiptOf(counters, Date.now() - run.createdAt.getTime()),
      entitiesSynced: kept,
      cap: run.cap,
      incremental,
      ...(await keptBackTo(tx, run, kept)),
      ...(run.total === null ? {} : { total: run.total }),
    };
    const saved = await tx
      .update(syncs)
      .set({ status: 'finished', counters, summary, checkpoint: null, ...ended() })
      .where(heldAt(claim, run))
      .returning({ id: syncs.id });
    if (saved.length === 0) throw new ClaimLost();
    // A full run trims too: an unreadable record that is kept takes the place of the oldest one.
    const wasCut = incremental ? wasTruncated : completion.truncated;
    await saveCursor(tx, run, completion, wasCut || trimmed.count > 0);
    await forgetSeen(tx, run.userId, run.id);
    await pruneUndo(tx, run);
  });
}

async function cursorIsTruncated(tx: Queryable, run: SyncRow): Promise<boolean> {
  const [stored] = await tx
    .select({ truncated: syncCursors.truncated })
    .from(syncCursors)
    .where(and(isSyncStateOf(syncCursors, run), eq(syncCursors.scope, run.scope)));
  return stored?.truncated ?? false;
}

/** Restarts the run as a full one; committed records stay, and the new listing reads them again. @throws ClaimLost */
export async function commitRestart(context: Context, claim: Claim, run: SyncRow): Promise<SyncRow> {
  return context.db.transaction(async (tx) => {
    await forgetSeen(tx, run.userId, run.id);
    const before = countersSchema.parse(run.counters);
    const counters = { ...before, restarts: before.restarts + 1 };
    const [saved] = await tx
      .update(syncs)
      .set({ startCursor: null, checkpoint: null, counters })
      .where(held(claim))
      .returning();
    if (!saved) throw new ClaimLost();
    return saved;
  });
}

/** A full run goes from the newest record to older ones: what it met is complete down to the oldest of it. */
export async function completeBackTo(tx: Queryable, run: SyncRow): Promise<{ completeBackTo?: string }> {
  const oldest = run.startCursor === null ? await oldestSeen(tx, targetOf(run)) : undefined;
  return oldest === undefined ? {} : { completeBackTo: oldest.toISOString() };
}

/** The end of a run that its own worker fails. */
interface Failure {
  claim: Claim;
  /** In addition to what is committed; only the worker knows. */
  spent: Spent;
  errMessage: string;
  jobs: Jobs;
}

/**
 * Fails a run of the caller's; what was committed stays. A run without a record does not count towards the month.
 * @throws ClaimLost when the run has ended already, or its worker holds it no longer
 */
export async function commitFailure(
  tx: Queryable,
  run: SyncRow,
  { claim, spent, errMessage, jobs }: Failure,
): Promise<void> {
  const counters = withSpent(countersSchema.parse(run.counters), spent);
  const summary = {
    ...receiptOf(counters, Date.now() - run.createdAt.getTime()),
    errMessage,
    entitiesSynced: await countScope(tx, targetOf(run)),
    cap: run.cap,
    ...(run.total === null ? {} : { total: run.total }),
    ...(await completeBackTo(tx, run)),
  };
  const saved = await tx
    .update(syncs)
    .set({ status: 'failed', failure: 'error', summary, ...ended() })
    .where(held(claim))
    .returning({ id: syncs.id });
  if (saved.length === 0) throw new ClaimLost();
  await reportScheduledFailure(tx, jobs, { run, message: errMessage });
  await forgetSeen(tx, run.userId, run.id);
  if (recordsOf(counters) === 0) await uncountRun(tx, run.userId, run.entity, run.createdAt);
}
