import type pg from 'pg';
import { type ConstructorOptions, PgBoss, type QueueOptions } from 'pg-boss';
import { JobClaims } from './job-claims.ts';
import type { Logger } from './log.ts';

/** How often jobs without a heartbeat are looked for, in one process at a time, s. */
const MONITOR_SECONDS = 4;

/** A queue's name, the most seconds one of its jobs may take, and what differs from the other queues. */
export interface QueueDefinition extends QueueOptions {
  name: string;
  expireInSeconds: number;
}

function bossOptions(connection: pg.PoolConfig): ConstructorOptions {
  const { connectionString, host, user, database, password } = connection;
  const where = connectionString === undefined ? { host, user, database, password } : { connectionString };
  return Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined));
}

/** The job queue: pg-boss on the product's database. A job only wakes work up; what is to be done stands in our tables. */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #queues: readonly QueueDefinition[];
  readonly #log: Logger;

  constructor(connection: pg.PoolConfig, queues: readonly QueueDefinition[], log: Logger) {
    this.#queues = queues;
    this.#log = log;
    this.#boss = new PgBoss({
      ...bossOptions(connection),
      max: 4,
      application_name: 'datadeck-jobs',
      // Its listener is left without a handler while it closes: a connection that breaks then would end the process.
      useListenNotify: false,
      schedule: true,
      superviseIntervalSeconds: MONITOR_SECONDS,
      monitorIntervalSeconds: MONITOR_SECONDS,
    });
    this.#boss.on('error', (error) => log.warn({ err: error }, 'job queue'));
  }

  async start(): Promise<void> {
    await this.#boss.start();
    for (const { name, ...options } of this.#queues) {
      await this.#boss.createQueue(name, {
        policy: 'standard',
        retryLimit: 2,
        retryDelay: 5,
        deleteAfterSeconds: 3600,
        ...options,
      });
    }
  }

  /** Enqueues a job. @param after the instant to wait for */
  async send(queue: string, data: object, after?: Date): Promise<void> {
    await this.#boss.send(queue, data, after === undefined ? {} : { startAfter: after });
  }

  /** Enqueues by the clock; at most one worker gets each tick. @param cron five fields, UTC */
  async schedule(queue: string, cron: string): Promise<void> {
    await this.#boss.schedule(queue, cron, {});
  }

  /** Takes jobs of a queue, up to `concurrency` at once in this process. The data is unchecked: parse it. */
  async work(queue: string, concurrency: number, perform: (data: unknown) => Promise<void>): Promise<void> {
    const options = { localConcurrency: concurrency, pollingIntervalSeconds: 2 };
    await this.#boss.work(queue, options, async (jobs) => {
      for (const job of jobs) {
        try {
          await perform(job.data);
        } catch (error) {
          // pg-boss stores the failure and says nothing.
          this.#log.error({ err: error, queue, jobId: job.id }, 'a job failed');
          throw error;
        }
      }
    });
  }

  /** Opens a queue whose workers fetch and settle the jobs themselves. */
  claims(queue: string): JobClaims {
    return new JobClaims(this.#boss, queue);
  }

  /** Takes no more jobs and waits for those under way, at most `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: timeoutMs, close: true });
  }
}
