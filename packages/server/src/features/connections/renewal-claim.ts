import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/pool.ts';
import { connections } from './tables.ts';

/** A claim that is not prolonged for so long is a dead worker's. */
const CLAIM_SECONDS = 10;
const PROLONG_MS = 3000;

const claimEnd = sql`now() + make_interval(secs => ${CLAIM_SECONDS})`;

interface Claimant {
  userId: string;
  id: string;
  /** Unique for each attempt: the fencing token. */
  owner: string;
}

function itself({ userId, id }: Claimant) {
  return and(eq(connections.userId, userId), eq(connections.id, id));
}

function isHeld(claimant: Claimant) {
  return and(itself(claimant), eq(connections.renewalOwner, claimant.owner));
}

/**
 * A worker's claim to renew the tokens of a connection. It is a row, not a lock: no transaction is open while the provider
 * is called. A claim of a worker that died ends by itself, and a worker that lost its claim can store nothing.
 */
export class RenewalClaim {
  readonly #db: Database;
  readonly #claimant: Claimant;
  readonly #prolonging: NodeJS.Timeout;

  private constructor(db: Database, claimant: Claimant) {
    this.#db = db;
    this.#claimant = claimant;
    this.#prolonging = setInterval(() => {
      // One that fails is followed by others before the claim ends.
      db.update(connections)
        .set({ renewalUntil: claimEnd })
        .where(isHeld(claimant))
        .catch(() => undefined);
    }, PROLONG_MS);
    this.#prolonging.unref();
  }

  /** @returns undefined while another worker renews */
  static async take(db: Database, claimant: Claimant): Promise<RenewalClaim | undefined> {
    const taken = await db
      .update(connections)
      .set({ renewalOwner: claimant.owner, renewalUntil: claimEnd })
      .where(
        and(
          itself(claimant),
          sql`(${connections.renewalUntil} is null or ${connections.renewalUntil} < now())`,
        ),
      )
      .returning({ id: connections.id });
    return taken.length > 0 ? new RenewalClaim(db, claimant) : undefined;
  }

  /** Stores renewed credentials and ends the claim. @returns false when the claim, or the grant, was lost in between */
  async store(credentials: unknown): Promise<boolean> {
    const stored = await this.#db
      .update(connections)
      .set({ credentials, renewalOwner: null, renewalUntil: null })
      .where(isHeld(this.#claimant))
      .returning({ id: connections.id });
    return stored.length > 0;
  }

  /** Ends the claim; without effect once it was stored or lost. */
  async release(): Promise<void> {
    clearInterval(this.#prolonging);
    await this.#db
      .update(connections)
      .set({ renewalOwner: null, renewalUntil: null })
      .where(isHeld(this.#claimant))
      // Without the database it ends by itself.
      .catch(() => undefined);
  }
}
