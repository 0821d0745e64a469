import { grantMs, MINUTE_MS, type QuotaLedger, type UnitGrant, type Unspent } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/pool.ts';

/** A minute, the time in which a grant may be spent, and twice as much for the request's way. */
function windowOf(minuteMs: number = MINUTE_MS): number {
  return minuteMs + 3 * grantMs(minuteMs);
}

/** The ledger of one connection, in the database: all processes on it share the connection's quota, also after a kill. */
export class ConnectionLedger implements QuotaLedger {
  readonly #db: Database;
  readonly #connection: { userId: string; id: string };
  readonly #unitsPerWindow: number;
  readonly #windowMs: number;

  constructor(
    db: Database,
    connection: { userId: string; id: string },
    quota: { unitsPerMinute: number; minuteMs?: number | undefined; windowMs?: number },
  ) {
    this.#db = db;
    this.#connection = connection;
    this.#unitsPerWindow = quota.unitsPerMinute;
    this.#windowMs = quota.windowMs ?? windowOf(quota.minuteMs);
  }

  async grant(units: number, unspent?: Unspent): Promise<UnitGrant> {
    const { userId, id } = this.#connection;
    const within = sql`user_id = ${userId} and connection_id = ${id}`;
    const window = sql`make_interval(secs => ${this.#windowMs / 1000})`;
    return this.#db.transaction(async (tx) => {
      // Durable before it is spent: a database that crashes must not hand the same units out again.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${id}, 2))`);
      await tx.execute(
        sql`delete from quota_grants where ${within} and granted_at <= clock_timestamp() - ${window}`,
      );
      if (unspent)
        await tx.execute(
          sql`update quota_grants set units = units - ${unspent.units}::float8 where ${within} and granted_at = ${unspent.id}::timestamptz`,
        );
      // When the last of the grants ends that leave no room; none: there is room now.
      const { rows } = await tx.execute<{ wait_ms: number | null }>(sql`
        select extract(epoch from max(granted_at) + ${window} - clock_timestamp())::float8 * 1000 as wait_ms
        from (select granted_at, units, sum(units) over (order by granted_at desc) as since from quota_grants where ${within}) g
        where since + ${units}::float8 > ${this.#unitsPerWindow}::float8`);
      const waitMs = rows[0]?.wait_ms ?? null;
      if (waitMs !== null) return { isGranted: false, waitMs: Math.max(1, Math.ceil(waitMs)) };
      const granted = await tx.execute<{ id: string }>(sql`
        insert into quota_grants (user_id, connection_id, granted_at, units) values (${userId}, ${id}, clock_timestamp(), ${units})
        returning granted_at::text as id`);
      return { isGranted: true, waitMs: 0, ...granted.rows[0] };
    });
  }
}
