/** Limits on the number of requests in flight at once. */
export interface ConcurrencyLimits {
  /** Requests allowed at the start, e.g. 5. */
  concurrency: number;
  /** Upper bound while the provider reports no overload, e.g. 10. Default: `concurrency`. */
  maxConcurrency?: number;
  /** Do not grow on responses faster than this (ms): reading them is already the bottleneck. Default 0. */
  growFromMs?: number;
}

/** Overload responses within this time (ms) count as a single signal. */
const OVERLOAD_WINDOW_MS = 1000;

/**
 * Semaphore whose size adapts like TCP's congestion window: it grows by one after two successful rounds while callers
 * wait, and is halved when the provider reports an overload.
 */
export class Semaphore {
  readonly #maxSize: number;
  readonly #growFromMs: number;
  /** Waiting callers, oldest first. Calling an entry resolves its `acquire`. */
  readonly #queue: (() => void)[] = [];
  #size: number;
  #acquired = 0;
  /** Responses whose headers have arrived and whose bodies are still being received. */
  #bodiesPending = 0;
  #successes = 0;
  #reducedAt = Number.NEGATIVE_INFINITY;

  constructor({ concurrency, maxConcurrency = concurrency, growFromMs = 0 }: ConcurrencyLimits) {
    this.#growFromMs = growFromMs;
    this.#size = concurrency;
    this.#maxSize = Math.max(concurrency, maxConcurrency);
  }

  /** Largest number of requests that the semaphore ever allows. */
  get maxSize(): number {
    return this.#maxSize;
  }

  /** Number of requests that the semaphore allows now. */
  get size(): number {
    return this.#size;
  }

  /** Waits for a free slot; the caller must `release` it. @throws the signal's reason on abort */
  acquire(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#isFree) {
      this.#acquired++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const onAcquired = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = () => {
        this.#queue.splice(this.#queue.indexOf(onAcquired), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(onAcquired);
    });
  }

  /** Releases a slot; the first waiting caller gets it. */
  release(): void {
    this.#acquired--;
    this.#wakeWaiting();
  }

  /** Counts a response body until it has arrived: acquired slots and such bodies together are at most `maxSize`. */
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

  /** Records a successful request, which may grow the semaphore. @param tookMs time until the response headers */
  succeeded(tookMs: number): void {
    const isNeeded = this.#queue.length > 0 && this.#size < this.#maxSize && tookMs >= this.#growFromMs;
    this.#successes = isNeeded ? this.#successes + 1 : 0;
    if (this.#successes < 2 * this.#size) return;
    this.#size++;
    this.#successes = 0;
    this.#wakeWaiting();
  }

  /** Records an overload response and halves the size. @param now current time, ms */
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
