import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import { lockAccount } from '../accounts/index.ts';

/**
 * Locks the user's views and categories until the transaction ends, so that what a change has checked (a base, a category,
 * the views built on a view) stays true until it is committed.
 * @throws AppError unauthenticated when the account was deleted while it waited
 */
export async function lockViews(tx: Queryable, userId: string): Promise<void> {
  await lockAccount(tx, userId);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 3))`);
}
