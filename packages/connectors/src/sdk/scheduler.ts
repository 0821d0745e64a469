import { type Clock, systemClock } from './clock.ts';
import type { QuotaDefinition } from './connector.ts';
import { Places } from './places.ts';
import { ProviderError } from './provider-error.ts';
import { Allowance, MINUTE_MS, type QuotaLedger } from './quota-ledger.ts';

interface Spend {
  /** When the units were spent: while the request is under way its start, then its end. */
  at: number;
  units: number;
}

export interface Turn {
  signal: AbortSignal;
  /** Told the instant (ms) when the quota makes us wait. */
  onWait?: (until: number) => void;
  /** A longer wait is not waited for: `rate-limited` is thrown. */
  patienceMs?: number;
}

/**
 * Keeps one connection within the provider's quota: as many requests at once as it bears, at most
 * `unitsPerMinute` units within any 60 seconds, and silence until a not-before time.
 */
export class Scheduler {
  readonly #quota: QuotaDefinition;
  readonly #clock: Clock;
  readonly #places: Places;
  readonly #minuteMs: number;
  readonly #spends: Spend[] = [];
  #spent = 0;
  #notBefore = 0;

  readonly #allowance: Allowance | undefined;

  /** @param ledger shares the units with other processes; without it they are this scheduler's alone */
  constructor(quota: QuotaDefinition, clock: Clock = systemClock, ledger?: QuotaLedger) {
    this.#quota = quota;
    this.#clock = clock;
    this.#minuteMs = quota.minuteMs ?? MINUTE_MS;
    this.#places = new Places(quota);
    if (ledger && Number.isFinite(quota.unitsPerMinute))
      this.#allowance = new Allowance(ledger, quota.unitsPerMinute, this.#minuteMs);
  }

  /** Requests at once, as things are. */
  get width(): number {
    return this.#places.size;
  }

  /** Before this instant (ms) nothing is sent; 0 when free. */
  get notBefore(): number {
    return this.#notBefore;
  }

  /** The provider asked to wait. */
  holdUntil(instant: number): void {
    if (!Number.isFinite(instant)) return;
    this.#notBefore = Math.max(this.#notBefore, instant);
  }

  /** A request went well: there may be more at once. @param tookMs until it was answered */
  succeeded(tookMs: number): void {
    this.#places.succeeded(tookMs);
  }

  /** The provider objects to so many requests at once. */
  crowded(): void {
    this.#places.crowded(this.#clock.now());
  }

  /** Milliseconds until `units` more may be spent. More than a whole minute's budget is let through alone. */
  delayFor(units: number, now: number): number {
    while (this.#spends[0] && this.#spends[0].at <= now - this.#minuteMs)
      this.#spent -= this.#spends.shift()?.units ?? 0;
    const held = Math.max(0, this.#notBefore - now);
    const { unitsPerMinute } = this.#quota;
    let excess = this.#spent + Math.min(units, unitsPerMinute) - unitsPerMinute;
    for (const spend of this.#spends) {
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
    turn: Turn & { rest?: (outcome: T) => Promise<unknown> | undefined },
  ): Promise<T> {
    const spend = await this.#enter(units, turn);
    try {
      const outcome = await task();
      this.#places.follow(turn.rest?.(outcome));
      return outcome;
    } finally {
      this.#restamp(spend);
      this.#places.leave();
    }
  }

  /** Takes a place together with the units. Who waits for units has no place: others may need fewer, which are there. */
  async #enter(units: number, turn: Turn): Promise<Spend> {
    for (;;) {
      await this.#places.enter(turn.signal);
      const taken = await this.#take(units, turn.signal).catch((error: unknown) => {
        this.#places.leave();
        throw error;
      });
      if (typeof taken !== 'number') return taken;
      this.#places.leave();
      this.#tellWait(taken, turn);
      await this.#clock.pause(taken, turn.signal);
    }
  }

  /** Spends the units, here and of the quota that processes share, or tells the milliseconds until that may be possible. */
  async #take(units: number, signal: AbortSignal): Promise<Spend | number> {
    const own = this.delayFor(units, this.#clock.now());
    if (own > 0) return own;
    // Spent at once: others come while the shared quota is asked.
    const spend = this.#spend(units);
    let isGranted = false;
    try {
      const delay = await this.#sharedDelay(units, signal);
      isGranted = delay <= 0;
      return isGranted ? spend : delay;
    } finally {
      if (!isGranted) this.#unspend(spend);
    }
  }

  #spend(units: number): Spend {
    const spend = { at: this.#clock.now(), units };
    this.#spends.push(spend);
    this.#spent += units;
    return spend;
  }

  /** @returns false when it was so long ago that it counts no longer */
  #unspend(spend: Spend): boolean {
    const place = this.#spends.lastIndexOf(spend);
    if (place < 0) return false;
    this.#spends.splice(place, 1);
    this.#spent -= spend.units;
    return true;
  }

  /** @throws ProviderError `rate-limited` when it takes longer than the patience */
  #tellWait(delay: number, turn: Turn): void {
    const until = this.#clock.now() + delay;
    if (delay > (turn.patienceMs ?? Number.POSITIVE_INFINITY)) {
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
  #restamp(spend: Spend): void {
    if (this.#unspend(spend)) this.#spend(spend.units);
  }
}
