import { type Clock, systemClock } from './clock.ts';
import type { QuotaDefinition } from './http-api.ts';
import { ProviderError } from './provider-error.ts';
import { Allowance, MINUTE_MS, type QuotaLedger } from './quota-ledger.ts';
import { Semaphore } from './semaphore.ts';

/** Quota units used by one request. */
interface Charge {
  /** Time of use (ms): the start of the request while it is in flight, then its end. */
  at: number;
  units: number;
}

/** Options of `Scheduler.run`. */
export interface RunOptions {
  signal: AbortSignal;
  /** Called with the end of the wait (ms since 1970) when the quota makes the request wait. */
  onWait?: (until: number) => void;
  /** Longest wait (ms); a longer one throws `rate-limited`. Default: no limit. */
  waitTimeoutMs?: number;
}

/**
 * Keeps one connection within the provider's quota: limits the requests in flight, allows at most `unitsPerMinute`
 * units within any 60 seconds, and sends nothing before the not-before time.
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

  /** @param ledger shares the units with other processes; without it this scheduler has all of them */
  constructor(quota: QuotaDefinition, clock: Clock = systemClock, ledger?: QuotaLedger) {
    this.#quota = quota;
    this.#clock = clock;
    this.#minuteMs = quota.minuteMs ?? MINUTE_MS;
    this.#semaphore = new Semaphore(quota);
    if (ledger && Number.isFinite(quota.unitsPerMinute))
      this.#allowance = new Allowance(ledger, quota.unitsPerMinute, this.#minuteMs);
  }

  /** Requests allowed in flight now. */
  get concurrency(): number {
    return this.#semaphore.size;
  }

  /** Time (ms since 1970) before which nothing is sent; 0 if there is none. */
  get notBefore(): number {
    return this.#notBefore;
  }

  /** Sends nothing before this instant (ms since 1970), because the provider asked to wait. */
  pauseUntil(instant: number): void {
    if (!Number.isFinite(instant)) return;
    this.#notBefore = Math.max(this.#notBefore, instant);
  }

  /** Records a successful request, which may raise the concurrency. @param tookMs time until the response headers */
  succeeded(tookMs: number): void {
    this.#semaphore.succeeded(tookMs);
  }

  /** Lowers the concurrency because the provider reported too many concurrent requests. */
  overloaded(): void {
    this.#semaphore.overloaded(this.#clock.now());
  }

  /** Returns the ms until `units` more may be used. A request larger than a whole minute's budget runs alone. */
  delayFor(units: number, now: number): number {
    while (this.#charges[0] && this.#charges[0].at <= now - this.#minuteMs)
      this.#unitsUsed -= this.#charges.shift()?.units ?? 0;
    const held = Math.max(0, this.#notBefore - now);
    const { unitsPerMinute } = this.#quota;
    let excess = this.#unitsUsed + Math.min(units, unitsPerMinute) - unitsPerMinute;
    for (const charge of this.#charges) {
      if (excess <= 0) break;
      excess -= charge.units;
      if (excess <= 0) return Math.max(held, charge.at + this.#minuteMs - now);
    }
    return held;
  }

  /**
   * Runs `task` when a slot and the units are free. `body` returns the promise of data that still arrives after the task.
   * @throws ProviderError `rate-limited` when the wait exceeds `waitTimeoutMs`; the signal's reason on abort
   */
  async run<T>(
    units: number,
    task: () => Promise<T>,
    options: RunOptions & { body?: (outcome: T) => Promise<unknown> | undefined },
  ): Promise<T> {
    const charge = await this.#acquire(units, options);
    try {
      const outcome = await task();
      this.#semaphore.trackBody(options.body?.(outcome));
      return outcome;
    } finally {
      this.#moveToEnd(charge);
      this.#semaphore.release();
    }
  }

  /** Acquires a slot and the units together. A request waiting for units holds no slot: others may need fewer units. */
  async #acquire(units: number, options: RunOptions): Promise<Charge> {
    for (;;) {
      await this.#semaphore.acquire(options.signal);
      const taken = await this.#takeUnits(units, options.signal).catch((error: unknown) => {
        this.#semaphore.release();
        throw error;
      });
      if (typeof taken !== 'number') return taken;
      this.#semaphore.release();
      this.#reportWait(taken, options);
      await this.#clock.pause(taken, options.signal);
    }
  }

  /** Uses units of the local and the shared quota. @returns the charge, or the ms to wait before the next try */
  async #takeUnits(units: number, signal: AbortSignal): Promise<Charge | number> {
    const delayMs = this.delayFor(units, this.#clock.now());
    if (delayMs > 0) return delayMs;
    // Charge before asking the ledger, because other requests arrive during that call.
    const charge = this.#charge(units);
    let isGranted = false;
    try {
      const delay = await this.#sharedDelay(units, signal);
      isGranted = delay <= 0;
      return isGranted ? charge : delay;
    } finally {
      if (!isGranted) this.#refund(charge);
    }
  }

  #charge(units: number): Charge {
    const charge = { at: this.#clock.now(), units };
    this.#charges.push(charge);
    this.#unitsUsed += units;
    return charge;
  }

  /** Removes a charge. @returns false when it is older than a minute and no longer counted */
  #refund(charge: Charge): boolean {
    const index = this.#charges.lastIndexOf(charge);
    if (index < 0) return false;
    this.#charges.splice(index, 1);
    this.#unitsUsed -= charge.units;
    return true;
  }

  /** Reports the wait to the caller. @throws ProviderError `rate-limited` when it exceeds `waitTimeoutMs` */
  #reportWait(delay: number, options: RunOptions): void {
    const until = this.#clock.now() + delay;
    if (delay > (options.waitTimeoutMs ?? Number.POSITIVE_INFINITY)) {
      throw new ProviderError('rate-limited', 'The provider asks to wait: its quota is used up.', {
        until: new Date(until),
      });
    }
    options.onWait?.(until);
  }

  /** Returns the ms until the shared quota has room. A request larger than a whole minute's budget runs alone. */
  async #sharedDelay(units: number, signal: AbortSignal): Promise<number> {
    if (!this.#allowance || units <= 0) return 0;
    const delay = await this.#allowance.take(Math.min(units, this.#quota.unitsPerMinute), signal);
    // The provider may have asked to wait during the call.
    return Math.max(delay, this.#notBefore - this.#clock.now());
  }

  /** Moves the charge to the end of the request: the provider counts it between start and end, so the end is safe. */
  #moveToEnd(spend: Charge): void {
    if (this.#refund(spend)) this.#charge(spend.units);
  }
}
