import { z } from 'zod';
import { Backoff } from '../../platform/backoff.ts';
import type { Context } from '../../platform/context/index.ts';
import { isConnectionFailure } from '../../platform/db/failures.ts';
import { type FetchedJob, type JobClaims, releaseAllJobs } from '../../platform/jobs/job-claims.ts';
import { withRootSpan } from '../../platform/tracing/tracing.ts';
import type { Claim } from './claim.ts';
import { onEndedSync, onWaitingSync, SYNC_QUEUE, sendMissingJobs } from './queue.ts';
import { type RunnerParts, SyncRunner } from './run-attempt.ts';

/** Polling interval for due jobs, ms: delayed jobs, retries, and jobs whose notification was lost. */
const POLL_MS = 3000;
const HEARTBEAT_MS = 3000;
/** Maximum number of syncs that a process runs at once. More would slow down each other and the web pages. */
const MAX_ACTIVE_SYNCS = 8;
/**
 * Maximum number of syncs that a process holds, including those waiting for their provider. Each keeps one or two pages
 * in memory.
 */
const MAX_HELD_SYNCS = 256;

const jobSchema = z.object({ userId: z.string(), syncId: z.string() });

type WorkerParts = Omit<RunnerParts, 'shutdown' | 'onWait'>;

/** A sync whose job this process holds. */
interface HeldSync {
  claim: Claim;
  ended: Promise<void>;
  stop(): void;
  /** Time (ms since 1970) until which it waits for its provider; its slot is free for another sync until then. */
  waitingUntil: number;
}

/**
 * Runs syncs in this process: fetches a job for each free slot, on notification and every few seconds, and sends
 * heartbeats. Backs off while the database is unreachable or read-only, and logs only when that state changes.
 */
export class SyncWorker {
  readonly #context: Context;
  readonly #parts: WorkerParts;
  readonly #maxActive: number;
  readonly #jobs: JobClaims;
  readonly #shutdown = new AbortController();
  readonly #held = new Set<HeldSync>();
  #fetching: Promise<void> | undefined;
  /** True when something changed since the last fetch started. */
  #isStale = false;
  #isSendingHeartbeats = false;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #unsubscribe: (() => void)[] = [];
  readonly #database = new Backoff();

  /** @param maxActive maximum number of syncs that run at once */
  constructor(context: Context, parts: WorkerParts, maxActive = MAX_ACTIVE_SYNCS) {
    this.#context = context;
    this.#parts = parts;
    this.#maxActive = maxActive;
    this.#jobs = context.jobs.claims(SYNC_QUEUE.name);
  }

  /**
   * Starts fetching jobs and sending heartbeats.
   * @param isOnlyProcess true when no other process can run syncs on this database, so that every active job belongs to a dead
   * process
   */
  async start(isOnlyProcess: boolean): Promise<void> {
    if (isOnlyProcess) await this.#context.db.execute(releaseAllJobs(SYNC_QUEUE.name));
    await sendMissingJobs(this.#context).catch((error: unknown) => this.#handleOutage(error));
    this.#unsubscribe.push(
      onWaitingSync(this.#context, () => this.#triggerFetch()),
      onEndedSync(this.#context, (id) => {
        for (const { claim, stop } of this.#held) if (claim.syncId === id) stop();
      }),
    );
    this.#timers.push(
      setInterval(() => this.#triggerFetch(), POLL_MS),
      setInterval(() => void this.#sendHeartbeats(), HEARTBEAT_MS),
    );
    this.#triggerFetch();
  }

  /** Fetches jobs for the free slots. A call during a fetch causes one more fetch. */
  #triggerFetch(): void {
    this.#isStale = true;
    this.#fetching ??= this.#fetchJobs().finally(() => {
      this.#fetching = undefined;
      if (this.#isStale) this.#triggerFetch();
    });
  }

