import { z } from 'zod';
import { Backoff } from '../../platform/backoff.ts';
import type { Context } from '../../platform/context/index.ts';
import { isConnectionFailure } from '../../platform/db/failures.ts';
import { type FetchedJob, giveBackAllJobs, type JobClaims } from '../../platform/jobs/job-claims.ts';
import type { Claim } from './claim.ts';
import { onEndedSync, onWaitingSync, SYNC_QUEUE, sendMissingJobs } from './queue.ts';
import { type RunnerParts, SyncRunner } from './run.ts';

/** How often due jobs are looked for: delayed ones, those to be tried again, and those whose notification was lost. */
const POLL_MS = 3000;
const HEARTBEAT_MS = 3000;
/** Syncs that one process works at: more would only make each other, and pages, wait for the processor. */
const AT_WORK = 8;
/** Syncs that one process holds, those included that wait for their provider: each keeps a page or two in memory. */
const HELD = 256;

const jobSchema = z.object({ userId: z.string(), syncId: z.string() });

type WorkerParts = Omit<RunnerParts, 'shutdown' | 'onWait'>;

/** A sync that this process runs. */
interface HeldSync {
  claim: Claim;
  ended: Promise<void>;
  stop(): void;
  /** Until then (ms) it waits for its provider and lets another have its place. */
  waitingUntil: number;
}

/**
 * Runs syncs in this process: fetches as many jobs as it has free places, when it is notified and every few seconds, and
 * sends their heartbeats. Where the database cannot be read or written, it backs off and logs the change of state alone.
 */
export class SyncWorker {
  readonly #context: Context;
  readonly #parts: WorkerParts;
  readonly #atWork: number;
  readonly #jobs: JobClaims;
  readonly #shutdown = new AbortController();
  readonly #held = new Set<HeldSync>();
  #fetching: Promise<void> | undefined;
  /** Something happened since the last fetch. */
  #isStale = false;
  #isBeating = false;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #unsubscribe: (() => void)[] = [];
  readonly #database = new Backoff();

  /** @param atWork syncs that are worked at, at most */
  constructor(context: Context, parts: WorkerParts, atWork = AT_WORK) {
    this.#context = context;
    this.#parts = parts;
    this.#atWork = atWork;
    this.#jobs = context.jobs.claims(SYNC_QUEUE.name);
  }

  /** @param alone true when no other process can run syncs on this database: every active job is then a dead one's */
  async start(alone: boolean): Promise<void> {
    if (alone) await this.#context.db.execute(giveBackAllJobs(SYNC_QUEUE.name));
    await sendMissingJobs(this.#context).catch((error: unknown) => this.#noteOutage(error));
    this.#unsubscribe.push(
      onWaitingSync(this.#context, () => this.#wake()),
      onEndedSync(this.#context, (id) => {
        for (const { claim, stop } of this.#held) if (claim.syncId === id) stop();
      }),
    );
    this.#timers.push(
      setInterval(() => this.#wake(), POLL_MS),
      setInterval(() => void this.#beat(), HEARTBEAT_MS),
    );
    this.#wake();
  }

  /** Fills the free places. Calls while it does so cause one more fetch. */
  #wake(): void {
    this.#isStale = true;
    this.#fetching ??= this.#fill().finally(() => {
      this.#fetching = undefined;
      if (this.#isStale) this.#wake();
    });
  }

  async #fill(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const places = this.#freePlaces();
      if (places <= 0 || this.#shutdown.signal.aborted || this.#database.waitMs(Date.now()) > 0) return;
      try {
        for (const job of await this.#jobs.fetch(this.#context.db, places)) this.#take(job);
      } catch (error) {
        this.#noteOutage(error);
      }
    }
  }

  #freePlaces(): number {
    const now = Date.now();
    const waiting = [...this.#held].filter(({ waitingUntil }) => waitingUntil > now).length;
    return Math.min(this.#atWork + waiting, HELD) - this.#held.size;
  }

  /** Runs a fetched job, also while the process shuts down: the run then returns it. */
  #take({ data, ...job }: FetchedJob): void {
    const claim: Claim = { ...job, ...jobSchema.parse(data) };
    const onWait = (until: Date) => {
      held.waitingUntil = until.getTime();
      this.#wake();
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
    held.ended = this.#perform(runner, claim).finally(() => {
      this.#held.delete(held);
      this.#wake();
    });
  }

  async #perform(runner: SyncRunner, claim: Claim): Promise<void> {
    try {
      const hasEnded = await runner.perform();
      if (this.#database.succeeded()) this.#context.log.info('syncs can be run again');
      // A job that the run gave back, or that is another worker's by now, is left alone by either.
      if (hasEnded) await this.#jobs.complete(claim);
      else await this.#jobs.fail(claim, 'the run was interrupted');
    } catch (error) {
      this.#noteStop(claim.syncId, error);
      // Where this fails as well, the heartbeat has ended: the job is tried again all the same.
      await this.#jobs.fail(claim, String(error)).catch(() => undefined);
    }
  }

  #noteStop(syncId: string, error: unknown): void {
    this.#context.metrics.jobFailures.inc({ queue: SYNC_QUEUE.name });
    if (isConnectionFailure(error)) this.#noteOutage(error);
    else this.#context.log.error({ err: error, syncId }, 'a sync stopped and will be taken up again');
  }

  /** The database fails, or takes no writes: all syncs wait. */
  #noteOutage(error: unknown): void {
    if (this.#shutdown.signal.aborted) return;
    if (this.#database.failed(Date.now()))
      this.#context.log.warn({ err: error }, 'syncs cannot be run at the moment; they are tried again');
  }

  /** Sends the heartbeat of all jobs that this process holds, and stops the runs whose job it lost. */
  async #beat(): Promise<void> {
    if (this.#isBeating || this.#held.size === 0) return;
    this.#isBeating = true;
    const held = [...this.#held];
    try {
      const active = await this.#jobs.touch(held.map(({ claim }) => claim));
      for (const { claim, stop } of held) if (!active.has(claim.jobId)) stop();
    } catch (error) {
      // The runs notice it themselves when they commit.
      this.#context.log.debug({ err: error }, 'the heartbeat of syncs was not sent');
    } finally {
      this.#isBeating = false;
    }
  }

  /** Gives every run back at its checkpoint and waits for that. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#shutdown.abort(new Error('shutting down'));
    await this.#fetching;
    await Promise.allSettled([...this.#held].map(({ ended }) => ended));
    for (const timer of this.#timers) clearInterval(timer);
  }
}
