import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import { holdAccount } from '../accounts/index.ts';

/**
 * Waits until no other change of the user's views and categories is under way, and holds the others off until the
 * transaction ends: what a change has checked (a base, a category, what builds on a view) stays so until it is done.
 * @throws AppError unauthenticated when the account was deleted meanwhile
 */
export async function takeTurn(tx: Queryable, userId: string): Promise<void> {
  await holdAccount(tx, userId);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 3))`);
}
