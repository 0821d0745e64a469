import { sql } from 'drizzle-orm';
import type { Queryable } from '../src/platform/db/database.ts';
import type { JobClaim } from '../src/platform/jobs/job-claims.ts';

/** Starts the next attempt at a sync's job, like the fetch of another worker after the last one died. */
export async function takeJob(db: Queryable, syncId: string): Promise<JobClaim> {
  const { rows } = await db.execute<{ id: string; attempt: number }>(sql`
    update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now(),
      retry_count = case when started_on is null then retry_count else retry_count + 1 end
    where name = 'sync' and state < 'completed' and id = (select job_id from syncs where id = ${syncId})
    returning id, retry_count as attempt`);
  const [job] = rows;
  if (!job) throw new Error('the sync has no job');
  return { jobId: job.id, attempt: job.attempt };
}
