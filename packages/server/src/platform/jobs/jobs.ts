import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { type ConstructorOptions, fromDrizzle, type Job, PgBoss, type Queue } from 'pg-boss';
import { z } from 'zod';
import type { Queryable } from '../db/database.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { withRootSpan } from '../tracing/tracing.ts';
import { JobClaims } from './job-claims.ts';

/** Retry limit of jobs that must not be lost; only their handler completes them. */
export const UNLIMITED_RETRIES = 2 ** 31 - 1;

/**
 * A queue: its name, and how its jobs are run. `exclusive` allows one job for each key, waiting or running. Times are in
 * seconds; `expireInSeconds` is the longest attempt, and an attempt without a heartbeat for `heartbeatSeconds` is retried.
 */
export interface QueueDefinition
  extends Pick<Queue, 'retryLimit' | 'retryDelay' | 'retryBackoff' | 'heartbeatSeconds'> {
  name: string;
  policy?: 'standard' | 'exclusive';
  expireInSeconds: number;
  retryDelayMax?: number;
}

/** Options of jobs of at most a minute that must not be lost: retried with exponential backoff, 5 s to 5 minutes. */
export const SHORT_JOBS = {
  expireInSeconds: 60,
  heartbeatSeconds: 10,
  retryLimit: UNLIMITED_RETRIES,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 300,
} as const satisfies Partial<QueueDefinition>;

/** Options of jobs that wait for an evaluation and read its result, and must not be lost: retried like `SHORT_JOBS`. */
export const EVALUATION_JOBS = {
  ...SHORT_JOBS,
  expireInSeconds: 300,
} as const satisfies Partial<QueueDefinition>;

/**
 * Options of the job that brings stored data to the state of a new version: one at a time over all processes, retried with
 * exponential backoff, 10 s to 15 minutes.
 */
export const BACKFILL_JOBS = {
  policy: 'exclusive',
  expireInSeconds: 12 * 3600,
  heartbeatSeconds: 10,
  retryLimit: UNLIMITED_RETRIES,
  retryDelay: 10,
  retryBackoff: true,
  retryDelayMax: 900,
} as const satisfies Partial<QueueDefinition>;

/** Options of a job to enqueue. */
export interface SendOptions {
  /** Transaction that stores the job. Default: a separate one. */
  db?: Queryable;
  /** Key of the job in an `exclusive` queue. */
  singletonKey?: string;
  /** The earliest start: an instant, or a number of seconds from now. Default: now. */
  startAfter?: Date | number;
  /** Jobs with a higher number are started first; default 0. */
  priority?: number;
}

/** One attempt of a worker at a job. */
export interface JobAttempt {
  /** Payload, not validated; parse it with a schema. */
  data: unknown;
  /** Aborts when the process stops, when the attempt takes too long, and when another worker has the job. */
  signal: AbortSignal;
  /**
   * Completes the job within a transaction, so that its effects are stored exactly once.
   * @throws JobLost when this attempt no longer holds the job
   */
  complete(tx: Queryable): Promise<void>;
}

/** Thrown when an attempt no longer holds its job: another worker has it, or it was replaced. */
export class JobLost extends Error {
  constructor() {
    super('another worker has this job, or it was replaced');
  }
}

/** Result of a pg-boss command; untyped in pg-boss. */
const affectedSchema = z.object({ affected: z.number() });

/** Polling interval of each worker, s; an enqueued job starts within this time. */
export const POLLING_S = 1;
/** Smallest interval between two warnings about the queue itself. */
const MIN_WARNING_INTERVAL_MS = 30_000;
/** Interval of the search for dead attempts, s; with a heartbeat of 10 s, a killed worker's job restarts in half a minute. */
const SUPERVISE_S = 4;
/** Interval of the deletion of completed jobs, and time for which they are kept, s. */
const MAINTENANCE_S = 300;
const KEEP_COMPLETED_S = 60;
/** Longest wait of a job, s; longer than any downtime. */
const KEEP_WAITING_S = 5 * 365 * 86_400;

function bossOptions(connection: pg.PoolConfig): ConstructorOptions {
  const { connectionString, host, port, user, database, password } = connection;
  const where =
    connectionString === undefined ? { host, port, user, database, password } : { connectionString };
  return Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined));
}

function withTransaction({ db, ...options }: SendOptions): object {
  return db ? { ...options, db: fromDrizzle(db as Parameters<typeof fromDrizzle>[0], sql) } : options;
}

