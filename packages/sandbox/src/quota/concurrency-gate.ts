/** Counts requests in flight per key and tells when there are more than `limit` (0 = any number). */
export class ConcurrencyGate {
  readonly #limit: number;
  readonly #inFlight = new Map<string, number>();
  #highest = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Enters; `leave` must follow. False when the limit is passed (the request still counts until it leaves). */
  enter(key: string): boolean {
    const count = (this.#inFlight.get(key) ?? 0) + 1;
    this.#inFlight.set(key, count);
    this.#highest = Math.max(this.#highest, count);
    return this.#limit === 0 || count <= this.#limit;
  }

  leave(key: string): void {
    const count = (this.#inFlight.get(key) ?? 1) - 1;
    if (count > 0) this.#inFlight.set(key, count);
    else this.#inFlight.delete(key);
  }

  /** The most requests of one key that were in flight together since the last reset. */
  get highest(): number {
    return this.#highest;
  }

  reset(): void {
    this.#highest = 0;
  }
}
