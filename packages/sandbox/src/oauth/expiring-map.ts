import { randomBytes } from 'node:crypto';

/** Values under random keys that vanish after a while, for interactions and authorisation codes. */
export class ExpiringMap<Value> {
  readonly #lifetimeMs: number;
  readonly #entries = new Map<string, { value: Value; until: number }>();

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  /** Keeps the value and returns its key. */
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

  /** The value, which is then gone. */
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
