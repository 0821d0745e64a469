import { untilAborted } from './until-aborted.ts';

/** A ledger's response to a request for units. */
export interface UnitGrant {
  /** Whether units were granted, for the requested time. */
  isGranted: boolean;
  /** Milliseconds from the ledger's decision until the next request makes sense; 0 when granted. */
  waitMs: number;
  /** Id of the grant, to settle it. */
  id?: string;
  /** Units granted. Default: all that were requested. */
  units?: number;
}

/** Returns the unused units of an earlier grant to the ledger. */
export interface SettledGrant {
  id: string;
  /** Unused units. */
  units: number;
}

/** Terms of a request for units. */
export interface GrantTerms {
  /** Smallest useful grant; each grant is a multiple of it. Default: all requested units. */
  atLeast?: number;
  /** Time from the request during which the units may be used, ms. Default: `grantMs` of the quota's minute. */
  validMs?: number;
}

/** Length of a real minute. */
export const MINUTE_MS = 60_000;

/** Returns the validity (ms) of a grant from a fast ledger: half a second of a real minute. */
export function grantMs(minuteMs: number = MINUTE_MS): number {
  return minuteMs / 120;
}

/** Shared record of the units used by all processes of a connection, so that they share its quota. */
export interface QuotaLedger {
  /** Requests units of the connection's minute. @param settled earlier grants of the caller, settled first */
  grant(
    units: number,
    settled?: SettledGrant | readonly SettledGrant[],
    terms?: GrantTerms,
  ): Promise<UnitGrant>;
}

/** Smallest validity of a grant, in round trips to the ledger; the grant arrives half-way through the first one. */
const MIN_ROUND_TRIPS = 4;
/** Largest grant as a share of the minute's units, even for a slow ledger. */
const MAX_GRANT_SHARE = 1 / 4;

/** A grant in use. */
interface HeldGrant {
  id: string | undefined;
  units: number;
  /** End of its validity, by `performance.now`. */
  until: number;
}

/**
 * One process's share of a quota. Requests units for half a second at a time, or for several round trips if the ledger
 * is slow, and requests the next grant while the current one is in use.
 */
export class Allowance {
  readonly #ledger: QuotaLedger;
  readonly #unitsPerMinute: number;
  readonly #minuteMs: number;
  readonly #grantMs: number;
  #held: HeldGrant[] = [];
  /** Used or expired grants that are not yet reported to the ledger. */
  #settled: SettledGrant[] = [];
  #pending: Promise<UnitGrant> | undefined;
  /** Longest recent round trip, ms; decays slowly. */
  #roundTripMs = 0;
  /** Time (`performance.now`) until which the ledger has no units, so that prefetching is useless. */
  #exhaustedUntil = 0;

  constructor(ledger: QuotaLedger, unitsPerMinute: number, minuteMs: number = MINUTE_MS) {
    this.#ledger = ledger;
    this.#unitsPerMinute = unitsPerMinute;
    this.#minuteMs = minuteMs;
    this.#grantMs = grantMs(minuteMs);
  }

  /** Validity of the next grant, ms from the request. */
  get #validMs(): number {
    return Math.max(this.#grantMs, MIN_ROUND_TRIPS * this.#roundTripMs);
  }

  /** Returns the units to request at once: a multiple of the units of one provider request. */
  #grantSizeFor(units: number): number {
    const part = Math.min(MAX_GRANT_SHARE, this.#validMs / this.#minuteMs);
    return units * Math.max(1, Math.floor((part * this.#unitsPerMinute) / units));
  }

  /**
   * Uses units of the share.
   * @returns 0 when they may be used, else the milliseconds to wait before the next try
   * @throws the signal's reason as soon as it aborts
   */
  async take(units: number, signal: AbortSignal): Promise<number> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#useHeld(units)) {
        this.#prefetch(units);
        return 0;
      }
      // Other requests share this ledger request, so it continues when this one is aborted.
      const { isGranted, waitMs } = await untilAborted(this.#requestGrant(units, true), signal);
      if (!isGranted) return Math.max(1, waitMs - this.#roundTripMs);
    }
  }

  #useHeld(units: number): boolean {
    this.#settleEnded(performance.now());
    const grant = this.#held.find((one) => one.units >= units);
    if (!grant) return false;
    grant.units -= units;
    return true;
  }

  #settleEnded(now: number): void {
    const isEnded = ({ units, until }: HeldGrant) => units <= 0 || until <= now;
    this.#settle(this.#held.filter(isEnded));
    this.#held = this.#held.filter((grant) => !isEnded(grant));
  }

  #settle(grants: readonly HeldGrant[]): void {
    for (const { id, units } of grants) if (id !== undefined) this.#settled.push({ id, units });
  }

  /** Requests the next grant before the units run out, if the ledger is slow enough to matter. */
  #prefetch(units: number): void {
    if (this.#pending || this.#roundTripMs < this.#grantMs / 20) return;
    if (performance.now() < this.#exhaustedUntil) return;
    const unitsLeft = this.#held.reduce((sum, grant) => sum + grant.units, 0);
    if (unitsLeft > this.#grantSizeFor(units) / 2) return;
    // The next request that has to wait will report the failure.
    this.#requestGrant(units, false).catch(() => undefined);
  }

  /** Shares one ledger request among concurrent callers. @param isLast no held grant suffices, so all are returned */
  #requestGrant(units: number, isLast: boolean): Promise<UnitGrant> {
    this.#pending ??= this.#fetchGrant(units, isLast).finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #fetchGrant(units: number, isLast: boolean): Promise<UnitGrant> {
    if (isLast) this.#settle(this.#held.splice(0));
    // Returned units must not be used, even if the ledger request fails.
    const settled = this.#settled.splice(0);
    const validMs = this.#validMs;
    const portion = this.#grantSizeFor(units);
    const asked = performance.now();
    const grant = await this.#ledger.grant(portion, settled, { atLeast: units, validMs });
    const now = performance.now();
    this.#roundTripMs = Math.max(now - asked, 0.8 * this.#roundTripMs);
    if (grant.isGranted)
      this.#held.push({ id: grant.id, units: grant.units ?? portion, until: asked + validMs });
    else this.#exhaustedUntil = now + grant.waitMs - this.#roundTripMs;
    return grant;
  }
}
