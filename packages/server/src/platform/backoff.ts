const FIRST_MS = 1000;
const MAX_BACKOFF_MS = 30_000;

/** Consecutive failures of work that is tried again and again: when to try next. */
export class Backoff {
  #failures = 0;
  #notBefore = 0;

  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** Milliseconds until the next attempt makes sense; 0 or less: now. @param now ms */
  waitMs(now: number): number {
    return this.#notBefore - now;
  }

  /**
   * Notes a failure: exponential, 1 s to 30 s, with half of it jitter, so that processes do not return together.
   * @param now ms @returns true for the first one since the last success
   */
  failed(now: number, random: () => number = Math.random): boolean {
    const wait = Math.min(MAX_BACKOFF_MS, FIRST_MS * 2 ** Math.min(this.#failures, 10));
    this.#notBefore = now + wait * (0.5 + random() / 2);
    this.#failures++;
    return this.#failures === 1;
  }

  /** Notes a success. @returns true for the first one since the last failure */
  succeeded(): boolean {
    const wasFailing = this.isFailing;
    this.#failures = 0;
    this.#notBefore = 0;
    return wasFailing;
  }
}
