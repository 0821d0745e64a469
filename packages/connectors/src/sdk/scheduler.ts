import type { QuotaDefinition } from './connector.ts';

const WINDOW_MS = 60_000;

/** Rejects with the signal's reason as soon as it aborts. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Waits; rejects when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const wait = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
  });
  return abortable(wait, signal).finally(() => clearTimeout(timer));
}

/**
 * Keeps one connection within the provider's quota: at most `concurrency` requests at once, at most
 * `unitsPerMinute` units within any 60 seconds, and silence until a not-before time.
 */
export class Scheduler {
  readonly #quota: QuotaDefinition;
  #running = 0;
  #queue: (() => void)[] = [];
  /** Spends of the last minute, oldest first. */
  #spends: { at: number; units: number }[] = [];
  #spent = 0;
  #notBefore = 0;

  constructor(quota: QuotaDefinition) {
    this.#quota = quota;
  }

  get concurrency(): number {
    return this.#quota.concurrency;
  }

  /** Before this instant (ms) nothing is sent; 0 when free. */
  get notBefore(): number {
    return this.#notBefore;
  }

  /** The provider asked to wait. */
  holdUntil(instant: number): void {
    this.#notBefore = Math.max(this.#notBefore, instant);
  }

  /** Milliseconds until `units` more may be spent. */
  delayFor(units: number, now: number): number {
    while (this.#spends[0] && this.#spends[0].at <= now - WINDOW_MS)
      this.#spent -= this.#spends.shift()?.units ?? 0;
    const held = Math.max(0, this.#notBefore - now);
    let excess = this.#spent + units - this.#quota.unitsPerMinute;
    if (excess <= 0) return held;
    for (const spend of this.#spends) {
      excess -= spend.units;
      if (excess <= 0) return Math.max(held, spend.at + WINDOW_MS - now);
    }
    return Math.max(held, WINDOW_MS);
  }

  /**
   * Runs `task` when a place and the units are free.
   * @param onWait told the instant (ms) when the quota makes us wait
   */
  async run<T>(
    units: number,
    task: () => Promise<T>,
    options: { signal: AbortSignal; onWait?: (until: number) => void },
  ): Promise<T> {
    await this.#enter(options.signal);
    try {
      for (;;) {
        const now = Date.now();
        const delay = this.delayFor(units, now);
        if (delay <= 0) break;
        options.onWait?.(now + delay);
        await pause(delay, options.signal);
      }
      this.#spends.push({ at: Date.now(), units });
      this.#spent += units;
      return await task();
    } finally {
      this.#running--;
      this.#queue.shift()?.();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    while (this.#running >= this.#quota.concurrency) {
      const turn = new Promise<void>((resolve) => this.#queue.push(resolve));
      await abortable(turn, signal);
    }
    this.#running++;
  }
}
