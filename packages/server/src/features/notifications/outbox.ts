import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { JobAttempt } from '../../platform/jobs/jobs.ts';

/** What a receiver made of a message. */
export interface DeliveryOutcome {
  isDelivered: boolean;
  message: string;
  /** True when another attempt cannot succeed. */
  isFinal?: boolean;
}

/** An attempt at a message of a queue. */
interface SettledAttempt {
  /** Name of its queue, and the payload of its next attempt. */
  queue: string;
  next: object;
  /** Number of attempts that the receiver did not accept. */
  attempts: number;
  /** Delays before the second and later attempts, s. After the last one, the message has failed. */
  delays: readonly number[];
  outcome: DeliveryOutcome;
  /** Stores the outcome in the transaction that completes the attempt. */
  store?: (tx: Queryable, isRetried: boolean) => Promise<void>;
}

/**
 * Settles one attempt at a message. One transaction stores the outcome, completes the job and enqueues the next attempt, so
 * that a killed worker never loses a message; it sends again, with the same id, what the receiver had already accepted. The
 * queue's own retries are for workers that fail or die.
 * @returns whether another attempt follows
 */
export async function settleAttempt(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  job: Pick<JobAttempt, 'complete'>,
  { queue, next, attempts, delays, outcome, store }: SettledAttempt,
): Promise<boolean> {
  const startAfter = outcome.isDelivered || outcome.isFinal ? undefined : delays[attempts];
  const isRetried = startAfter !== undefined;
  await db.transaction(async (tx) => {
    await store?.(tx, isRetried);
    await job.complete(tx);
    if (isRetried) await jobs.send(queue, next, { db: tx, startAfter });
  });
  return isRetried;
}
