/** Counts concurrent requests per key against `limit`; 0 means unlimited. */
export class ConcurrencyGate {
  readonly #limit: number;
  readonly #inFlight = new Map<string, number>();
  #highest = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a request; call `release` afterwards. Returns false beyond the limit, but still counts the request. */
  acquire(key: string): boolean {
    const count = (this.#inFlight.get(key) ?? 0) + 1;
    this.#inFlight.set(key, count);
    this.#highest = Math.max(this.#highest, count);
    return this.#limit === 0 || count <= this.#limit;
  }

  release(key: string): void {
    const count = (this.#inFlight.get(key) ?? 1) - 1;
    if (count > 0) this.#inFlight.set(key, count);
    else this.#inFlight.delete(key);
  }

  /** The maximum number of concurrent requests of one key since the last reset. */
  get highest(): number {
    return this.#highest;
  }

  reset(): void {
    this.#highest = 0;
  }
}
