import { type SQL, sql } from 'drizzle-orm';
import { fromDrizzle, type PgBoss } from 'pg-boss';
import { z } from 'zod';
import type { Queryable } from '../db/pool.ts';

/** One attempt at a job. What its worker writes is fenced by it: a later attempt is another worker's. */
export interface JobClaim {
  jobId: string;
  /** From 0; grows with each fetch. */
  attempt: number;
}

export interface NewJob {
  id: string;
  data: object;
  /** The highest is fetched first. */
  priority: number;
}

export interface FetchedJob extends JobClaim {
  /** Unchecked: parse it. */
  data: unknown;
}

/** What pg-boss returns of statements that settle or touch jobs; its types leave it out. */
const touchedSchema = z.object({ settled: z.array(z.string()) });

/** Jobs of one queue that their workers fetch, keep alive and settle themselves. Every call is bound to the attempt. */
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

  /** Makes up to `count` jobs that are due active. */
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

  /** Has a job tried again after its queue's back-off, if the attempt is still the active one. */
  async fail(claim: JobClaim, reason: string): Promise<void> {
    await this.#boss.fail(this.#queue, attemptOf(claim), { message: reason });
  }
}

function attemptOf({ jobId, attempt }: JobClaim): { id: string; retryCount: number } {
  return { id: jobId, retryCount: attempt };
}

// What follows joins pg-boss's table with the caller's in one statement, which its functions cannot. The states and
// columns are those of its `fetchNextJob`, `cancelJobs` and `failJobs` (dist/plans.js).

/** The condition that an attempt is the job's active one. */
export function isActiveAttempt(queue: string, { jobId, attempt }: JobClaim): SQL {
  return sql`exists (
    select from pgboss.job where name = ${queue} and id = ${jobId} and retry_count = ${attempt} and state = 'active')`;
}

/** The condition that a job with this id waits or is active. */
export function isOpenJob(queue: string, id: SQL): SQL {
  return sql`exists (select from pgboss.job where name = ${queue} and id = ${id} and state < 'completed')`;
}

/** A statement that cancels the jobs with these ids. @param ids a query */
export function cancelJobs(queue: string, ids: SQL): SQL {
  return sql`
    update pgboss.job set state = 'cancelled', completed_on = now()
    where name = ${queue} and id in (${ids}) and state < 'completed'`;
}

/** A statement that releases an active attempt, to be fetched again from an instant on; this is no failure. */
export function releaseJob(queue: string, { jobId, attempt }: JobClaim, startAfter: Date | SQL): SQL {
  return sql`
    update pgboss.job set state = 'retry', start_after = ${startAfter}, heartbeat_on = null
    where name = ${queue} and id = ${jobId} and retry_count = ${attempt} and state = 'active'`;
}

/** A statement that releases every active attempt of a queue: their workers are dead. */
export function releaseAllJobs(queue: string): SQL {
  return sql`
    update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null
    where name = ${queue} and state = 'active'`;
}
