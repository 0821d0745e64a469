/** How many requests may be under way at once. */
export interface Width {
  /** At the beginning. */
  concurrency: number;
  /** As long as the provider does not object. Default: never more than at the beginning. */
  mostConcurrency?: number;
  /** Answers that come sooner (ms) are no reason for more: they already come faster than they are read. Default 0. */
  widenFromMs?: number;
}

/** Objections that come together are one. */
const CALM_MS = 1000;

/**
 * Places for requests under way. As with TCP's window, their number grows by one after each two rounds that went well
 * while others waited, and is halved when the provider says that there are too many at once.
 */
export class Places {
  readonly #most: number;
  readonly #widenFromMs: number;
  /** Those who wait for a place; calling one hands it a place. */
  readonly #queue: (() => void)[] = [];
  #size: number;
  #taken = 0;
  /** Requests that were answered, and whose bodies are on their way. */
  #arriving = 0;
  #successes = 0;
  #narrowedAt = Number.NEGATIVE_INFINITY;

  constructor({ concurrency, mostConcurrency = concurrency, widenFromMs = 0 }: Width) {
    this.#widenFromMs = widenFromMs;
    this.#size = concurrency;
    this.#most = Math.max(concurrency, mostConcurrency);
  }

  /** Places there may ever be. */
  get most(): number {
    return this.#most;
  }

  /** Places there are now. */
  get size(): number {
    return this.#size;
  }

  /** Waits for a place; it must be left. @throws the signal's reason on abort */
  enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#hasRoom) {
      this.#taken++;
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
  leave(): void {
    this.#taken--;
    this.#fill();
  }

  /** What is still to come of a request counts among the most there may ever be, but takes no place. */
  follow(rest: Promise<unknown> | undefined): void {
    if (!rest) return;
    this.#arriving++;
    const arrived = () => {
      this.#arriving--;
      this.#fill();
    };
    rest.then(arrived, arrived);
  }

  get #hasRoom(): boolean {
    return this.#taken < this.#size && this.#taken + this.#arriving < this.#most;
  }

  /** A request went well. @param tookMs until it was answered */
  succeeded(tookMs: number): void {
    const isNeeded = this.#queue.length > 0 && this.#size < this.#most && tookMs >= this.#widenFromMs;
    this.#successes = isNeeded ? this.#successes + 1 : 0;
    if (this.#successes < 2 * this.#size) return;
    this.#size++;
    this.#successes = 0;
    this.#fill();
  }

  /** The provider objects to so many requests at once. @param now ms */
  crowded(now: number): void {
    this.#successes = 0;
    if (now - this.#narrowedAt < CALM_MS) return;
    this.#narrowedAt = now;
    this.#size = Math.max(1, Math.floor(this.#size / 2));
  }

  #fill(): void {
    while (this.#hasRoom) {
      const next = this.#queue.shift();
      if (!next) return;
      this.#taken++;
      next();
    }
  }
}
