import { type Clock, systemClock } from './clock.ts';
import type { QuotaDefinition } from './connector.ts';
import { ProviderError } from './provider-error.ts';
import { Allowance, MINUTE_MS, type QuotaLedger } from './quota-ledger.ts';
import { Semaphore } from './semaphore.ts';

interface Charge {
  /** When the units were spent: while the request is under way its start, then its end. */
  at: number;
  units: number;
}

export interface RunOptions {
  signal: AbortSignal;
  /** Told the instant (ms) when the quota makes us wait. */
  onWait?: (until: number) => void;
  /** A longer wait is not waited for: `rate-limited` is thrown. */
  waitTimeoutMs?: number;
}

/**
 * Keeps one connection within the provider's quota: as many requests at once as it bears, at most
 * `unitsPerMinute` units within any 60 seconds, and silence until a not-before time.
 */
export class Scheduler {
  readonly #quota: QuotaDefinition;
  readonly #clock: Clock;
  readonly #semaphore: Semaphore;
  readonly #minuteMs: number;
  readonly #charges: Charge[] = [];
  #unitsUsed = 0;
  #notBefore = 0;

  readonly #allowance: Allowance | undefined;

  /** @param ledger shares the units with other processes; without it they are this scheduler's alone */
  constructor(quota: QuotaDefinition, clock: Clock = systemClock, ledger?: QuotaLedger) {
    this.#quota = quota;
    this.#clock = clock;
    this.#minuteMs = quota.minuteMs ?? MINUTE_MS;
    this.#semaphore = new Semaphore(quota);
    if (ledger && Number.isFinite(quota.unitsPerMinute))
      this.#allowance = new Allowance(ledger, quota.unitsPerMinute, this.#minuteMs);
  }

  /** Requests at once, as things are. */
  get concurrency(): number {
    return this.#semaphore.size;
  }

  /** Before this instant (ms) nothing is sent; 0 when free. */
  get notBefore(): number {
    return this.#notBefore;
  }

  /** The provider asked to wait. */
  pauseUntil(instant: number): void {
    if (!Number.isFinite(instant)) return;
    this.#notBefore = Math.max(this.#notBefore, instant);
  }

  /** A request went well: there may be more at once. @param tookMs until it was answered */
  succeeded(tookMs: number): void {
    this.#semaphore.succeeded(tookMs);
  }

  /** The provider objects to so many requests at once. */
  overloaded(): void {
    this.#semaphore.overloaded(this.#clock.now());
  }

  /** Milliseconds until `units` more may be spent. More than a whole minute's budget is let through alone. */
  delayFor(units: number, now: number): number {
    while (this.#charges[0] && this.#charges[0].at <= now - this.#minuteMs)
      this.#unitsUsed -= this.#charges.shift()?.units ?? 0;
    const held = Math.max(0, this.#notBefore - now);
    const { unitsPerMinute } = this.#quota;
    let excess = this.#unitsUsed + Math.min(units, unitsPerMinute) - unitsPerMinute;
    for (const spend of this.#charges) {
      if (excess <= 0) break;
      excess -= spend.units;
      if (excess <= 0) return Math.max(held, spend.at + this.#minuteMs - now);
    }
    return held;
  }

  /**
   * Runs `task` when a place and the units are free. `rest` tells what of it is still to come when it has ended.
   * @throws ProviderError `rate-limited` when that takes longer than the patience; the signal's reason on abort
   */
  async run<T>(
    units: number,
    task: () => Promise<T>,
    options: RunOptions & { rest?: (outcome: T) => Promise<unknown> | undefined },
  ): Promise<T> {
    const spend = await this.#acquire(units, options);
    try {
      const outcome = await task();
      this.#semaphore.trackBody(options.rest?.(outcome));
      return outcome;
    } finally {
      this.#moveToEnd(spend);
      this.#semaphore.release();
    }
  }

  /** Takes a place together with the units. Who waits for units has no place: others may need fewer, which are there. */
  async #acquire(units: number, turn: RunOptions): Promise<Charge> {
    for (;;) {
      await this.#semaphore.acquire(turn.signal);
      const taken = await this.#take(units, turn.signal).catch((error: unknown) => {
        this.#semaphore.release();
        throw error;
      });
      if (typeof taken !== 'number') return taken;
      this.#semaphore.release();
      this.#reportWait(taken, turn);
      await this.#clock.pause(taken, turn.signal);
    }
  }

  /** Spends the units, here and of the quota that processes share, or tells the milliseconds until that may be possible. */
  async #take(units: number, signal: AbortSignal): Promise<Charge | number> {
    const own = this.delayFor(units, this.#clock.now());
    if (own > 0) return own;
    // Spent at once: others come while the shared quota is asked.
    const spend = this.#charge(units);
    let isGranted = false;
    try {
      const delay = await this.#sharedDelay(units, signal);
      isGranted = delay <= 0;
      return isGranted ? spend : delay;
    } finally {
      if (!isGranted) this.#refund(spend);
    }
  }

  #charge(units: number): Charge {
    const spend = { at: this.#clock.now(), units };
    this.#charges.push(spend);
    this.#unitsUsed += units;
    return spend;
  }

  /** @returns false when it was so long ago that it counts no longer */
  #refund(spend: Charge): boolean {
    const place = this.#charges.lastIndexOf(spend);
    if (place < 0) return false;
    this.#charges.splice(place, 1);
    this.#unitsUsed -= spend.units;
    return true;
  }

  /** @throws ProviderError `rate-limited` when it takes longer than the patience */
  #reportWait(delay: number, turn: RunOptions): void {
    const until = this.#clock.now() + delay;
    if (delay > (turn.waitTimeoutMs ?? Number.POSITIVE_INFINITY)) {
      throw new ProviderError('rate-limited', 'The provider asks to wait: its quota is used up.', {
        until: new Date(until),
      });
    }
    turn.onWait?.(until);
  }

  /** Milliseconds until the quota that processes share has room; more than a whole minute's is let through alone. */
  async #sharedDelay(units: number, signal: AbortSignal): Promise<number> {
    if (!this.#allowance || units <= 0) return 0;
    const delay = await this.#allowance.take(Math.min(units, this.#quota.unitsPerMinute), signal);
    // Meanwhile the provider may have asked to wait.
    return Math.max(delay, this.#notBefore - this.#clock.now());
  }

  /** The provider counted the request somewhere between its start and its end: the end is on the safe side. */
  #moveToEnd(spend: Charge): void {
    if (this.#refund(spend)) this.#charge(spend.units);
  }
}
