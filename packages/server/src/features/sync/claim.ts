import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { giveBackJob, isActiveAttempt, type JobClaim } from '../../platform/jobs/job-claims.ts';
import type { Counters } from './counters.ts';
import { SYNC_QUEUE } from './queue.ts';
import { hasLegacy } from './storage/index.ts';
import { syncs } from './tables.ts';
import type { SyncRow } from './wire.ts';

/** How long a sync waits before it looks again whether the backfill of its records is done. */
const BACKFILL_PAUSE = sql`now() + interval '5 seconds'`;

/** The run was taken over, cancelled or deleted while this worker held it: nothing may be written any more. */
export class ClaimLost extends Error {
  constructor() {
    super('the sync is no longer held by this worker');
    this.name = 'ClaimLost';
  }
}

/** A worker's claim to a run. The job's id and the attempt are the fencing token. */
export interface Claim extends JobClaim {
  userId: string;
  syncId: string;
}

/** What a run that rests has waited since it was given back; `least` and `greatest` pass over what is null. */
const restedMs = sql`1000 * extract(epoch from least(now(), ${syncs.waitingUntil}) - ${syncs.updatedAt})::float8`;
const countersAfterRest = sql`case ${syncs.phase} when 'waiting'
  then ${syncs.counters} || jsonb_build_object('waitedMs', coalesce((${syncs.counters}->>'waitedMs')::float8, 0) + greatest(0, ${restedMs}))
  else ${syncs.counters} end`;

/** The condition that names a sync while this job is to run it. */
function isRunning({ userId, syncId, jobId }: Claim) {
  return and(
    eq(syncs.userId, userId),
    eq(syncs.id, syncId),
    eq(syncs.status, 'started'),
    eq(syncs.jobId, jobId),
  );
}

/**
 * Stores the fencing token of a fetched job in its sync. A worker that wakes late stores nothing: pg-boss has made
 * another attempt the active one, or a later attempt is stored already.
 * @returns undefined when the run is not to be read now: see `settleUnclaimed`
 */
export async function claimRun(context: Context, claim: Claim): Promise<SyncRow | undefined> {
  const [row] = await context.db
    .update(syncs)
    .set({
      jobAttempt: claim.attempt,
      waitingUntil: null,
      phase: 'fetching',
      counters: countersAfterRest,
    })
    .where(
      and(
        isRunning(claim),
        or(isNull(syncs.jobAttempt), lt(syncs.jobAttempt, claim.attempt)),
        isActiveAttempt(SYNC_QUEUE.name, claim),
        sql`not ${hasLegacy('syncs')}`,
      ),
    )
    .returning();
  return row;
}

/** Delays the job of a run that could not be claimed because its records are being backfilled. @returns whether the run has ended instead */
export async function settleUnclaimed(context: Context, claim: Claim): Promise<boolean> {
  const running = await context.db.select({ id: syncs.id }).from(syncs).where(isRunning(claim));
  if (running.length > 0) await context.db.execute(giveBackJob(SYNC_QUEUE.name, claim, BACKFILL_PAUSE));
  return running.length === 0;
}

/** The condition under which a worker may write about its sync. */
export function held(claim: Claim) {
  return and(isRunning(claim), eq(syncs.jobAttempt, claim.attempt));
}

/** The same, and the sync is as this worker left it: a database that died may have lost the last page. */
export function heldAt(claim: Claim, { checkpoint }: Pick<SyncRow, 'checkpoint'>) {
  const known = checkpoint === null ? null : JSON.stringify(checkpoint);
  return and(held(claim), sql`${syncs.checkpoint} is not distinct from ${known}::jsonb`);
}

/** Locks the row of a run that this worker holds. @throws ClaimLost also when the run was cancelled */
export async function lockHeld(tx: Queryable, claim: Claim): Promise<void> {
  const locked = await tx.select({ id: syncs.id }).from(syncs).where(held(claim)).for('update');
  if (locked.length === 0) throw new ClaimLost();
}

/**
 * Returns the run and its job for another worker; the checkpoint stays.
 * @param counters the run's totals, with requests and units since its checkpoint
 * @param waitingUntil not before this instant
 */
export async function giveBack(
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
      .where(held(claim));
    await tx.execute(giveBackJob(SYNC_QUEUE.name, claim, waitingUntil ?? sql`now()`));
  });
}
