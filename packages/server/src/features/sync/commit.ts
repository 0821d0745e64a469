import type { Completion, EntityDefinition, TableDefinition } from '@datadeck/connectors';
import { limitOf } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import {
  countPresentAndListed,
  countScope,
  countWithinHorizon,
  deleteListedIds,
  NO_REMOVAL,
  oldestInScope,
  oldestListed,
  type Removal,
  removeUnlisted,
  trimScope,
  type WriteTarget,
} from '../records/index.ts';
import { type Claim, ClaimLost, isHeldBy, lockRun } from './claim.ts';
import {
  addClientUsage,
  boundsOf,
  type ClientUsage,
  type Counters,
  countersSchema,
  receiptOf,
  withRemoval,
} from './counters.ts';
import { findCursor, saveCursor } from './cursors.ts';
import { endRun, endScope, endScopedRun } from './end-run.ts';
import { failRemaining, hasScopes } from './run-scopes.ts';
import { syncs } from './tables.ts';
import type { SyncRow } from './to-response.ts';

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

/**
 * Thrown when an incremental run ends below the cap although the provider has more records: only a full run can find
 * them.
 */
export class ScopeNeedsFullRun extends Error {}

/** The end of a successful read, with the client usage since the last commit and the entity. */
type RunCompletion = Completion & { clientUsage: ClientUsage; entity: EntityDefinition };

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

/** Returns whether a run read nothing. */
function isUnchanged({ added, updated, unchanged, removed, skipped, unreadable }: Counters): boolean {
  return added + updated + unchanged + removed + skipped + unreadable === 0;
}

/**
 * Removes records from the scope that a complete listing lacks or that exceed the cap.
 * @throws ScopeNeedsFullRun
 */
async function finalizeScope(tx: Queryable, run: SyncRow, completion: RunCompletion): Promise<FinalScope> {
  const target = targetOf(run, completion.entity.table);
  const isIncremental = run.startCursor !== null;
  const counters = countersSchema.parse(run.counters);
  const { unreadable } = counters;
  const cursor = isIncremental ? await findCursor(tx, run, run.scope) : undefined;
  const wasTruncated = cursor?.truncated ?? false;
  if (cursor?.records != null && isUnchanged(counters))
    return { kept: cursor.records, unlisted: NO_REMOVAL, trimmed: NO_REMOVAL, wasTruncated };
  const { present, listed } = await countPresentAndListed(tx, target);
  // Every listed record is in the scope, so equal counts mean that nothing else is.
  const isAllListed = !isIncremental && present === listed && unreadable === 0;
  // A list since a day lacks older records, which an earlier run may have stored.
  const isPart = completion.isListPartial === true || run.since !== null;
  const keepsUnlisted = isIncremental || isAllListed || isPart;
  const unlisted = keepsUnlisted ? NO_REMOVAL : await removeUnlisted(tx, target);
  // A full run may exceed its cap because records that could not be read keep their stored version.
  const { cap } = run;
  const isOver = cap !== null && present - unlisted.count > cap;
  const trimmed = isOver ? await trimScope(tx, target, cap) : NO_REMOVAL;
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
 * Finishes the successful reading of a scope: removes records that the provider no longer has, applies the cap, stores the cursor
 * and the receipt. Ends the run, or puts its next scope in its row.
 * @returns the run if it has another scope to read
 * @throws ClaimLost, ScopeNeedsFullRun
 */
export async function commitCompletion(
  context: Context,
  claim: Claim,
  run: SyncRow,
  completion: RunCompletion,
): Promise<SyncRow | undefined> {
  const { clientUsage, entity } = completion;
  return context.db.transaction(async (tx) => {
    await lockRun(tx, claim);
    const incremental = run.startCursor !== null;
    const { kept, unlisted, trimmed, wasTruncated } = await finalizeScope(tx, run, completion);
    const before = addClientUsage(countersSchema.parse(run.counters), clientUsage);
    const counters = withRemoval(withRemoval(before, trimmed), unlisted);
    const summary = {
      ...receiptOf(counters, Date.now() - run.createdAt.getTime(), kept),
      ...boundsOf(run),
      incremental,
      ...(await keptBackTo(tx, run, { kept, table: entity.table })),
    };
    // A full run can also exceed the cap: kept unreadable records push out the oldest ones.
    const wasCut = incremental ? wasTruncated : completion.truncated;
    const truncated = wasCut || trimmed.count > 0;
    await saveCursor(tx, run, { cursor: completion.cursor, truncated, records: kept });
    await deleteListedIds(tx, run.userId, run.id);
    return hasScopes(run)
      ? endScope(tx, context.jobs, { claim, run, entity, end: { counters, stored: kept, summary } })
      : endRun(tx, context.jobs, { claim, run, status: 'finished', counters, summary });
  });
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

/** A run, or the scope that it reads, that its own worker is failing. */
interface FailingRun {
  claim: Claim;
  run: SyncRow;
  /** Client usage since the last commit, which only the worker knows. */
  clientUsage: ClientUsage;
  errMessage: string;
  /** Undefined for an entity of an earlier version. */
  entity: EntityDefinition | undefined;
}

/** Returns the counters and the receipt of a scope whose reading failed. Committed records stay. */
async function failedScope(tx: Queryable, { run, clientUsage, errMessage, entity }: FailingRun) {
  const counters = addClientUsage(countersSchema.parse(run.counters), clientUsage);
  const stored = run.scope === '' ? 0 : await countScope(tx, targetOf(run));
  const summary = {
    ...receiptOf(counters, Date.now() - run.createdAt.getTime(), stored),
    errMessage,
    ...boundsOf(run),
    ...(await completeBackTo(tx, run, entity?.table)),
  };
  await deleteListedIds(tx, run.userId, run.id);
  return { counters, stored, summary };
}

/**
 * Fails the scope that a run reads; the run continues with its next scope, or ends.
 * @param isUnavailable true when the provider did not answer
 * @returns the run if it has another scope to read
 * @throws ClaimLost
 */
export async function commitScopeFailure(
  { db, jobs }: Context,
  failing: FailingRun & { entity: EntityDefinition; isUnavailable: boolean },
): Promise<SyncRow | undefined> {
  const { claim, run, entity, errMessage: message, isUnavailable } = failing;
  return db.transaction(async (tx) => {
    await lockRun(tx, claim);
    const end = { ...(await failedScope(tx, failing)), failure: { message, isUnavailable } };
    return endScope(tx, jobs, { claim, run, entity, end });
  });
}

/**
 * Fails a run that the caller holds. Committed records stay. A run without records is not counted towards the month. Of a run
 * over several scopes, the scopes that it has not read fail, too.
 * @throws ClaimLost when the run has already ended or the worker no longer holds it
 */
export async function commitFailure(tx: Queryable, jobs: Jobs, failing: FailingRun): Promise<void> {
  const { claim, run, errMessage: message } = failing;
  await lockRun(tx, claim);
  const end = await failedScope(tx, failing);
  const { counters, summary } = end;
  if (run.scopeCount === null) {
    await endRun(tx, jobs, { claim, run, status: 'failed', counters, summary });
    return;
  }
  const totals = await failRemaining(tx, run, { ...end, message });
  await endScopedRun(tx, jobs, { claim, run, totals });
}
