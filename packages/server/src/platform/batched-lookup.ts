/** Largest number of keys per lookup. */
const MAX_KEYS = 500;

interface Waiter<V> {
  resolve(value: V | undefined): void;
  reject(error: unknown): void;
}

/**
 * Looks up values by key in batches: keys requested during a lookup are collected for the next one. Each caller waits for
 * at most two lookups and never shares a lookup that started before its call.
 */
export class BatchedLookup<V> {
  readonly #load: (keys: string[]) => Promise<ReadonlyMap<string, V>>;
  #waiting = new Map<string, Waiter<V>[]>();
  #isRunning = false;

  /** @param load looks up at most `MAX_KEYS` keys; the result omits keys without a value */
  constructor(load: (keys: string[]) => Promise<ReadonlyMap<string, V>>) {
    this.#load = load;
  }

  /** Looks up one value. @returns undefined when there is none @throws errors of the lookup */
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