  async #fetchJobs(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const slots = this.#freeSlots();
      if (slots <= 0 || this.#shutdown.signal.aborted || this.#database.waitMs(Date.now()) > 0) return;
      try {
        for (const job of await this.#jobs.fetch(this.#context.db, slots)) this.#runUnlessInvalid(job);
      } catch (error) {
        this.#handleOutage(error);
      }
    }
  }

  #freeSlots(): number {
    const now = Date.now();
    const waiting = [...this.#held].filter(({ waitingUntil }) => waitingUntil > now).length;
    return Math.min(this.#maxActive + waiting, MAX_HELD_SYNCS) - this.#held.size;
  }

  /** Runs a fetched job. Logs one that cannot be read, which is retried after its heartbeat times out. */
  #runUnlessInvalid(job: FetchedJob): void {
    try {
      this.#run(job);
    } catch (error) {
      this.#logFailure(`job ${job.jobId}`, error);
    }
  }

  /** Runs a fetched job. During a shutdown, the run releases it again. */
  #run({ data, ...job }: FetchedJob): void {
    const claim: Claim = { ...job, ...jobSchema.parse(data) };
    const onWait = (until: Date) => {
      held.waitingUntil = until.getTime();
      this.#triggerFetch();
    };
    const parts = { ...this.#parts, shutdown: this.#shutdown.signal, onWait };
    const runner = new SyncRunner(this.#context, parts, claim);
    const held: HeldSync = {
      claim,
      ended: Promise.resolve(),
      stop: () => runner.stop(),
      waitingUntil: 0,
    };
    this.#held.add(held);
    const ids = { 'sync.id': claim.syncId, 'user.id': claim.userId };
    held.ended = withRootSpan('sync', ids, () => this.#perform(runner, claim)).finally(() => {
      this.#held.delete(held);
      this.#triggerFetch();
    });
  }

  async #perform(runner: SyncRunner, claim: Claim): Promise<void> {
    try {
      const hasEnded = await runner.perform();
      if (this.#database.succeeded()) this.#context.log.info('syncs can run again');
      // Neither call affects a job that the run released or that another worker has claimed.
      if (hasEnded) await this.#jobs.complete(claim);
      else await this.#jobs.fail(claim, 'the run was interrupted');
    } catch (error) {
      this.#logFailure(claim.syncId, error);
      // If this fails too, the job is retried once its heartbeat times out.
      await this.#jobs.fail(claim, String(error)).catch(() => undefined);
    }
  }

  #logFailure(syncId: string, error: unknown): void {
    this.#context.metrics.jobFailures.inc({ queue: SYNC_QUEUE.name });
    if (isConnectionFailure(error)) this.#handleOutage(error);
    else
      this.#context.log.error({ err: error, syncId }, 'a sync stopped unexpectedly; its job will be retried');
  }

  /** Backs off: the database is unreachable or read-only, so all syncs wait. */
  #handleOutage(error: unknown): void {
    if (this.#shutdown.signal.aborted) return;
    if (this.#database.failed(Date.now()))
      this.#context.log.warn({ err: error }, 'syncs cannot run because of a database error; retrying');
  }

  /** Sends heartbeats for all held jobs and stops the runs whose job was lost. */
  async #sendHeartbeats(): Promise<void> {
    if (this.#isSendingHeartbeats || this.#held.size === 0) return;
    this.#isSendingHeartbeats = true;
    const held = [...this.#held];
    try {
      const active = await this.#jobs.touch(held.map(({ claim }) => claim));
      for (const { claim, stop } of held) if (!active.has(claim.jobId)) stop();
    } catch (error) {
      // A run whose job was lost fails at its next commit anyway.
      this.#context.log.debug({ err: error }, 'could not send the heartbeats of syncs');
    } finally {
      this.#isSendingHeartbeats = false;
    }
  }

  /** Releases every run at its checkpoint and waits until all have stopped. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#shutdown.abort(new Error('shutting down'));
    await this.#fetching;
    await Promise.allSettled([...this.#held].map(({ ended }) => ended));
    for (const timer of this.#timers) clearInterval(timer);
  }
}
