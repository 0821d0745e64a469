import type { Sync } from '@datadeck/contract';
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { cancelJobs } from '../../platform/jobs/job-claims.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { countScope, deleteListedIds } from '../records/index.ts';
import { completeBackTo, targetOf } from './commit.ts';
import { boundsOf, countersSchema, receiptOf } from './counters.ts';
import { findSync, toOneSync } from './list.ts';
import { publishSync } from './progress.ts';
import { announceEndedSyncs, SYNC_QUEUE } from './queue.ts';
import { reportChangedRecords } from './records-changed.ts';
import { failRemaining } from './run-scopes.ts';
import { receiptOfScopes } from './scope-totals.ts';
import { syncs } from './tables.ts';
import type { SyncRow } from './to-response.ts';

/** Why a sync was ended from outside, as shown in its receipt. */
export type CancelReason =
  | 'Cancelled by user'
  | 'Cancelled: the provider was disconnected'
  | 'Cancelled: the data was deleted'
  | 'Cancelled: the account was deleted';

/** What ending a run needs of the product. */
interface Parts {
  context: Context;
  registry: ConnectorRegistry;
}

/** The month in which a run started, in the format of `sync_usage`. */
const month = sql.raw("to_char(created_at at time zone 'UTC', 'YYYY-MM')");
/** The number of records that a run has read. */
const recordCount = sql.raw(
  "(select coalesce(sum(value::float8), 0) from (select * from jsonb_each_text(counters) union all select * from jsonb_each_text(totals->'counters')) counted where key in ('added', 'updated', 'unchanged'))",
);

/** Converts a row of `syncs` from a raw SQL result to drizzle's form. */
function toSyncRow(raw: Record<string, unknown>): SyncRow {
  const fields = Object.entries(getTableColumns(syncs)).map(([name, column]) => {
    const value = raw[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
    return [name, value === null ? null : column.mapFromDriverValue(value)];
  });
  return Object.fromEntries(fields) as SyncRow;
}

/**
 * Ends running syncs of a user and their jobs in one statement. Their workers can then write nothing more; committed
 * records stay. A run without records is not counted towards the month.
 * @param which condition on `syncs`
 */
export async function endRuns(
  db: Queryable,
  userId: string,
  which: SQL,
  reason: CancelReason,
): Promise<SyncRow[]> {
  const { rows } = await db.execute(sql`
    with ended as (
      update syncs set status = 'failed', failure = 'cancelled', phase = 'done', updated_at = now(),
        summary = jsonb_build_object('errMessage', ${reason}::text, 'cap', cap),
        waiting_until = null
      where user_id = ${userId} and status = 'started' and ${which}
      returning *
    ), cancelled as (${cancelJobs(SYNC_QUEUE.name, sql`select job_id from ended`)}
    ), unused as (
      select entity, ${month} as month, count(*)::int as runs from ended where ${recordCount} = 0 group by 1, 2
    ), uncounted as (
      update sync_usage u set runs = greatest(0, u.runs - n.runs) from unused n
      where u.user_id = ${userId} and u.entity = n.entity and u.month = n.month
    )
    select * from ended`);
  return rows.map(toSyncRow);
}

/** Returns the receipt of the scope that a run was reading when it was ended from outside. */
async function receiptOfScope({ context: { db }, registry }: Parts, run: SyncRow) {
  const counters = countersSchema.parse(run.counters);
  const [kept, oldest] = await Promise.all([
    run.scope === '' ? 0 : countScope(db, targetOf(run)),
    completeBackTo(db, run, registry.findEntity(run.entity)?.table),
  ]);
  const summary = {
    ...receiptOf(counters, run.updatedAt.getTime() - run.createdAt.getTime(), kept),
    ...(run.summary as object),
    ...boundsOf(run),
    ...oldest,
  };
  return { counters, stored: kept, summary };
}

/** Completes the receipt of a run that was ended from outside. Its counters can no longer change. */
async function completeReceipt(parts: Parts, run: SyncRow): Promise<SyncRow> {
  const { db } = parts.context;
  const end = await receiptOfScope(parts, run);
  const { errMessage: message = '' } = run.summary as { errMessage?: string };
  let summary: object = end.summary;
  if (run.scopeCount !== null) {
    const totals = await failRemaining(db, run, { ...end, message });
    const elapsedMs = run.updatedAt.getTime() - run.createdAt.getTime();
    summary = { ...receiptOfScopes(run, totals, elapsedMs), errMessage: message };
  }
  const isThisRun = and(eq(syncs.userId, run.userId), eq(syncs.id, run.id), eq(syncs.status, 'failed'));
  await Promise.all([
    db.update(syncs).set({ summary }).where(isThisRun),
    deleteListedIds(db, run.userId, run.id),
  ]);
  return { ...run, summary };
}

/** Ends running syncs, notifies their workers, and completes the receipts. */
async function cancelRuns(
  parts: Parts,
  userId: string,
  { which, reason }: { which: SQL; reason: CancelReason },
): Promise<SyncRow[]> {
  const { context } = parts;
  const ended = await endRuns(context.db, userId, which, reason);
  for (const { provider, entity } of ended)
    context.metrics.syncsEnded.inc({ provider, entity, outcome: 'cancelled' });
  const announced = announceEndedSyncs(
    context,
    ended.map(({ id }) => id),
  );
  const completed = ended.map((run) => completeReceipt(parts, run));
  // Not in a transaction with the end, which a user waits for. If the process dies first, the next run reports the change.
  const reported = ended.map((run) =>
    reportChangedRecords(context.db, context.jobs, run, {
      cause: 'run',
      sync: { id: run.id, number: run.number },
    }),
  );
  const [runs] = await Promise.all([Promise.all(completed), announced, Promise.all(reported)]);
  return runs;
}

/**
 * Cancels a running sync. The change is committed when this returns.
 * @throws AppError not-found, sync-not-running
 */
export async function cancelSync(parts: Parts, userId: string, id: string): Promise<Sync> {
  const { context } = parts;
  const isThis = sql`id::text = ${id}`;
  const [run] = await cancelRuns(parts, userId, { which: isThis, reason: 'Cancelled by user' });
  if (!run) {
    await findSync(context.db, userId, id);
    throw new AppError('sync-not-running', 'This sync is not running any more.');
  }
  const [sync] = await Promise.all([toOneSync(context.db, run), publishSync(context, userId, id)]);
  return sync;
}

/** Ends the running syncs of a connection, or of the whole user, before its tokens or data are deleted. */
export async function endRunningSyncs(
  parts: Parts,
  userId: string,
  reason: CancelReason,
  connectionId?: string,
): Promise<void> {
  const which = connectionId === undefined ? sql`true` : sql`connection_id = ${connectionId}`;
  await cancelRuns(parts, userId, { which, reason });
}
