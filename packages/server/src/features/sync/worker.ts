import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { Backoff } from '../../platform/backoff.ts';
import type { Context } from '../../platform/context/index.ts';
import { isConnectionFailure } from '../../platform/db/failures.ts';
import { onEndedSync, onWaitingSync } from './queue.ts';
import { type RunnerParts, SyncRunner } from './run.ts';
import { hasLegacy } from './storage/index.ts';

const SWEEP_MS = 3000;
/** Syncs that one process works at: more would only make each other, and pages, wait for the processor. */
const AT_WORK = 8;
/** Syncs that one process holds, those included that wait for their provider: each keeps a page or two in memory. */
const HELD = 256;

/** Failures of a sync that are older than this no longer count, ms. */
const FORGET_MS = 600_000;

/** How much later a run comes for each run that its user started in the hour before it. */
const HANDICAP = sql`interval '1 minute'`;

type WorkerParts = Omit<RunnerParts, 'shutdown' | 'onWait'>;

/** A sync that this process runs. */
interface HeldSync {
  ended: Promise<void>;
  stop(): void;
  /** Until then (ms) it waits for its provider and lets another have its place. */
  waitingUntil: number;
}

/**
 * Runs syncs in this process. It takes the oldest first, where those of a user with many count as younger. Syncs that it was
 * not notified of, or that lost their worker, it finds by looking every few seconds. Where the database cannot be written
 * to, or one sync stops again and again, it backs off and logs the change of state alone.
 */
export class SyncWorker {
  readonly #context: Context;
  readonly #parts: WorkerParts;
  readonly #atWork: number;
  readonly #shutdown = new AbortController();
  readonly #held = new Map<string, HeldSync>();
  #looking: Promise<void> | undefined;
  /** Something happened since the last look. */
  #isStale = false;
  #sweep: NodeJS.Timeout | undefined;
  readonly #unsubscribe: (() => void)[] = [];
  /** The database, for all syncs. */
  readonly #database = new Backoff();
  /** Syncs that stopped here, or whose lease was not to be had, by id. */
  readonly #stopped = new Map<string, Backoff>();

  /** @param atWork syncs that are worked at, at most */
  constructor(context: Context, parts: WorkerParts, atWork = AT_WORK) {
    this.#context = context;
    this.#parts = parts;
    this.#atWork = atWork;
  }

  /** @param alone true when no other process can run syncs on this database: every lease is then a dead one's */
  async start(alone: boolean): Promise<void> {
    if (alone)
      await this.#context.db.execute(
        sql`update syncs set lease_owner = null, lease_until = null where status = 'started'`,
      );
    this.#unsubscribe.push(
      onWaitingSync(this.#context, () => this.#look()),
      onEndedSync(this.#context, (id) => this.#held.get(id)?.stop()),
    );
    this.#sweep = setInterval(() => this.#look(), SWEEP_MS);
    this.#look();
  }

  /** Fills the free places. Calls that come meanwhile are answered by one more look. */
  #look(): void {
    this.#isStale = true;
    this.#looking ??= this.#fill().finally(() => {
      this.#looking = undefined;
      if (this.#isStale) this.#look();
    });
  }

  async #fill(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const places = this.#freePlaces();
      if (places <= 0 || this.#shutdown.signal.aborted || this.#database.waitMs(Date.now()) > 0) return;
      try {
        for (const { user_id, id } of await this.#nextInTurn(places)) this.#take(user_id, id);
      } catch (error) {
        this.#noteOutage(error);
      }
    }
  }

  /** The database fails, or takes no writes: all syncs wait. */
  #noteOutage(error: unknown): void {
    if (this.#shutdown.signal.aborted) return;
    if (this.#database.failed(Date.now()))
      this.#context.log.warn({ err: error }, 'syncs cannot be run at the moment; they are tried again');
  }

  #noteRun(syncId: string, wasRun: boolean): void {
    if (!wasRun) return void this.#backoffOf(syncId).failed(Date.now());
    this.#stopped.delete(syncId);
    if (this.#database.succeeded()) this.#context.log.info('syncs can be run again');
  }

  #noteStop(syncId: string, error: unknown): void {
    if (isConnectionFailure(error)) this.#noteOutage(error);
    else if (this.#backoffOf(syncId).failed(Date.now()))
      this.#context.log.error({ err: error, syncId }, 'a sync stopped and will be taken up again');
  }

  #backoffOf(syncId: string): Backoff {
    const known = this.#stopped.get(syncId) ?? new Backoff();
    this.#stopped.set(syncId, known);
    return known;
  }

  /** Syncs that are not to be taken now: those held, and those that stopped a moment ago. */
  #excluded(): string[] {
    const now = Date.now();
    for (const [id, backoff] of this.#stopped) if (backoff.waitMs(now) < -FORGET_MS) this.#stopped.delete(id);
    const resting = [...this.#stopped].filter(([, backoff]) => backoff.waitMs(now) > 0);
    return [...this.#held.keys(), ...resting.map(([id]) => id)];
  }

  #freePlaces(): number {
    const now = Date.now();
    const waiting = [...this.#held.values()].filter(({ waitingUntil }) => waitingUntil > now).length;
    return Math.min(this.#atWork + waiting, HELD) - this.#held.size;
  }

  /** Selects started syncs that nobody holds and that need not wait, neither for their provider nor for a backfill. */
  async #nextInTurn(count: number): Promise<{ user_id: string; id: string }[]> {
    const { rows } = await this.#context.db.execute<{ user_id: string; id: string }>(sql`
      select user_id, id from syncs as waiting
      where status = 'started'
        and (lease_until is null or lease_until < now()) and (waiting_until is null or waiting_until < now())
        and id <> all(${sql.param(this.#excluded())}::uuid[]) and not ${hasLegacy('waiting')}
      order by created_at + ${HANDICAP} * (
        select count(*) from syncs as earlier
        where earlier.user_id = waiting.user_id and earlier.number < waiting.number
          and earlier.created_at > waiting.created_at - interval '1 hour'), created_at
      limit ${count}`);
    return rows;
  }

  #take(userId: string, syncId: string): void {
    if (this.#held.has(syncId) || this.#shutdown.signal.aborted) return;
    const held: HeldSync = { ended: Promise.resolve(), stop: () => runner.stop(), waitingUntil: 0 };
    this.#held.set(syncId, held);
    const onWait = (until: Date) => {
      held.waitingUntil = until.getTime();
      this.#look();
    };
    const parts = { ...this.#parts, shutdown: this.#shutdown.signal, onWait };
    // Each run has an owner of its own: a worker that takes it up later, of this process too, is another one.
    const runner = new SyncRunner(this.#context, parts, { userId, syncId, owner: randomUUID() });
    held.ended = runner
      .perform()
      .then((wasRun) => this.#noteRun(syncId, wasRun))
      .catch((error: unknown) => this.#noteStop(syncId, error))
      .finally(() => {
        this.#held.delete(syncId);
        this.#look();
      });
  }

  /** Gives every run back at its checkpoint and waits for that. */
  async stop(): Promise<void> {
    clearInterval(this.#sweep);
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#shutdown.abort(new Error('shutting down'));
    await Promise.allSettled([this.#looking, ...[...this.#held.values()].map(({ ended }) => ended)]);
  }
}
