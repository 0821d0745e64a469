/** What a ledger says to a wish for units. */
export interface UnitGrant {
  /** Whether the units may be spent, within `grantMs`. */
  isGranted: boolean;
  /** Milliseconds after which asking again makes sense; 0 when granted. */
  waitMs: number;
  /** Names the grant, to give back what was not spent of it. */
  id?: string;
}

/** What is left of an earlier grant. */
export interface Unspent {
  id: string;
  units: number;
}

/** How long a quota's minute is, by a clock. */
export const MINUTE_MS = 60_000;

/** How long granted units may be spent, ms: what is left of them after that is given back. Half a second of a real minute. */
export function grantMs(minuteMs: number = MINUTE_MS): number {
  return minuteMs / 120;
}

/** Where the processes that share a connection note what they spend, so that they share its quota. */
export interface QuotaLedger {
  /** Asks for units of the connection's minute. @param unspent is given back first: its time was over */
  grant(units: number, unspent?: Unspent): Promise<UnitGrant>;
}

/** One process's share: asks the ledger for half a second's worth at a time. */
export class Allowance {
  readonly #ledger: QuotaLedger;
  /** Units that are asked for at once, so that a request rarely waits for the ledger. */
  readonly #portion: number;
  readonly #grantMs: number;
  #left = 0;
  #until = 0;
  #grant: string | undefined;
  #asking: Promise<UnitGrant> | undefined;

  constructor(ledger: QuotaLedger, unitsPerMinute: number, minuteMs?: number) {
    this.#ledger = ledger;
    this.#grantMs = grantMs(minuteMs);
    this.#portion = unitsPerMinute / 120;
  }

  /** Takes units. @returns 0 when they may be spent, else the milliseconds to wait before asking again */
  async take(units: number): Promise<number> {
    for (;;) {
      if (this.#left >= units && performance.now() < this.#until) {
        this.#left -= units;
        return 0;
      }
      const { isGranted, waitMs } = await this.#ask(units);
      if (!isGranted) return Math.max(1, waitMs);
    }
  }

  /** Those who ask together share one question. */
  #ask(units: number): Promise<UnitGrant> {
    this.#asking ??= this.#replenishFor(units).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #replenishFor(units: number): Promise<UnitGrant> {
    // As much as requests like this one can use up.
    const portion = units * Math.max(1, Math.floor(this.#portion / units));
    const grant = await this.#replenish(portion);
    // Near the end of the minute's units there may be room for this one alone.
    return grant.isGranted || portion === units ? grant : this.#replenish(units);
  }

  async #replenish(units: number): Promise<UnitGrant> {
    const unspent =
      this.#left > 0 && this.#grant !== undefined ? { id: this.#grant, units: this.#left } : undefined;
    // Nobody may spend what is given back, whatever becomes of the question.
    this.#left = 0;
    const asked = performance.now();
    const grant = await this.#ledger.grant(units, unspent);
    if (grant.isGranted) {
      this.#left = units;
      this.#until = asked + this.#grantMs;
      this.#grant = grant.id;
    }
    return grant;
  }
}
