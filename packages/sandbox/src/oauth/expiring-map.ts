import { randomBytes } from 'node:crypto';

/** A map with random keys whose values expire, for interactions and authorisation codes. */
export class ExpiringMap<Value> {
  readonly #lifetimeMs: number;
  readonly #entries = new Map<string, { value: Value; until: number }>();

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  /** Stores a value and returns its key. */
  put(value: Value): string {
    this.#sweep();
    const key = randomBytes(24).toString('base64url');
    this.#entries.set(key, { value, until: Date.now() + this.#lifetimeMs });
    return key;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > Date.now() ? entry.value : undefined;
  }

  /** Removes and returns a value. */
  take(key: string): Value | undefined {
    const value = this.get(key);
    this.#entries.delete(key);
    return value;
  }

  clear(): void {
    this.#entries.clear();
  }

  #sweep(): void {
    for (const [key, entry] of this.#entries) if (entry.until <= Date.now()) this.#entries.delete(key);
  }
}
