/** The result of a quota check. `resetAt` is in ms since 1970. */
export interface QuotaAnswer {
  allowed: boolean;
  limit: number;
  used: number;
  remaining: number;
  resetAt: number;
}

/** The size of a quota: `limit` units per `windowMs`. A limit of 0 means unlimited. */
export interface QuotaSize {
  limit: number;
  /** The limit in response headers when the quota is unlimited. */
  shownLimit: number;
  windowMs: number;
}

interface Window {
  startedAt: number;
  used: number;
}

/**
 * Units used per key in fixed windows. A window starts with the first attempt after the previous one ended, like GitHub's
 * hourly and Google's per-minute quotas. A rejected attempt uses no units.
 */
export class QuotaWindow {
  readonly #size: QuotaSize;
  readonly #windows = new Map<string, Window>();

  constructor(size: QuotaSize) {
    this.#size = size;
  }

  /** Uses `units` of `key` if they are available. */
  take(key: string, units: number): QuotaAnswer {
    const window = this.#current(key);
    const allowed = this.#size.limit === 0 || window.used + units <= this.#size.limit;
    if (allowed && this.#size.limit !== 0) window.used += units;
    return this.#answer(window, allowed);
  }

  /** Returns the state of `key` without using units. */
  peek(key: string): QuotaAnswer {
    return this.#answer(this.#current(key), true);
  }

  /** Clears all windows. */
  reset(): void {
    this.#windows.clear();
  }

  #current(key: string): Window {
    const now = Date.now();
    const found = this.#windows.get(key);
    if (found && now < found.startedAt + this.#size.windowMs) return found;
    const fresh = { startedAt: now, used: 0 };
    this.#windows.set(key, fresh);
    return fresh;
  }

  #answer(window: Window, allowed: boolean): QuotaAnswer {
    const limit = this.#size.limit === 0 ? this.#size.shownLimit : this.#size.limit;
    return {
      allowed,
      limit,
      used: window.used,
      remaining: Math.max(0, limit - window.used),
      resetAt: window.startedAt + this.#size.windowMs,
    };
  }
}
