import { setTimeout as sleep } from 'node:timers/promises';
import { deleteQuotaGrants } from '../features/connections/index.ts';
import { deleteSchedules } from '../features/schedules/index.ts';
import {
  type ClaimedDeletion,
  claimDeletion,
  completeDeletionPass,
  deleteRecords,
  deleteSeenOfAccount,
  deleteSyncs,
  deleteUsage,
  isSwept,
  releaseDeletionClaim,
  renewDeletionClaim,
} from '../features/sync/index.ts';
import { Backoff } from '../platform/backoff.ts';
import type { Context } from '../platform/context/index.ts';

const SWEEP_MS = 3000;
const PROLONG_MS = 5000;
/** How long a user waits for data that is invisible already to be deleted as well. */
const ANSWER_WITHIN_MS = 2000;
const POLL_MS = 50;

/**
 * Deletes in the background, in small transactions, what a transaction of `deletion.ts` has made invisible. A process that
 * is killed leaves its deletion to the next one.
 */
export class DeletionWorker {
  readonly #context: Context;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #failures = new Backoff();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #sweeping: Promise<void> | undefined;

  /** @param context with connections to the database that pages do not need */
  constructor(context: Context) {
    this.#context = context;
  }

  /** Looks for deletions that another process has left, now and every few seconds. */
  start(): void {
    const look = () => {
      this.#sweeping ??= this.#sweepAll().finally(() => {
        this.#sweeping = undefined;
      });
    };
    this.#timer = setInterval(look, SWEEP_MS);
    look();
  }

  /** Begins deletions at once, and waits for them for a limited time: they go on in any case. */
  async hurry(ids: readonly string[]): Promise<void> {
    const swept = Promise.all(ids.map((id) => this.#sweepNamed(id)))
      .catch((error: unknown) => this.#noteFailure(error))
      .finally(() => this.#underWay.delete(swept));
    this.#underWay.add(swept);
    const late = new AbortController();
    const timeout = sleep(ANSWER_WITHIN_MS, undefined, { signal: late.signal, ref: false });
    await Promise.race([swept, timeout.catch(() => undefined)]);
    late.abort();
  }

  /** Sweeps a deletion, or waits for the worker that has claimed it. */
  async #sweepNamed(id: string): Promise<void> {
    const deadline = Date.now() + ANSWER_WITHIN_MS;
    if (await this.#sweepOne(id)) return;
    while (!this.#isStopped && Date.now() < deadline && !(await isSwept(this.#context.db, id)))
      await sleep(POLL_MS);
  }

  #noteFailure(error: unknown): void {
    if (this.#isStopped || !this.#failures.failed(Date.now())) return;
    this.#context.log.warn({ err: error }, 'deleted data could not be removed; it is tried again');
  }

  async #sweepAll(): Promise<void> {
    if (this.#failures.waitMs(Date.now()) > 0) return;
    try {
      while (!this.#isStopped && (await this.#sweepOne()));
      if (this.#failures.succeeded()) this.#context.log.info('deleted data is removed again');
    } catch (error) {
      this.#noteFailure(error);
    }
  }

  /** @returns false when nothing is due */
  async #sweepOne(id?: string): Promise<boolean> {
    const { db } = this.#context;
    const deletion = await claimDeletion(db, id);
    if (!deletion) return false;
    let prolonged = Date.now();
    const shouldContinue = async () => {
      if (this.#isStopped) return false;
      if (Date.now() - prolonged < PROLONG_MS) return true;
      prolonged = Date.now();
      await renewDeletionClaim(db, deletion);
      return true;
    };
    const isDone = await this.#deleteAll(deletion, shouldContinue);
    await (isDone ? completeDeletionPass(db, deletion) : releaseDeletionClaim(db, deletion));
    return true;
  }

  /** Runs are deleted first: without its row no worker can store a page. */
  async #deleteAll(deletion: ClaimedDeletion, shouldContinue: () => Promise<boolean>): Promise<boolean> {
    const { db } = this.#context;
    const { accountId, connectionId } = deletion;
    const of = connectionId ?? undefined;
    await deleteSyncs(db, accountId, of);
    await deleteSchedules(db, accountId, of);
    if (connectionId === null) {
      await deleteUsage(db, accountId);
      await deleteSeenOfAccount(db, accountId);
    }
    if (!(await deleteRecords(db, deletion, shouldContinue))) return false;
    await deleteQuotaGrants(db, accountId, of);
    return true;
  }

  /** Leaves deletions where they are. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await Promise.allSettled([this.#sweeping, ...this.#underWay]);
  }
}
