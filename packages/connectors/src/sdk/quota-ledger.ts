/** What a ledger says to a wish for units. */
export interface UnitGrant {
  /** Whether the units may be spent, within `GRANT_MS`. */
  isGranted: boolean;
  /** Milliseconds after which asking again makes sense; 0 when granted. */
  waitMs: number;
}

/** How long granted units may be spent: what is left of them after that is given up. */
export const GRANT_MS = 1000;

/** Where the processes that share a connection note what they spend, so that they share its quota. */
export interface QuotaLedger {
  /** Asks for units of the connection's minute. */
  grant(units: number): Promise<UnitGrant>;
}

/** One process's share: asks the ledger for a second's worth at a time. */
export class Allowance {
  readonly #ledger: QuotaLedger;
  /** Units that are asked for at once, so that a request rarely waits for the ledger. */
  readonly #portion: number;
  #left = 0;
  #until = 0;
  #asking: Promise<UnitGrant> | undefined;

  constructor(ledger: QuotaLedger, unitsPerMinute: number) {
    this.#ledger = ledger;
    this.#portion = unitsPerMinute / 60;
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
    this.#asking ??= this.#replenish(Math.max(units, this.#portion)).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #replenish(units: number): Promise<UnitGrant> {
    const asked = performance.now();
    const grant = await this.#ledger.grant(units);
    if (grant.isGranted) {
      this.#left = units;
      this.#until = asked + GRANT_MS;
    }
    return grant;
  }
}