/**
 * Background jobs with pg-boss on the product's database. Delivery is at least once, so a handler must be idempotent or
 * store its effects in the transaction of `JobAttempt.complete`.
 */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #queues: readonly QueueDefinition[];
  readonly #log: Logger;
  readonly #failures: Metrics['jobFailures'];
  readonly #stopping = new AbortController();
  /** When the last warning about the queue itself was logged, ms. */
  #warnedAt = Number.NEGATIVE_INFINITY;
  /** Workers of this process by queue. */
  readonly #workers = new Map<string, string[]>();

  constructor(
    connection: pg.PoolConfig,
    queues: readonly QueueDefinition[],
    { log, metrics }: { log: Logger; metrics: Pick<Metrics, 'jobFailures'> },
  ) {
    this.#queues = queues;
    this.#log = log;
    this.#failures = metrics.jobFailures;
    this.#boss = new PgBoss({
      ...bossOptions(connection),
      max: 4,
      application_name: 'datadeck-jobs',
      // In 12.35 the listener has no error handler while it closes, so a lost connection would end the process.
      useListenNotify: false,
      schedule: true,
      superviseIntervalSeconds: SUPERVISE_S,
      monitorIntervalSeconds: SUPERVISE_S,
      maintenanceIntervalSeconds: MAINTENANCE_S,
    });
    this.#boss.on('error', (error) => this.#logOutage(error));
  }

  /** The names of all queues. */
  get names(): string[] {
    return this.#queues.map(({ name }) => name);
  }

  /** Creates the queues or updates those of an earlier version. A queue's policy cannot change. */
  async start(): Promise<void> {
    await this.#boss.start();
    for (const { name, policy = 'standard', ...options } of this.#queues) {
      const kept = { ...options, deleteAfterSeconds: KEEP_COMPLETED_S, retentionSeconds: KEEP_WAITING_S };
      await this.#boss.createQueue(name, { policy, ...kept });
      await this.#boss.updateQueue(name, kept);
      // Export the counter at 0, so that the first failure is visible as an increase.
      this.#failures.inc({ queue: name }, 0);
    }
  }

  /** Enqueues a job, unless an `exclusive` queue already contains one with its key. */
  async send(queue: string, data: object, options: SendOptions = {}): Promise<void> {
    await this.#boss.send(queue, data, withTransaction(options));
    if (options.db === undefined) this.#wake(queue);
  }

  /** Enqueues jobs like `send`, in one statement. */
  async sendAll(
    queue: string,
    jobs: readonly { data: object; singletonKey: string; startAfter: Date }[],
  ): Promise<void> {
    await this.#boss.insert(
      queue,
      jobs.map((job) => ({ ...job, startAfter: job.startAfter.toISOString() })),
    );
  }

  /** Replaces the jobs with the same key by a new one. Running attempts at the old jobs can no longer complete. */
  async replace(
    queue: string,
    data: object,
    options: SendOptions & { singletonKey: string; db: Queryable },
  ): Promise<void> {
    const { db, singletonKey } = options;
    const within = withTransaction({ db });
    const found = await this.#boss.findJobs(queue, { key: singletonKey, ...within });
    if (found.length > 0)
      await this.#boss.deleteJob(
        queue,
        found.map(({ id }) => id),
        within,
      );
    await this.send(queue, data, options);
  }

  /** Enqueues a job on a cron schedule, once for all processes. @param cron five fields, UTC, e.g. `0 3 * * *` */
  async schedule(queue: string, cron: string): Promise<void> {
    await this.#boss.schedule(queue, cron, {});
  }

  /** Ends the cron schedule of a queue, if it has one. */
  async unschedule(queue: string): Promise<void> {
    await this.#boss.unschedule(queue);
  }

  /** Runs jobs of a queue, up to `concurrency` at once in this process. Retries a job whose handler throws. */
  async work(
    queue: string,
    { concurrency }: { concurrency: number },
    perform: (attempt: JobAttempt) => Promise<void>,
  ): Promise<void> {
    const ids = this.#workers.get(queue) ?? [];
    this.#workers.set(queue, ids);
    for (let count = 0; count < concurrency; count++) {
      const id = await this.#boss.work<object>(
        queue,
        { pollingIntervalSeconds: POLLING_S },
        async ([job]) => {
          try {
            if (job)
              await withRootSpan(`job ${queue}`, { 'job.id': job.id }, () =>
                this.#perform(queue, job, perform),
              );
          } finally {
            // More jobs may be waiting, so poll again immediately.
            this.#boss.notifyWorker(id);
          }
        },
      );
      ids.push(id);
    }
  }

  /** Returns a queue whose workers fetch and settle jobs explicitly. */
  claims(queue: string): JobClaims {
    return new JobClaims(this.#boss, queue);
  }

  /** Makes this process's workers of a queue poll immediately. */
  #wake(queue: string): void {
    for (const id of this.#workers.get(queue) ?? []) this.#boss.notifyWorker(id);
  }

  async #perform(queue: string, job: Job, perform: (attempt: JobAttempt) => Promise<void>): Promise<void> {
    const late = new AbortController();
    const tooLong = setTimeout(() => {
      late.abort(new Error(`the job took longer than ${job.expireInSeconds} s`));
      this.#recordFailure(queue, job, late.signal.reason);
    }, job.expireInSeconds * 1000).unref();
    const signal = AbortSignal.any([job.signal, late.signal, this.#stopping.signal]);
    const complete = async (tx: Queryable) => {
      const completed = await this.#boss.complete(queue, job, null, withTransaction({ db: tx }));
      if (affectedSchema.parse(completed).affected === 0) throw new JobLost();
    };
    try {
      await perform({ data: job.data, signal, complete });
    } catch (error) {
      if (!signal.aborted && !(error instanceof JobLost)) this.#recordFailure(queue, job, error);
      throw error;
    } finally {
      clearTimeout(tooLong);
    }
  }

  /** Logs that the queue is unavailable. Every worker retries each second, so repeated warnings are suppressed. */
  #logOutage(error: unknown): void {
    const isNew = Date.now() - this.#warnedAt > MIN_WARNING_INTERVAL_MS;
    if (isNew) this.#warnedAt = Date.now();
    this.#log[isNew ? 'warn' : 'debug']({ err: error }, 'the job queue is unavailable; retrying');
  }

  /** Logs and counts a failure, which pg-boss only stores. */
  #recordFailure(queue: string, { id: jobId }: Job, error: unknown): void {
    this.#log.error({ err: error, queue, jobId }, 'a job failed');
    this.#failures.inc({ queue });
  }

  /** Stops fetching jobs, aborts running ones and waits for them, at most `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort(new Error('the process stops'));
    await this.#boss.stop({ graceful: true, timeout: timeoutMs, close: true });
  }
}
