import { AppError } from '../app-error.ts';
import type { Evaluator } from './evaluator.ts';

/** Work that may wait: of one user, of a share, of all. */
const MAX_QUEUED = { user: 20, share: 60, all: 400 } as const;
/**
 * How long work waits for a process at most, ms: once nothing but a process is missing (the more time it has itself, the
 * longer), and in all.
 */
const MIN_WAIT_MS = 5000;
const WAIT_SHARE = 0.7;
const MAX_WAIT_MS = 90_000;

/** live: somebody is typing and waits · saved: a view. */
export type Urgency = 'live' | 'saved';

/** Work that waits for a process. */
export interface Waiting {
  userId: string;
  /** Whose turn it takes: the user's own, or that of several users together. */
  share: string;
  /** The rows that it needs. */
  rows: { key: string; family: string };
  urgency: Urgency;
  deadlineMs: number;
  start(evaluator: Evaluator): void;
  refuse(error: AppError): void;
}

interface Entry extends Waiting {
  /** How many of the same user and urgency waited when it came: users of one share take turns as well. */
  rank?: number;
  /** Set once nothing but a process is missing. */
  clock?: NodeJS.Timeout;
  timer?: NodeJS.Timeout;
}

function queueFullError(sentence: string): AppError {
  return new AppError('rate-limited', sentence, { retryAfter: 1 });
}

/** Waiting work. Shares take turns, and so do the users of one; of a share's work live queries go first. */
export class WorkQueue {
  readonly #minWaitMs: number;
  /** By share; the map's order is the order of turns. */
  readonly #queues = new Map<string, Entry[]>();

  /** @param minWaitMs how long work waits for a process at least */
  constructor(minWaitMs = MIN_WAIT_MS) {
    this.#minWaitMs = minWaitMs;
  }

  /** @throws AppError rate-limited when too much of this user, of the share, or of all waits */
  add(work: Entry): void {
    const queue = this.#queues.get(work.share) ?? [];
    const own = queue.filter(({ userId }) => userId === work.userId);
    const all = [...this.#queues.values()].reduce((total, { length }) => total + length, 0);
    if (own.length >= MAX_QUEUED.user)
      throw queueFullError('Too many of your queries are waiting. Let some finish first.');
    if (queue.length >= MAX_QUEUED.share || all >= MAX_QUEUED.all)
      throw queueFullError('Too many queries are waiting. Try again in a moment.');
    work.rank = own.filter(({ urgency }) => urgency === work.urgency).length;
    const behind = queue.findIndex((other) => isBehind(other, work));
    queue.splice(behind < 0 ? queue.length : behind, 0, work);
    this.#queues.set(work.share, queue);
    work.timer = setTimeout(() => this.#timeOut(work), MAX_WAIT_MS);
  }

  /** The next work of that urgency of each share, in the order of turns. */
  next(urgency: Urgency): Waiting[] {
    return [...this.#queues.values()].flatMap(
      (queue) => queue.find((work) => work.urgency === urgency) ?? [],
    );
  }

  /** Says that nothing but a process is missing: work waits for one only so long. */
  startClock(work: Entry): void {
    work.clock ??= setTimeout(
      () => this.#timeOut(work),
      Math.max(this.#minWaitMs, work.deadlineMs * WAIT_SHARE),
    );
  }

  #timeOut(work: Entry): void {
    if (this.remove(work)) work.refuse(queueFullError('Too many queries are running. Try again in a moment.'));
  }

  /** Hands the work its process; its share has the last turn then. */
  start(work: Waiting, evaluator: Evaluator): void {
    this.remove(work);
    const rest = this.#queues.get(work.share);
    this.#queues.delete(work.share);
    if (rest !== undefined) this.#queues.set(work.share, rest);
    work.start(evaluator);
  }

  /** Refuses all that waits. */
  close(): void {
    for (const work of [...this.#queues.values()].flat())
      if (this.remove(work)) work.refuse(queueFullError('The server is stopping. Try again in a moment.'));
  }

  /** Takes waiting work out of its queue. @returns false when it does not wait any more */
  remove(work: Entry): boolean {
    clearTimeout(work.clock);
    clearTimeout(work.timer);
    const queue = this.#queues.get(work.share) ?? [];
    const at = queue.indexOf(work);
    if (at < 0) return false;
    queue.splice(at, 1);
    if (queue.length === 0) this.#queues.delete(work.share);
    return true;
  }
}

/** Whether a waiting work comes after the new one. */
function isBehind(other: Entry, work: Entry): boolean {
  if (other.urgency !== work.urgency) return other.urgency === 'saved';
  return (other.rank ?? 0) > (work.rank ?? 0);
}
