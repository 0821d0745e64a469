import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/database.ts';
import { connections } from './tables.ts';

/** Lifetime of a claim without a heartbeat. */
const CLAIM_SECONDS = 10;
const HEARTBEAT_MS = 3000;

const claimExpiry = sql`now() + make_interval(secs => ${CLAIM_SECONDS})`;

interface Claimant {
  userId: string;
  id: string;
  /** The fencing token, unique for each attempt. */
  owner: string;
}

function isConnection({ userId, id }: Claimant) {
  return and(eq(connections.userId, userId), eq(connections.id, id));
}

/** Returns the condition that the claimant holds the claim on a connection. */
function isHeldBy(claimant: Claimant) {
  return and(isConnection(claimant), eq(connections.renewalOwner, claimant.owner));
}

/**
 * A worker's claim (lease) to renew the tokens of a connection. It is a row and not a lock, so that no transaction is
 * open during the provider call. The claim of a dead worker expires; a worker without its claim cannot store tokens.
 */
export class RenewalClaim {
  readonly #db: Database;
  readonly #claimant: Claimant;
  readonly #heartbeat: NodeJS.Timeout;

  private constructor(db: Database, claimant: Claimant) {
    this.#db = db;
    this.#claimant = claimant;
    this.#heartbeat = setInterval(() => {
      // A failed heartbeat is harmless: others follow before the claim expires.
      db.update(connections)
        .set({ renewalUntil: claimExpiry })
        .where(isHeldBy(claimant))
        .catch(() => undefined);
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Acquires the claim. @returns undefined while another worker holds it */
  static async acquire(db: Database, claimant: Claimant): Promise<RenewalClaim | undefined> {
    const acquired = await db
      .update(connections)
      .set({ renewalOwner: claimant.owner, renewalUntil: claimExpiry })
      .where(
        and(
          isConnection(claimant),
          sql`(${connections.renewalUntil} is null or ${connections.renewalUntil} < now())`,
        ),
      )
      .returning({ id: connections.id });
    return acquired.length > 0 ? new RenewalClaim(db, claimant) : undefined;
  }

  /** Stores renewed credentials and releases the claim. @returns false when the claim or the grant was lost */
  async store(credentials: unknown): Promise<boolean> {
    const stored = await this.#db
      .update(connections)
      .set({ credentials, renewalOwner: null, renewalUntil: null })
      .where(isHeldBy(this.#claimant))
      .returning({ id: connections.id });
    return stored.length > 0;
  }

  /** Releases the claim. Has no effect after `store` or when the claim was lost. */
  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#db
      .update(connections)
      .set({ renewalOwner: null, renewalUntil: null })
      .where(isHeldBy(this.#claimant))
      // If the database is unreachable, the claim expires.
      .catch(() => undefined);
  }
}
