import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { enqueueSync, SYNC_QUEUE, syncJobSchema } from './queue.ts';
import { type RunnerParts, SyncRunner } from './run.ts';

const SWEEP_MS = 3000;
/** Syncs that one process runs at once. */
const CONCURRENCY = 16;

/** Runs syncs in this process: takes jobs, and looks for runs that lost their worker. */
export class SyncWorker {
  readonly #context: Context;
  readonly #parts: Omit<RunnerParts, 'shutdown'>;
  readonly #shutdown = new AbortController();
  readonly #owner = randomUUID();
  readonly #running = new Set<Promise<void>>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(context: Context, parts: Omit<RunnerParts, 'shutdown'>) {
    this.#context = context;
    this.#parts = parts;
  }

  /** @param alone true when no other process can run syncs on this database: every lease is then a dead one's */
  async start(alone: boolean): Promise<void> {
    if (alone)
      await this.#context.db.execute(
        sql`update syncs set lease_owner = null, lease_until = null where status = 'started'`,
      );
    await this.#context.jobs.work(SYNC_QUEUE.name, CONCURRENCY, (data) => this.#take(data));
    await this.#wakeOrphans(0);
    this.#sweep = setInterval(() => void this.#wakeOrphans(SWEEP_MS / 1000), SWEEP_MS);
  }

  async #take(data: unknown): Promise<void> {
    if (this.#shutdown.signal.aborted) return;
    const job = syncJobSchema.parse(data);
    // An owner of its own for each run: two jobs of one sync in one process exclude each other too.
    const lease = { ...job, owner: randomUUID() };
    const runner = new SyncRunner(this.#context, { ...this.#parts, shutdown: this.#shutdown.signal }, lease);
    const run = runner.perform();
    this.#running.add(run);
    try {
      await run;
    } catch (error) {
      this.#context.log.error(
        { err: error, syncId: job.syncId, worker: this.#owner },
        'a sync stopped and will be taken up again',
      );
    } finally {
      this.#running.delete(run);
    }
  }

  /** Enqueues started syncs that nobody holds and that are not waiting. */
  async #wakeOrphans(quietSeconds: number): Promise<void> {
    try {
      const { rows } = await this.#context.db.execute<{ user_id: string; id: string }>(sql`
        select user_id, id from syncs
        where status = 'started' and (lease_until is null or lease_until < now())
          and (waiting_until is null or waiting_until < now())
          and created_at <= now() - make_interval(secs => ${quietSeconds})
        order by created_at limit 200`);
      for (const row of rows) await enqueueSync(this.#context, row.user_id, row.id);
    } catch (error) {
      if (!this.#shutdown.signal.aborted)
        this.#context.log.warn({ err: error }, 'looking for interrupted syncs failed');
    }
  }

  /** Gives every run back at its checkpoint and waits for that. */
  async stop(): Promise<void> {
    clearInterval(this.#sweep);
    this.#shutdown.abort(new Error('shutting down'));
    await Promise.allSettled([...this.#running]);
  }
}
