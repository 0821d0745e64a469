import type { EntityDefinition } from '@datadeck/connectors';
import type { SyncSummary } from '@datadeck/contract';
import { and, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { deleteUndoLog } from '../records/index.ts';
import { type Claim, ClaimLost, isHeldAtCheckpoint } from './claim.ts';
import { type Counters, recordsOf } from './counters.ts';
import { reportChangedRecords } from './records-changed.ts';
import { beginNextScope, failUnread, type ReadScope, storeScopeEnd } from './run-scopes.ts';
import { reportScheduledFailure } from './scheduled-failure.ts';
import { receiptOfScopes, type ScopeTotals } from './scope-totals.ts';
import { syncs } from './tables.ts';
import type { SyncRow } from './to-response.ts';
import { uncountRun } from './usage.ts';

/** Number of newest runs of an entity whose undo log is always kept. */
const MIN_UNDOABLE_RUNS = 10;
/** Undo logs of older runs are kept up to these totals of changed records and of runs. */
const MAX_LOGGED_RECORDS = 5000;
const MAX_LOGGED_RUNS = 200;

/** After so many scopes in a row that the provider did not answer, the others are not tried. */
const MAX_UNAVAILABLE = 3;

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

/** The end of a run that its worker holds. */
interface EndedRun {
  claim: Claim;
  run: SyncRow;
  status: 'finished' | 'failed';
  /** Counters of all its scopes. */
  counters: Counters;
  summary: SyncSummary;
}

/**
 * Ends a run: stores its receipt, enqueues what follows from it. A failed run without records is not counted towards the month.
 * @throws ClaimLost when it was ended from outside, or a database crash lost its last page
 */
export async function endRun(
  tx: Queryable,
  jobs: Jobs,
  { claim, run, status, counters, summary }: EndedRun,
): Promise<undefined> {
  const isFailed = status === 'failed';
  const saved = await tx
    .update(syncs)
    .set({
      status,
      ...(isFailed ? { failure: 'error' as const } : { checkpoint: null }),
      counters,
      summary,
      phase: 'done',
      updatedAt: new Date(),
      waitingUntil: null,
    })
    .where(isHeldAtCheckpoint(claim, run))
    .returning({ id: syncs.id });
  if (saved.length === 0) throw new ClaimLost();
  if (!isFailed) await pruneUndo(tx, run);
  await reportChangedRecords(tx, jobs, run, { cause: 'run', sync: { id: run.id, number: run.number } });
  if (!isFailed) return;
  await reportScheduledFailure(tx, jobs, { run, message: summary.errMessage ?? '' });
  if (recordsOf(counters) === 0) await uncountRun(tx, run.userId, run.entity, run.createdAt);
}

/** Returns the error message of a run none of whose scopes could be read. */
function failureOf({ failed, failedCount }: ScopeTotals): string {
  const [first] = failed;
  if (failedCount === 1 || !first) return first?.message ?? '';
  return `None of the ${failedCount.toLocaleString('en')} scopes could be read. ${first.name}: ${first.message}`;
}

/** Ends a run over several scopes: finished if any of them was read. @throws ClaimLost */
export async function endScopedRun(
  tx: Queryable,
  jobs: Jobs,
  { claim, run, totals }: { claim: Claim; run: SyncRow; totals: ScopeTotals },
): Promise<undefined> {
  const isFailed = totals.finished === 0;
  const receipt = receiptOfScopes(run, totals, Date.now() - run.createdAt.getTime());
  const summary = { ...receipt, ...(isFailed ? { errMessage: failureOf(totals) } : {}) };
  const status = isFailed ? ('failed' as const) : ('finished' as const);
  return endRun(tx, jobs, { claim, run, status, counters: totals.counters, summary });
}

/**
 * Ends the scope that a run reads, and begins the next one or ends the run.
 * @returns the run if it has another scope to read
 * @throws ClaimLost
 */
export async function endScope(
  tx: Queryable,
  jobs: Jobs,
  given: {
    claim: Claim;
    run: SyncRow;
    entity: EntityDefinition;
    end: ReadScope;
  },
): Promise<SyncRow | undefined> {
  const { claim, run, entity, end } = given;
  const totals = await storeScopeEnd(tx, run, end);
  if (totals.unavailable >= MAX_UNAVAILABLE) {
    const message = `Not read, because the provider did not answer ${MAX_UNAVAILABLE} times in a row.`;
    const all = await failUnread(tx, run, { message, totals });
    return endScopedRun(tx, jobs, { claim, run, totals: all });
  }
  const next = await beginNextScope(tx, claim, run, { entity, totals });
  return next ?? endScopedRun(tx, jobs, { claim, run, totals });
}
