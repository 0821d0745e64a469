import { sql } from 'drizzle-orm';
import { Gauge, type Registry } from 'prom-client';
import type { Queryable } from '../db/database.ts';
import { limitReads } from '../limited-reads.ts';

/** Time for which the counts are kept, ms. */
const FRESH_MS = 5000;

// A type alias, because an interface is no `Record<string, unknown>`.
type WaitingJobs = { queue: string; waiting: number; oldest_seconds: number };

/** Reads due jobs that no worker has fetched. The state is compared as in pg-boss's index on waiting jobs. */
export async function readWaitingJobs(db: Queryable, names: readonly string[]): Promise<WaitingJobs[]> {
  const { rows } = await db.execute<WaitingJobs>(sql`
    select queue, waiting, coalesce(extract(epoch from now() - oldest), 0)::float8 as oldest_seconds
    from unnest(array[${sql.join(
      names.map((name) => sql`${name}`),
      sql`, `,
    )}]::text[]) as queue, lateral (
      select count(*)::int as waiting, min(start_after) as oldest from pgboss.job
      where name = queue and state < 'active' and start_after <= now()) as due`);
  return rows;
}

/**
 * Counts the jobs that run, and those whose last attempt failed, by queue; queues without any are left out. A failed job that is
 * due again counts as waiting only.
 */
export async function countUnfinishedJobs(
  db: Queryable,
): Promise<{ queue: string; running: number; failed: number }[]> {
  const { rows } = await db.execute<{ queue: string; running: number; failed: number }>(sql`
    select name as queue, count(*) filter (where state = 'active')::int as running,
      count(*) filter (where state = 'failed' or state = 'retry' and start_after > now())::int as failed
    from pgboss.job where state in ('retry', 'active', 'failed') group by name`);
  return rows;
}

/**
 * Exports the number of due jobs that wait for a worker, and the age of the oldest, by queue. Both are missing while the
 * database does not answer.
 */
export function exportWaitingJobs(
  registry: Registry,
  db: Queryable,
  queues: readonly { name: string }[],
): void {
  const names = queues.map(({ name }) => name);
  const read = limitReads(() => readWaitingJobs(db, names), FRESH_MS);
  const addGauge = (name: string, help: string, value: (jobs: WaitingJobs) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [registry],
      async collect() {
        const found = await read();
        this.reset();
        for (const jobs of found) this.set({ queue: jobs.queue }, value(jobs));
      },
    });
  addGauge('datadeck_jobs_waiting', 'Due jobs that wait for a worker', ({ waiting }) => waiting);
  addGauge(
    'datadeck_job_oldest_waiting_seconds',
    'Time since the oldest waiting job was due; 0 when none waits',
    ({ oldest_seconds }) => oldest_seconds,
  );
}
