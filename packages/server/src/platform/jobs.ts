import type pg from 'pg';
import { type ConstructorOptions, PgBoss } from 'pg-boss';
import type { Logger } from './log.ts';

/** A queue's name and the most seconds one of its jobs may take. */
export interface QueueDefinition {
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
    });
    this.#boss.on('error', (error) => log.warn({ err: error }, 'job queue'));
  }

  async start(): Promise<void> {
    await this.#boss.start();
    for (const { name, expireInSeconds } of this.#queues) {
      await this.#boss.createQueue(name, {
        policy: 'standard',
        expireInSeconds,
        retryLimit: 2,
        retryDelay: 5,
        deleteAfterSeconds: 3600,
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

  /** Takes no more jobs and waits for those under way, at most `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: timeoutMs, close: true });
  }
}
