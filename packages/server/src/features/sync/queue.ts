import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isOpenJob, type NewJob } from '../../platform/jobs/job-claims.ts';
import { type QueueDefinition, UNLIMITED_RETRIES } from '../../platform/jobs/jobs.ts';
import { syncs } from './tables.ts';

/**
 * One job for each started sync, retried without limit until the sync has ended. A worker without a heartbeat for 10 s
 * is considered dead; another one continues its run within 30 s. An attempt lasts at most a day, pg-boss's maximum, and
 * then continues as a new attempt.
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
 * The priority of a sync's job: older syncs first. Each run that the user started in the hour before costs one minute,
 * so users with many queued syncs do not block others. In seconds since 2026, to fit pg-boss's integer.
 * @param userId of the sync, as a value or a column
 */
const priorityOf = (userId: string | SQL) => sql<number>`(
  extract(epoch from timestamptz '2026-01-01Z' - syncs.created_at)::int - 60 * (
    select count(*)::int from syncs as earlier
    where earlier.user_id = ${userId} and earlier.number < syncs.number
      and earlier.created_at > syncs.created_at - interval '1 hour'))`;

/** Broadcast topics. They are no user ids, which are the topics of page events. */
const WAITING_TOPIC = 'waiting-sync';
const ENDED_TOPIC = 'ended-sync';

/** Stores the job of a started sync in the caller's transaction. */
export async function sendSyncJob(
  context: Context,
  tx: Queryable,
  run: { userId: string; id: string; jobId: string },
): Promise<void> {
  const [row] = await tx
    .select({ priority: priorityOf(run.userId) })
    .from(syncs)
    .where(and(eq(syncs.userId, run.userId), eq(syncs.id, run.id)));
  if (row) await sendSyncJobs(context, tx, [{ ...run, priority: row.priority }]);
}

/** Stores the jobs of started syncs in the caller's transaction. */
async function sendSyncJobs(
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
 * Sends jobs for started syncs without one: syncs started by an earlier version, or whose job was lost in a database
 * crash. Does not affect runs that a worker holds. Usually finds none.
 */
export async function sendMissingJobs(context: Context): Promise<void> {
  const isSent = await context.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ user_id: string; id: string; job_id: string; priority: number }>(sql`
      update syncs set job_id = gen_random_uuid(), job_attempt = null
      where status = 'started' and not ${isOpenJob(SYNC_QUEUE.name, sql`syncs.job_id`)}
      returning user_id, id, job_id, ${priorityOf(sql`syncs.user_id`)} as priority`);
    const runs = rows.map((row) => ({ ...row, userId: row.user_id, jobId: row.job_id }));
    await sendSyncJobs(context, tx, runs);
    return rows.length > 0;
  });
  if (isSent) await announceWaitingSync(context);
}

/** Notifies the workers of all processes of a waiting sync; pg-boss decides which of them gets its job. */
export async function announceWaitingSync(context: Context): Promise<void> {
  await context.broadcast.publish(WAITING_TOPIC, '');
}

/** Notifies the workers of all processes that these syncs were ended from outside, so that they stop at once. */
export async function announceEndedSyncs(context: Context, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map((id) => context.broadcast.publish(ENDED_TOPIC, id)));
}

/** Subscribes to syncs that were ended from outside. @returns the function that unsubscribes */
export function onEndedSync(context: Context, listener: (id: string) => void): () => void {
  return context.broadcast.subscribe(ENDED_TOPIC, listener);
}

/** Subscribes to waiting syncs. @returns the function that unsubscribes */
export function onWaitingSync(context: Context, listener: () => void): () => void {
  return context.broadcast.subscribe(WAITING_TOPIC, listener);
}
