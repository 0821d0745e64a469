import { type SQL, sql } from 'drizzle-orm';
import { fromDrizzle, type PgBoss } from 'pg-boss';
import { z } from 'zod';
import type { Queryable } from '../db/database.ts';

/** One attempt at a job. Serves as the fencing token: writes of an outdated attempt are rejected. */
export interface JobClaim {
  jobId: string;
  /** From 0; increases with each fetch. */
  attempt: number;
}

/** A job to enqueue. */
export interface NewJob {
  id: string;
  data: object;
  /** Jobs with the highest priority are fetched first. */
  priority: number;
}

/** A fetched job. */
export interface FetchedJob extends JobClaim {
  /** Not validated; parse it with a schema. */
  data: unknown;
}

/** Result of pg-boss commands that settle or touch jobs; missing in its types. */
const touchedSchema = z.object({ settled: z.array(z.string()) });

/** Jobs of one queue whose workers fetch, touch and settle them explicitly. Every call is bound to the attempt. */
export class JobClaims {
  readonly #boss: PgBoss;
  readonly #queue: string;

  constructor(boss: PgBoss, queue: string) {
    this.#boss = boss;
    this.#queue = queue;
  }

  /** Stores jobs in the caller's transaction. */
  async send(tx: Queryable, jobs: NewJob[]): Promise<void> {
    if (jobs.length > 0) await this.#boss.insert(this.#queue, jobs, { db: fromDrizzle(tx, sql) });
  }

  /** Fetches up to `count` due jobs and marks them as active. */
  async fetch(db: Queryable, count: number): Promise<FetchedJob[]> {
    const jobs = await this.#boss.fetch(this.#queue, { batchSize: count, db: fromDrizzle(db, sql) });
    return jobs.map(({ id, retryCount, data }) => ({ jobId: id, attempt: retryCount, data }));
  }

  /** Sends the heartbeat of active attempts. @returns the ids of the jobs whose attempt is still the active one */
  async touch(claims: readonly JobClaim[]): Promise<ReadonlySet<string>> {
    const touched = await this.#boss.touch(this.#queue, claims.map(attemptOf));
    return new Set(touchedSchema.parse(touched).settled);
  }

  /** Completes a job, if the attempt is still the active one. */
  async complete(claim: JobClaim): Promise<void> {
    await this.#boss.complete(this.#queue, attemptOf(claim));
  }

  /** Fails the attempt if it is still the active one; the job is retried after the queue's backoff. */
  async fail(claim: JobClaim, reason: string): Promise<void> {
    await this.#boss.fail(this.#queue, attemptOf(claim), { message: reason });
  }
}

function attemptOf({ jobId, attempt }: JobClaim): { id: string; retryCount: number } {
  return { id: jobId, retryCount: attempt };
}

// The following statements access pg-boss's table directly, to combine it with the caller's tables in one statement. The
// states and columns are those of its `fetchNextJob`, `cancelJobs` and `failJobs` (dist/plans.js).

/** Returns the SQL condition that an attempt is the job's active one. */
export function isActiveAttempt(queue: string, { jobId, attempt }: JobClaim): SQL {
  return sql`exists (
    select from pgboss.job where name = ${queue} and id = ${jobId} and retry_count = ${attempt} and state = 'active')`;
}

/** Returns the SQL condition that a job with this id is waiting or active. */
export function isOpenJob(queue: string, id: SQL): SQL {
  return sql`exists (select from pgboss.job where name = ${queue} and id = ${id} and state < 'completed')`;
}

/** Returns a statement that cancels jobs. @param ids a query that returns job ids */
export function cancelJobs(queue: string, ids: SQL): SQL {
  return sql`
    update pgboss.job set state = 'cancelled', completed_on = now()
    where name = ${queue} and id in (${ids}) and state < 'completed'`;
}

/** Returns a statement that releases an active attempt without a failure; it can be fetched again from `startAfter` on. */
export function releaseJob(queue: string, { jobId, attempt }: JobClaim, startAfter: Date | SQL): SQL {
  return sql`
    update pgboss.job set state = 'retry', start_after = ${startAfter}, heartbeat_on = null
    where name = ${queue} and id = ${jobId} and retry_count = ${attempt} and state = 'active'`;
}

/** Returns a statement that releases all active attempts of a queue, whose workers are dead. */
export function releaseAllJobs(queue: string): SQL {
  return sql`
    update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null
    where name = ${queue} and state = 'active'`;
}
