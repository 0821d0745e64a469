import { sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { isOpenJob, type NewJob } from '../../platform/jobs/job-claims.ts';
import { type QueueDefinition, UNLIMITED_RETRIES } from '../../platform/jobs/jobs.ts';

/**
 * A job for each started sync. It is tried until the sync has ended: no number of attempts may lose one. A worker without
 * a heartbeat for ten seconds is taken for dead; with the monitor's interval and the back-off, another one continues its
 * run within half a minute. A day is the longest attempt that pg-boss allows; then the run continues in another one.
 */
export const SYNC_QUEUE: QueueDefinition = {
  name: 'sync',
  expireInSeconds: 86_400,
  heartbeatSeconds: 10,
  retryLimit: UNLIMITED_RETRIES,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 5,
};

/**
 * The priority of a sync's job: earlier syncs first, where each run that its user started in the hour before counts as a
 * minute. So users take turns, and nobody waits for ever. In seconds since 2026, to fit pg-boss's integer.
 */
export const priority = sql<number>`(
  extract(epoch from timestamptz '2026-01-01Z' - syncs.created_at)::int - 60 * (
    select count(*)::int from syncs as earlier
    where earlier.user_id = syncs.user_id and earlier.number < syncs.number
      and earlier.created_at > syncs.created_at - interval '1 hour'))`;

/** No user's id: users' topics carry what their pages show. */
const TOPIC = 'waiting-sync';
const ENDED = 'ended-sync';

/** Stores the jobs of started syncs in the caller's transaction. */
export async function sendSyncJobs(
  context: Context,
  tx: Queryable,
  runs: readonly { userId: string; id: string; jobId: string; priority: number }[],
): Promise<void> {
  const jobs = runs.map(
    ({ userId, id, jobId, priority }): NewJob => ({ id: jobId, data: { userId, syncId: id }, priority }),
  );
  await context.jobs.claims(SYNC_QUEUE.name).send(tx, jobs);
}

/**
 * Sends jobs for started syncs that have none: those that an earlier version started, or whose job was lost with a part of
 * the database. It decides nothing about workers, who hold runs by their jobs alone, and usually finds nothing.
 */
export async function sendMissingJobs(context: Context): Promise<void> {
  const isSent = await context.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ user_id: string; id: string; job_id: string; priority: number }>(sql`
      update syncs set job_id = gen_random_uuid(), job_attempt = null
      where status = 'started' and not ${isOpenJob(SYNC_QUEUE.name, sql`syncs.job_id`)}
      returning user_id, id, job_id, ${priority} as priority`);
    const runs = rows.map((row) => ({ ...row, userId: row.user_id, jobId: row.job_id }));
    await sendSyncJobs(context, tx, runs);
    return rows.length > 0;
  });
  if (isSent) await announceWaitingSync(context);
}

/** Wakes the workers of all processes up for a started sync; pg-boss decides which one gets its job. */
export async function announceWaitingSync(context: Context): Promise<void> {
  await context.broadcast.publish(TOPIC, '');
}

/** Tells the workers of all processes that somebody ended these syncs, so that they stop at once. */
export async function announceEndedSyncs(context: Context, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map((id) => context.broadcast.publish(ENDED, id)));
}

/** @returns the way to stop listening */
export function onEndedSync(context: Context, listener: (id: string) => void): () => void {
  return context.broadcast.subscribe(ENDED, listener);
}

/** @returns the way to stop listening */
export function onWaitingSync(context: Context, listener: () => void): () => void {
  return context.broadcast.subscribe(TOPIC, listener);
}
