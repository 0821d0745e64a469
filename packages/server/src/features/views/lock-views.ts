import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { lockAccount } from '../accounts/index.ts';

/**
 * Locks the user's views and categories until the transaction ends, so that a checked base, category or count is still
 * valid when it is stored.
 * @throws AppError unauthenticated when the account was deleted while waiting
 */
export async function lockViews(tx: Queryable, userId: string): Promise<void> {
  await lockAccount(tx, userId);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 3))`);
}
