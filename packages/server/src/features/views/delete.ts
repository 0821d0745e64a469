import { eq } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { lockViews } from './lock-views.ts';
import { categories, views } from './tables.ts';

/** Deletes all of a user's views and categories. */
export async function deleteViews(tx: Queryable, userId: string): Promise<void> {
  await lockViews(tx, userId);
  await tx.update(views).set({ basedOn: null }).where(eq(views.userId, userId));
  await tx.delete(views).where(eq(views.userId, userId));
  await tx.delete(categories).where(eq(categories.userId, userId));
}
