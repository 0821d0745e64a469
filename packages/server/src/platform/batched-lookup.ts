/** Keys of one lookup at most. */
const MAX_KEYS = 500;

interface Waiter<V> {
  resolve(value: V | undefined): void;
  reject(error: unknown): void;
}

/**
 * Looks values up by key, many keys at once: while one lookup runs, the keys asked for gather for the next one. However
 * many callers there are, each waits for two lookups at most, and none shares one that began before it asked.
 */
export class BatchedLookup<V> {
  readonly #load: (keys: string[]) => Promise<ReadonlyMap<string, V>>;
  #waiting = new Map<string, Waiter<V>[]>();
  #isRunning = false;

  /** @param load looks up some hundred keys at most; keys without a value are left out */
  constructor(load: (keys: string[]) => Promise<ReadonlyMap<string, V>>) {
    this.#load = load;
  }

  /** Looks one value up. @returns undefined when there is none @throws what the lookup throws */
  find(key: string): Promise<V | undefined> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiting.get(key) ?? [];
      waiters.push({ resolve, reject });
      this.#waiting.set(key, waiters);
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, MAX_KEYS);
      for (const [key] of batch) this.#waiting.delete(key);
      try {
        const values = await this.#load(batch.map(([key]) => key));
        for (const [key, waiters] of batch) for (const { resolve } of waiters) resolve(values.get(key));
      } catch (error) {
        for (const [, waiters] of batch) for (const { reject } of waiters) reject(error);
      }
    }
    this.#isRunning = false;
  }
}
