import { AppError } from '../app-error.ts';
import { Deadline } from './deadline.ts';
import type { Evaluator } from './evaluator.ts';

const QUEUED_PER_USER = 20;
/** The share of its time that work may wait for a process; with less left it would end for want of time. */
const WAIT_SHARE = 0.7;

/** live: somebody is typing and waits · saved: a view. */
export type Urgency = 'live' | 'saved';

/** Work that waits for a process. */
export interface Waiting {
  userId: string;
  /** The rows that it needs. */
  rows: { key: string; family: string };
  urgency: Urgency;
  deadlineMs: number;
  start(evaluator: Evaluator, deadline: Deadline): void;
  refuse(error: AppError): void;
}

interface Entry extends Waiting {
  /** From when nothing but a process is missing. */
  deadline?: Deadline;
  timer?: NodeJS.Timeout;
}

/** Waiting work. Users take turns; of a user's work live queries go first. */
export class Turns {
  /** By user; the map's order is the order of turns. */
  readonly #queues = new Map<string, Entry[]>();

  /** @throws AppError rate-limited when too much of this user waits */
  add(work: Waiting): void {
    const queue = this.#queues.get(work.userId) ?? [];
    if (queue.length >= QUEUED_PER_USER)
      throw new AppError('rate-limited', 'Too many queries are waiting. Let some finish first.', {
        retryAfter: 1,
      });
    const firstSaved = queue.findIndex(({ urgency }) => urgency === 'saved');
    if (work.urgency === 'live' && firstSaved >= 0) queue.splice(firstSaved, 0, work);
    else queue.push(work);
    this.#queues.set(work.userId, queue);
  }

  /** The next work of that urgency of each user, in the order of turns. */
  next(urgency: Urgency): Waiting[] {
    return [...this.#queues.values()].flatMap(
      (queue) => queue.find((work) => work.urgency === urgency) ?? [],
    );
  }

  /** Says that nothing but a process is missing: from now on its time runs. */
  startClock(work: Entry): void {
    if (work.deadline !== undefined) return;
    work.deadline = new Deadline(work.deadlineMs);
    work.timer = setTimeout(() => {
      this.#remove(work);
      work.refuse(
        new AppError('rate-limited', 'Too many queries are at work. Try again in a moment.', {
          retryAfter: 1,
        }),
      );
    }, work.deadlineMs * WAIT_SHARE);
  }

  /** Gives the work its process; its user has the last turn then. */
  start(work: Entry, evaluator: Evaluator): void {
    clearTimeout(work.timer);
    const rest = this.#remove(work);
    this.#queues.delete(work.userId);
    if (rest.length > 0) this.#queues.set(work.userId, rest);
    work.start(evaluator, work.deadline ?? new Deadline(work.deadlineMs));
  }

  #remove(work: Entry): Entry[] {
    const queue = this.#queues.get(work.userId) ?? [];
    queue.splice(queue.indexOf(work), 1);
    if (queue.length === 0) this.#queues.delete(work.userId);
    return queue;
  }
}
