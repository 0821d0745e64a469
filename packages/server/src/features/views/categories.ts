import { BOUNDS, type Category, type SaveCategory } from '@datadeck/contract';
import { and, asc, count, eq, sql } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isId, newId } from '../../platform/ids.ts';
import { lockViews } from './lock-views.ts';
import { categories, views } from './tables.ts';

/** Lists a user's categories by title; at most `BOUNDS.categoriesPerUser`. */
export async function listCategories(context: Context, userId: string): Promise<Category[]> {
  const rows = await context.db
    .select()
    .from(categories)
    .where(eq(categories.userId, userId))
    .orderBy(asc(sql`lower(${categories.title})`), asc(categories.id));
  return rows.map((row) => ({ _id: row.id, title: row.title }));
}

/** Returns the id of an existing category of the user; null for none. @throws AppError validation-failed */
export async function requireCategory(
  db: Queryable,
  userId: string,
  id: string | null | undefined,
): Promise<string | null> {
  if (!id) return null;
  const [row] = isId(id)
    ? await db
        .select({ id: categories.id })
        .from(categories)
        .where(and(eq(categories.userId, userId), eq(categories.id, id)))
    : [];
  if (!row)
    throw new AppError('validation-failed', 'This category does not exist any more.', {
      fields: { category: 'Unknown category' },
    });
  return row.id;
}

/** Creates a category. @throws AppError limit-reached */
export async function createCategory(
  context: Context,
  userId: string,
  category: SaveCategory,
): Promise<Category> {
  return context.db.transaction((tx) => insertCategory(tx, userId, category));
}

/** Inserts a category in the caller's transaction. @throws AppError limit-reached */
export async function insertCategory(
  tx: Queryable,
  userId: string,
  category: SaveCategory,
): Promise<Category> {
  await lockViews(tx, userId);
  const [stored] = await tx.select({ count: count() }).from(categories).where(eq(categories.userId, userId));
  if ((stored?.count ?? 0) >= BOUNDS.categoriesPerUser)
    throw new AppError(
      'limit-reached',
      `You have reached the limit of ${BOUNDS.categoriesPerUser} categories. Delete one first.`,
      { fields: { title: `At most ${BOUNDS.categoriesPerUser} categories` } },
    );
  const [row] = await tx
    .insert(categories)
    .values({ userId, id: newId(), title: category.title })
    .returning();
  if (!row) throw new Error('the category was not stored');
  return { _id: row.id, title: row.title };
}

/** Renames a category. @throws AppError not-found */
export async function updateCategory(
  context: Context,
  userId: string,
  id: string,
  category: SaveCategory,
): Promise<Category> {
  const [row] = isId(id)
    ? await context.db
        .update(categories)
        .set({ title: category.title })
        .where(and(eq(categories.userId, userId), eq(categories.id, id)))
        .returning()
    : [];
  if (!row) throw notFound('This category');
  return { _id: row.id, title: row.title };
}

/** Deletes a category. Its views become uncategorised. @throws AppError not-found */
export async function deleteCategory(context: Context, userId: string, id: string): Promise<void> {
  if (!isId(id)) throw notFound('This category');
  await context.db.transaction(async (tx) => {
    await lockViews(tx, userId);
    await tx
      .update(views)
      .set({ categoryId: null })
      .where(and(eq(views.userId, userId), eq(views.categoryId, id)));
    const deleted = await tx
      .delete(categories)
      .where(and(eq(categories.userId, userId), eq(categories.id, id)))
      .returning({ id: categories.id });
    if (deleted.length === 0) throw notFound('This category');
  });
}
