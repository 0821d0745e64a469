import { and, eq, isNull, lt, notInArray, or, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isActiveAttempt, type JobClaim, releaseJob } from '../../platform/jobs/job-claims.ts';
import { hasLegacy } from '../records/index.ts';
import type { Counters } from './counters.ts';
import { SYNC_QUEUE } from './queue.ts';
import { syncs } from './tables.ts';
import type { SyncRow } from './to-response.ts';

/** When a sync that waits for the backfill of its records is tried again. */
const BACKFILL_PAUSE = sql`now() + interval '5 seconds'`;

/** Thrown when the run was taken over, cancelled or deleted while this worker held it. Nothing may be written any more. */
export class ClaimLost extends Error {
  constructor() {
    super('the sync is no longer held by this worker');
    this.name = 'ClaimLost';
  }
}

/** A worker's claim on a run. The job's id and attempt are the fencing token. */
export interface Claim extends JobClaim {
  userId: string;
  syncId: string;
}

/** How long (ms) a waiting run has waited since its release. `least` ignores nulls. */
const waitedSinceReleaseMs = sql`1000 * extract(epoch from least(now(), ${syncs.waitingUntil}) - ${syncs.updatedAt})::float8`;
const countersAfterWait = sql`case ${syncs.phase} when 'waiting'
  then ${syncs.counters} || jsonb_build_object('waitedMs', coalesce((${syncs.counters}->>'waitedMs')::float8, 0) + greatest(0, ${waitedSinceReleaseMs}))
  else ${syncs.counters} end`;

/** Returns the condition that the sync is started and belongs to this job. */
function isRunning({ userId, syncId, jobId }: Claim) {
  return and(
    eq(syncs.userId, userId),
    eq(syncs.id, syncId),
    eq(syncs.status, 'started'),
    eq(syncs.jobId, jobId),
  );
}

/**
 * Stores the fencing token of a fetched job in its sync. Does nothing for a worker that wakes up late: a later attempt
 * is then active or already stored.
 * @returns undefined when the run cannot be claimed; see `delayUnclaimed`
 */
export async function claimRun(context: Context, claim: Claim): Promise<SyncRow | undefined> {
  const [row] = await context.db
    .update(syncs)
    .set({
      jobAttempt: claim.attempt,
      waitingUntil: null,
      phase: 'fetching',
      counters: countersAfterWait,
    })
    .where(
      and(
        isRunning(claim),
        or(isNull(syncs.jobAttempt), lt(syncs.jobAttempt, claim.attempt)),
        isActiveAttempt(SYNC_QUEUE.name, claim),
        sql`not ${hasLegacy({ syncOf: claim.userId })}`,
      ),
    )
    .returning();
  return row;
}

/**
 * Delays the job of a run that could not be claimed because its records are being backfilled.
 * @returns true when the run has ended instead
 */
export async function delayUnclaimed(context: Context, claim: Claim): Promise<boolean> {
  const running = await context.db.select({ id: syncs.id }).from(syncs).where(isRunning(claim));
  if (running.length > 0) await context.db.execute(releaseJob(SYNC_QUEUE.name, claim, BACKFILL_PAUSE));
  return running.length === 0;
}

/** Returns the condition under which the worker may write to its sync: it holds the fencing token. */
export function isHeldBy(claim: Claim) {
  return and(isRunning(claim), eq(syncs.jobAttempt, claim.attempt));
}

/**
 * Like `isHeldBy`, and requires the checkpoint that this worker stored last: a database crash may have lost the last
 * page.
 */
export function isHeldAtCheckpoint(claim: Claim, { checkpoint }: Pick<SyncRow, 'checkpoint'>) {
  const known = checkpoint === null ? null : JSON.stringify(checkpoint);
  return and(isHeldBy(claim), sql`${syncs.checkpoint} is not distinct from ${known}::jsonb`);
}

/** Locks the row of a run that this worker holds. @throws ClaimLost, also when the run was cancelled */
export async function lockRun(tx: Queryable, claim: Claim): Promise<void> {
  const locked = await tx.select({ id: syncs.id }).from(syncs).where(isHeldBy(claim)).for('update');
  if (locked.length === 0) throw new ClaimLost();
}

/**
 * Stores until when the claimed run pauses without releasing its job; the dashboard shows it. Does nothing after
 * `releaseRun`, whose wait must not be overwritten, or when another worker holds the run.
 */
export async function storeShortWait(context: Context, claim: Claim, until: Date): Promise<void> {
  await context.db
    .update(syncs)
    .set({ waitingUntil: until })
    .where(and(isHeldBy(claim), notInArray(syncs.phase, ['queued', 'waiting'])));
}

/**
 * Releases the run and its job for another worker. The checkpoint stays.
 * @param counters the run's counters, including usage since its checkpoint
 * @param waitingUntil the earliest time to continue
 */
export async function releaseRun(
  context: Context,
  claim: Claim,
  counters: Counters,
  waitingUntil?: Date,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    await tx
      .update(syncs)
      .set({
        counters,
        waitingUntil: waitingUntil ?? null,
        ...(waitingUntil ? { phase: 'waiting', updatedAt: new Date() } : { phase: 'queued' }),
      })
      .where(isHeldBy(claim));
    await tx.execute(releaseJob(SYNC_QUEUE.name, claim, waitingUntil ?? sql`now()`));
  });
}
