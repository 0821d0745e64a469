import { untilAborted } from './until-aborted.ts';

/** What a ledger answers when it is asked for units. */
export interface UnitGrant {
  /** Whether units may be spent, within the time that was asked for. */
  isGranted: boolean;
  /** Milliseconds, counted from the ledger's decision, after which asking again makes sense; 0 when granted. */
  waitMs: number;
  /** Names the grant, to settle it. */
  id?: string;
  /** Units granted. Default: all that were asked for. */
  units?: number;
}

/** The end of an earlier grant: nothing more is spent of it. */
export interface Unspent {
  id: string;
  /** Units that were not spent. */
  units: number;
}

/** How a grant may differ from what was asked for. */
export interface GrantTerms {
  /** Fewest units that are of use; a grant is a multiple of them. Default: all that are asked for. */
  atLeast?: number;
  /** How long the units may be spent, ms from the question. Default: `grantMs` of the quota's minute. */
  spendMs?: number;
}

/** How long a quota's minute is, by a clock. */
export const MINUTE_MS = 60_000;

/** How long granted units may be spent where the ledger answers quickly, ms. Half a second of a real minute. */
export function grantMs(minuteMs: number = MINUTE_MS): number {
  return minuteMs / 120;
}

/** Where the processes that share a connection note what they spend, so that they share its quota. */
export interface QuotaLedger {
  /** Asks for units of the connection's minute. @param settled earlier grants of the caller, which are settled first */
  grant(units: number, settled?: Unspent | readonly Unspent[], terms?: GrantTerms): Promise<UnitGrant>;
}

/** Round trips that a grant lasts at least: it arrives half-way through the first one. */
const ROUND_TRIPS = 4;
/** A grant is this part of the minute's units at most, however slow the ledger is. */
const LARGEST_PART = 1 / 4;

/** A grant that is being spent. */
interface Held {
  id: string | undefined;
  units: number;
  /** Until when it may be spent, by `performance.now`. */
  until: number;
}

/**
 * One process's share of a quota. It asks the ledger for half a second's worth at a time, and for more where the answer
 * takes long: a grant outlasts several round trips, and the next one is asked for while it is being spent.
 */
export class Allowance {
  readonly #ledger: QuotaLedger;
  readonly #unitsPerMinute: number;
  readonly #minuteMs: number;
  readonly #grantMs: number;
  #held: Held[] = [];
  /** Grants that are used up or over, and that the ledger does not know of. */
  #settled: Unspent[] = [];
  #asking: Promise<UnitGrant> | undefined;
  /** The longest of the last questions, ms; forgotten slowly. */
  #roundTripMs = 0;
  /** Before then (`performance.now`) the ledger has nothing left: asking ahead is of no use. */
  #refusedUntil = 0;

  constructor(ledger: QuotaLedger, unitsPerMinute: number, minuteMs: number = MINUTE_MS) {
    this.#ledger = ledger;
    this.#unitsPerMinute = unitsPerMinute;
    this.#minuteMs = minuteMs;
    this.#grantMs = grantMs(minuteMs);
  }

  /** How long the next grant may be spent, ms from the question. */
  get #spendMs(): number {
    return Math.max(this.#grantMs, ROUND_TRIPS * this.#roundTripMs);
  }

  /** Units that are asked for at once: a multiple of those of one request. */
  #portionFor(units: number): number {
    const part = Math.min(LARGEST_PART, this.#spendMs / this.#minuteMs);
    return units * Math.max(1, Math.floor((part * this.#unitsPerMinute) / units));
  }

  /**
   * Takes units.
   * @returns 0 when they may be spent, else the milliseconds to wait before asking again
   * @throws the signal's reason as soon as it aborts
   */
  async take(units: number, signal: AbortSignal): Promise<number> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#spend(units)) {
        this.#askAhead(units);
        return 0;
      }
      // The question serves others as well: it goes on when this request is given up.
      const { isGranted, waitMs } = await untilAborted(this.#ask(units, true), signal);
      if (!isGranted) return Math.max(1, waitMs - this.#roundTripMs);
    }
  }

  #spend(units: number): boolean {
    this.#settleEnded(performance.now());
    const grant = this.#held.find((one) => one.units >= units);
    if (!grant) return false;
    grant.units -= units;
    return true;
  }

  #settleEnded(now: number): void {
    const isOver = ({ units, until }: Held) => units <= 0 || until <= now;
    this.#settle(this.#held.filter(isOver));
    this.#held = this.#held.filter((grant) => !isOver(grant));
  }

  #settle(grants: readonly Held[]): void {
    for (const { id, units } of grants) if (id !== undefined) this.#settled.push({ id, units });
  }

  /** Asks before the units run out, where an answer takes long enough to be waited for. */
  #askAhead(units: number): void {
    if (this.#asking || this.#roundTripMs < this.#grantMs / 20) return;
    if (performance.now() < this.#refusedUntil) return;
    const left = this.#held.reduce((sum, grant) => sum + grant.units, 0);
    if (left > this.#portionFor(units) / 2) return;
    // A failure shows itself to the next request that has to wait for an answer.
    this.#ask(units, false).catch(() => undefined);
  }

  /** Requests that ask together share one question. @param isLast nothing that is held suffices: it is given back */
  #ask(units: number, isLast: boolean): Promise<UnitGrant> {
    this.#asking ??= this.#replenish(units, isLast).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #replenish(units: number, isLast: boolean): Promise<UnitGrant> {
    if (isLast) this.#settle(this.#held.splice(0));
    // Nobody may spend what is given back, even if the question fails.
    const settled = this.#settled.splice(0);
    const spendMs = this.#spendMs;
    const portion = this.#portionFor(units);
    const asked = performance.now();
    const grant = await this.#ledger.grant(portion, settled, { atLeast: units, spendMs });
    const now = performance.now();
    this.#roundTripMs = Math.max(now - asked, 0.8 * this.#roundTripMs);
    if (grant.isGranted)
      this.#held.push({ id: grant.id, units: grant.units ?? portion, until: asked + spendMs });
    else this.#refusedUntil = now + grant.waitMs - this.#roundTripMs;
    return grant;
  }
}
