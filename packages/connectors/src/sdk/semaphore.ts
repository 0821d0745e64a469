/** How many requests may be under way at once. */
export interface ConcurrencyLimits {
  /** At the beginning. */
  concurrency: number;
  /** As long as the provider does not object. Default: never more than at the beginning. */
  maxConcurrency?: number;
  /** Answers that come sooner (ms) are no reason for more: they already come faster than they are read. Default 0. */
  growFromMs?: number;
}

/** Objections that come together are one. */
const OVERLOAD_WINDOW_MS = 1000;

/**
 * Places for requests under way. As with TCP's window, their number grows by one after each two rounds that went well
 * while others waited, and is halved when the provider says that there are too many at once.
 */
export class Semaphore {
  readonly #maxSize: number;
  readonly #growFromMs: number;
  /** Those who wait for a place; calling one hands it a place. */
  readonly #queue: (() => void)[] = [];
  #size: number;
  #acquired = 0;
  /** Requests that were answered, and whose bodies are on their way. */
  #bodiesPending = 0;
  #successes = 0;
  #reducedAt = Number.NEGATIVE_INFINITY;

  constructor({ concurrency, maxConcurrency = concurrency, growFromMs = 0 }: ConcurrencyLimits) {
    this.#growFromMs = growFromMs;
    this.#size = concurrency;
    this.#maxSize = Math.max(concurrency, maxConcurrency);
  }

  /** Places there may ever be. */
  get maxSize(): number {
    return this.#maxSize;
  }

  /** Places there are now. */
  get size(): number {
    return this.#size;
  }

  /** Waits for a place; it must be left. @throws the signal's reason on abort */
  acquire(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#isFree) {
      this.#acquired++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const take = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = () => {
        this.#queue.splice(this.#queue.indexOf(take), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(take);
    });
  }

  /** Gives a place back; the next in the queue has it before anyone else could. */
  release(): void {
    this.#acquired--;
    this.#wakeWaiting();
  }

  /** What is still to come of a request counts among the most there may ever be, but takes no place. */
  trackBody(rest: Promise<unknown> | undefined): void {
    if (!rest) return;
    this.#bodiesPending++;
    const arrived = () => {
      this.#bodiesPending--;
      this.#wakeWaiting();
    };
    rest.then(arrived, arrived);
  }

  get #isFree(): boolean {
    return this.#acquired < this.#size && this.#acquired + this.#bodiesPending < this.#maxSize;
  }

  /** A request went well. @param tookMs until it was answered */
  succeeded(tookMs: number): void {
    const isNeeded = this.#queue.length > 0 && this.#size < this.#maxSize && tookMs >= this.#growFromMs;
    this.#successes = isNeeded ? this.#successes + 1 : 0;
    if (this.#successes < 2 * this.#size) return;
    this.#size++;
    this.#successes = 0;
    this.#wakeWaiting();
  }

  /** The provider objects to so many requests at once. @param now ms */
  overloaded(now: number): void {
    this.#successes = 0;
    if (now - this.#reducedAt < OVERLOAD_WINDOW_MS) return;
    this.#reducedAt = now;
    this.#size = Math.max(1, Math.floor(this.#size / 2));
  }

  #wakeWaiting(): void {
    while (this.#isFree) {
      const next = this.#queue.shift();
      if (!next) return;
      this.#acquired++;
      next();
    }
  }
}
