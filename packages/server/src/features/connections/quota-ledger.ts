import {
  type GrantTerms,
  grantMs,
  MINUTE_MS,
  type QuotaLedger,
  type SettledGrant,
  type UnitGrant,
} from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/database.ts';

interface LedgerQuota {
  unitsPerMinute: number;
  minuteMs?: number | undefined;
  /**
   * How long a grant that is valid for `grantMs` counts, ms. Default: `grantMs`, one minute, and twice `grantMs` for
   * the requests' way.
   */
  windowMs?: number;
}

/**
 * The quota ledger of one connection in the database. All processes share the connection's quota through it, also after
 * a kill.
 */
export class ConnectionLedger implements QuotaLedger {
  readonly #db: Database;
  readonly #connection: { userId: string; id: string };
  readonly #unitsPerWindow: number;
  readonly #grantMs: number;
  /** How long units count after the grant's validity ends, ms. */
  readonly #countedMs: number;

  constructor(db: Database, connection: { userId: string; id: string }, quota: LedgerQuota) {
    const { minuteMs = MINUTE_MS } = quota;
    this.#db = db;
    this.#connection = connection;
    this.#unitsPerWindow = quota.unitsPerMinute;
    this.#grantMs = grantMs(minuteMs);
    this.#countedMs = (quota.windowMs ?? minuteMs + 3 * this.#grantMs) - this.#grantMs;
  }

  /**
   * Requests units in one statement and one round trip, by the database's clock. The grant is durable before it is
   * used: after a database crash, the same units must not be granted again.
   */
  async grant(
    units: number,
    settled: SettledGrant | readonly SettledGrant[] = [],
    { atLeast = units, validMs = this.#grantMs }: GrantTerms = {},
  ): Promise<UnitGrant> {
    const { userId, id } = this.#connection;
    const ended = [settled].flat();
    const { rows } = await this.#db.execute<{ granted: number; wait_ms: number | null; id: string }>(sql`
      select granted, wait_ms, id from grant_quota(${userId}, ${id}, ${atLeast}, ${units}, ${this.#unitsPerWindow},
        ${validMs}, ${this.#countedMs}, ${sql.param(ended.map((one) => one.id))}, ${sql.param(ended.map((one) => one.units))})`);
    const [row] = rows;
    if (!row || row.granted <= 0)
      return { isGranted: false, waitMs: Math.max(1, Math.ceil(row?.wait_ms ?? this.#grantMs)) };
    return { isGranted: true, waitMs: 0, id: row.id, units: row.granted };
  }
}
