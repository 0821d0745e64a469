import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff } from '../../platform/backoff.ts';
import type { Context } from '../../platform/context/index.ts';
import { isConnectionFailure } from '../../platform/db/failures.ts';
import { deleteQuotaGrants } from '../connections/index.ts';
import { deleteListedIdsOfAccount } from '../records/index.ts';
import { deleteSchedules } from '../schedules/index.ts';
import { deleteSyncs, deleteUsage } from '../sync/index.ts';
import { deleteRecords } from './delete-rows.ts';
import {
  type ClaimedDeletion,
  claimDeletion,
  completeDeletionPass,
  isFirstPassDone,
  releaseDeletionClaim,
  renewDeletionClaim,
} from './queue.ts';

/** Interval between searches for deletions that another process left, ms. */
const POLL_INTERVAL_MS = 3000;
/** Interval between renewals of a claim, ms. */
const CLAIM_RENEWAL_MS = 5000;
/** How long a request waits for the deletion of data that is already invisible, ms. */
const MAX_RESPONSE_WAIT_MS = 2000;
/** Polling interval while another worker processes the deletion, ms. */
const CLAIMED_POLL_MS = 50;

/**
 * Deletes in the background, in small transactions, the data that `delete-data.ts` has made invisible. If the process is
 * killed, another one continues.
 */
export class DeletionWorker {
  readonly #context: Context;
  readonly #inProgress = new Set<Promise<unknown>>();
  readonly #failures = new Backoff();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #processing: Promise<void> | undefined;

  /** @param context a context whose database connections are not used by pages */
  constructor(context: Context) {
    this.#context = context;
  }

  /** Starts processing deletions that another process left, now and every few seconds. */
  start(): void {
    const poll = () => {
      this.#processing ??= this.#processAll().finally(() => {
        this.#processing = undefined;
      });
    };
    this.#timer = setInterval(poll, POLL_INTERVAL_MS);
    poll();
  }

  /** Processes deletions at once and waits for them up to `MAX_RESPONSE_WAIT_MS`. They continue in any case. */
  async runNow(ids: readonly string[]): Promise<void> {
    const processed = Promise.all(ids.map((id) => this.#processById(id)))
      .catch((error: unknown) => this.#handleFailure(error))
      .finally(() => this.#inProgress.delete(processed));
    this.#inProgress.add(processed);
    const timer = new AbortController();
    const timeout = sleep(MAX_RESPONSE_WAIT_MS, undefined, { signal: timer.signal, ref: false });
    await Promise.race([processed, timeout.catch(() => undefined)]);
    timer.abort();
  }

  /** Processes a deletion, or waits for the worker that has claimed it. */
  async #processById(id: string): Promise<void> {
    const deadline = Date.now() + MAX_RESPONSE_WAIT_MS;
    if (await this.#processNext(id)) return;
    while (!this.#isStopped && Date.now() < deadline && !(await isFirstPassDone(this.#context.db, id)))
      await sleep(CLAIMED_POLL_MS);
  }

  #handleFailure(error: unknown): void {
    if (this.#isStopped || !this.#failures.failed(Date.now())) return;
    this.#context.log.warn({ err: error }, 'could not remove deleted data; retrying');
  }

  async #processAll(): Promise<void> {
    if (this.#failures.waitMs(Date.now()) > 0) return;
    try {
      while (!this.#isStopped && (await this.#processNext()));
      if (this.#failures.succeeded()) this.#context.log.info('removing deleted data works again');
    } catch (error) {
      this.#handleFailure(error);
    }
  }

  /** Claims and processes the next due deletion, or the one with this id. @returns false when none is due */
  async #processNext(id?: string): Promise<boolean> {
    const { db } = this.#context;
    const deletion = await claimDeletion(db, id);
    if (!deletion) return false;
    let renewedAt = Date.now();
    const shouldContinue = async () => {
      if (this.#isStopped) return false;
      if (Date.now() - renewedAt < CLAIM_RENEWAL_MS) return true;
      renewedAt = Date.now();
      await renewDeletionClaim(db, deletion);
      return true;
    };
    try {
      const isDone = await this.#deleteAll(deletion, shouldContinue);
      await (isDone ? completeDeletionPass(db, deletion) : releaseDeletionClaim(db, deletion));
    } catch (error) {
      if (isConnectionFailure(error)) throw error;
      // Still claimed, so that the next ones come first; it is due again when the claim has expired.
      this.#context.log.error(
        { err: error, deletion: deletion.id, userId: deletion.accountId },
        'could not remove the deleted data of a user; the others continue',
      );
    }
    return true;
  }

  /** Deletes all rows, syncs first: without the row of its sync, no worker can store a page. @returns false when stopped */
  async #deleteAll(deletion: ClaimedDeletion, shouldContinue: () => Promise<boolean>): Promise<boolean> {
    const { db } = this.#context;
    const { accountId, connectionId } = deletion;
    const only = connectionId ?? undefined;
    await deleteSyncs(db, accountId, only);
    await deleteSchedules(db, accountId, only);
    if (connectionId === null) {
      await deleteUsage(db, accountId);
      await deleteListedIdsOfAccount(db, accountId);
    }
    if (!(await deleteRecords(db, deletion, shouldContinue))) return false;
    await deleteQuotaGrants(db, accountId, only);
    return true;
  }

  /** Stops after the current transactions. Other processes continue the deletions. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await Promise.allSettled([this.#processing, ...this.#inProgress]);
  }
}
