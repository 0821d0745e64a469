import { sql } from 'drizzle-orm';
import { until } from './syncing.ts';
import type { TestServer } from './test-server.ts';

interface StoredJob {
  state: string;
  data: Record<string, unknown>;
  /** Earliest start, s from now. */
  inSeconds: number;
}

/** Returns the waiting and running jobs of a queue. */
export async function jobsOf(server: TestServer, queue: string): Promise<StoredJob[]> {
  const { rows } = await server.product.context.db.execute<StoredJob & Record<string, unknown>>(sql`
    select state, data, extract(epoch from start_after - now())::float8 as "inSeconds" from pgboss.job
    where name = ${queue} and state <= 'active' order by created_on`);
  return rows;
}

/**
 * Waits until records are prepared and alerts compared with them; comparisons of a digest may wait for its time.
 * One statement reads all queues: a job that completes enqueues the next in its transaction, and two would miss both.
 */
export async function settleAlerts(server: TestServer): Promise<void> {
  await until(async () => {
    const { rows } = await server.product.context.db.execute(sql`select 1 from pgboss.job
      where name in ('backfill', 'data-change', 'alert-check') and state <= 'active'
        and not (state = 'created' and start_after > now() + interval '1 second') limit 1`);
    return rows.length === 0;
  });
}

/** Makes delayed jobs start now. */
export async function hastenJobs(server: TestServer, queue: string): Promise<void> {
  await server.product.context.db.execute(
    sql`update pgboss.job set start_after = now() where name = ${queue} and state < 'active'`,
  );
}

/** Makes a user's schedules and their jobs due, and waits until they were processed. */
export async function passScheduledTime(server: TestServer, userId: string, ms: number): Promise<void> {
  const { db } = server.product.context;
  const passed = sql`make_interval(secs => ${ms / 1000}::float8)`;
  await db.transaction(async (tx) => {
    await tx.execute(sql`update schedules set next_at = next_at - ${passed}, last_start_at = last_start_at - ${passed}
      where user_id = ${userId}`);
    await tx.execute(sql`update pgboss.job set start_after = start_after - ${passed}
      where name = 'schedule' and state < 'active' and data->>'userId' = ${userId}`);
  });
  await until(async () => {
    const due = sql`select 1 from schedules where user_id = ${userId} and next_at <= now()`;
    return (await db.execute(due)).rows.length === 0;
  });
}
