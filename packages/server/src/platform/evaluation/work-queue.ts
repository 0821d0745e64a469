import { AppError } from '../app-error.ts';
import type { Evaluator } from './evaluator.ts';

/** Largest number of waiting evaluations: per user, per fair queue, in total. */
const MAX_QUEUED = { user: 20, fairQueue: 60, all: 400 } as const;
/**
 * Longest waits for a process, ms. Once only a process is missing: `WAIT_SHARE` of the work's own deadline, at least
 * `MIN_WAIT_MS`. In total: `MAX_WAIT_MS`.
 */
const MIN_WAIT_MS = 5000;
const WAIT_SHARE = 0.7;
const MAX_WAIT_MS = 90_000;

/** live: the user is typing and waits · saved: a view. */
export type Urgency = 'live' | 'saved';

/** An evaluation that waits for a process. */
export interface Waiting {
  userId: string;
  /** The fair queue by which it is scheduled: the user's own, or one of several users. */
  fairQueue: string;
  /** The row set that it needs. */
  rows: { key: string; family: string };
  urgency: Urgency;
  deadlineMs: number;
  start(evaluator: Evaluator): void;
  refuse(error: AppError): void;
}

interface Entry extends Waiting {
  /** Number of waiting evaluations of the same user and urgency on arrival, by which users of a fair queue alternate. */
  rank?: number;
  /** Timer that starts once only a process is missing. */
  clock?: NodeJS.Timeout;
  timer?: NodeJS.Timeout;
}

function queueFullError(sentence: string): AppError {
  return new AppError('rate-limited', sentence, { retryAfter: 1 });
}

/** Queue of evaluations. Serves fair queues round-robin, and the users of a fair queue too; live ones of a fair queue come first. */
export class WorkQueue {
  readonly #minWaitMs: number;
  /** Waiting work by fair queue; the map's order is the order of service. */
  readonly #queues = new Map<string, Entry[]>();

  /** @param minWaitMs smallest wait for a process before work is rejected */
  constructor(minWaitMs = MIN_WAIT_MS) {
    this.#minWaitMs = minWaitMs;
  }

  /** Adds work. @throws AppError rate-limited when too much work of this user, of the fair queue, or in total is waiting */
  add(work: Entry): void {
    const queue = this.#queues.get(work.fairQueue) ?? [];
    const own = queue.filter(({ userId }) => userId === work.userId);
    const all = [...this.#queues.values()].reduce((total, { length }) => total + length, 0);
    if (own.length >= MAX_QUEUED.user)
      throw queueFullError('Too many of your queries are waiting. Let some finish first.');
    if (queue.length >= MAX_QUEUED.fairQueue || all >= MAX_QUEUED.all)
      throw queueFullError('Too many queries are waiting. Try again in a moment.');
    work.rank = own.filter(({ urgency }) => urgency === work.urgency).length;
    const behind = queue.findIndex((other) => isBehind(other, work));
    queue.splice(behind < 0 ? queue.length : behind, 0, work);
    this.#queues.set(work.fairQueue, queue);
    work.timer = setTimeout(() => this.#timeOut(work), MAX_WAIT_MS);
  }

  /** Returns the next work of that urgency per fair queue, in order of service. */
  next(urgency: Urgency): Waiting[] {
    return [...this.#queues.values()].flatMap(
      (queue) => queue.find((work) => work.urgency === urgency) ?? [],
    );
  }

  /** Starts the timeout of work for which only a process is missing. */
  startClock(work: Entry): void {
    work.clock ??= setTimeout(
      () => this.#timeOut(work),
      Math.max(this.#minWaitMs, work.deadlineMs * WAIT_SHARE),
    );
  }

  #timeOut(work: Entry): void {
    if (this.remove(work))
      work.refuse(queueFullError('Too many queries are running. Try again in a moment.'));
  }

  /** Starts the work on a process and moves its fair queue to the end. */
  start(work: Waiting, evaluator: Evaluator): void {
    this.remove(work);
    const rest = this.#queues.get(work.fairQueue);
    this.#queues.delete(work.fairQueue);
    if (rest !== undefined) this.#queues.set(work.fairQueue, rest);
    work.start(evaluator);
  }

  /** Rejects all waiting work. */
  close(): void {
    for (const work of [...this.#queues.values()].flat())
      if (this.remove(work)) work.refuse(queueFullError('The server is stopping. Try again in a moment.'));
  }

  /** Removes waiting work from its queue. @returns false when it is no longer waiting */
  remove(work: Entry): boolean {
    clearTimeout(work.clock);
    clearTimeout(work.timer);
    const queue = this.#queues.get(work.fairQueue) ?? [];
    const at = queue.indexOf(work);
    if (at < 0) return false;
    queue.splice(at, 1);
    if (queue.length === 0) this.#queues.delete(work.fairQueue);
    return true;
  }
}

/** Returns whether waiting work must come after the new work. */
function isBehind(other: Entry, work: Entry): boolean {
  if (other.urgency !== work.urgency) return other.urgency === 'saved';
  return (other.rank ?? 0) > (work.rank ?? 0);
}
