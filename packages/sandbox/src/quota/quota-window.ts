/** What a quota says about one attempt. `resetAt` is in milliseconds since 1970. */
export interface QuotaAnswer {
  allowed: boolean;
  limit: number;
  used: number;
  remaining: number;
  resetAt: number;
}

/** The size of a quota: `limit` units every `windowMs`. A limit of 0 means that nothing is refused. */
export interface QuotaSize {
  limit: number;
  /** Shown in headers when the limit is off. */
  shownLimit: number;
  windowMs: number;
}

interface Window {
  startedAt: number;
  used: number;
}

/**
 * Units spent per key in fixed windows; a window begins with the first attempt after the last one ended, as
 * GitHub's hour and Google's per-minute quotas do. A refused attempt spends nothing.
 */
export class QuotaWindow {
  readonly #size: QuotaSize;
  readonly #windows = new Map<string, Window>();

  constructor(size: QuotaSize) {
    this.#size = size;
  }

  /** Spends `units` of `key` when they fit. */
  take(key: string, units: number): QuotaAnswer {
    const window = this.#current(key);
    const allowed = this.#size.limit === 0 || window.used + units <= this.#size.limit;
    if (allowed && this.#size.limit !== 0) window.used += units;
    return this.#answer(window, allowed);
  }

  /** The state of `key` without spending anything. */
  peek(key: string): QuotaAnswer {
    return this.#answer(this.#current(key), true);
  }

  /** Forgets every window. */
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
