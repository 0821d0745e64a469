const FIRST_MS = 1000;
const MAX_BACKOFF_MS = 30_000;

/** Exponential backoff for work that is retried without end. */
export class Backoff {
  #failures = 0;
  #notBefore = 0;

  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** Returns the milliseconds until the next attempt; 0 or less means now. @param now ms */
  waitMs(now: number): number {
    return this.#notBefore - now;
  }

  /**
   * Records a failure. The wait grows exponentially from 1 s to 30 s; half of it is jitter, so that processes spread out.
   * @param now ms @returns true for the first one since the last success
   */
  failed(now: number, random: () => number = Math.random): boolean {
    const wait = Math.min(MAX_BACKOFF_MS, FIRST_MS * 2 ** Math.min(this.#failures, 10));
    this.#notBefore = now + wait * (0.5 + random() / 2);
    this.#failures++;
    return this.#failures === 1;
  }

  /** Records a success. @returns true for the first one since the last failure */
  succeeded(): boolean {
    const wasFailing = this.isFailing;
    this.#failures = 0;
    this.#notBefore = 0;
    return wasFailing;
  }
}
