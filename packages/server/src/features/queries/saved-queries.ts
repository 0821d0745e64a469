import { BOUNDS, type SavedQuery, type SaveQuery } from '@datadeck/contract';
import { and, asc, count, eq, sql } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isId, newId } from '../../platform/ids.ts';
import { lockAccount } from '../accounts/index.ts';
import { savedQueries } from './tables.ts';
import { checkExpression, fromSaveQuery, type QueryTexts, toSavedQuery } from './to-response.ts';

/** Returns a page of a user's saved queries, oldest first. */
export async function listSavedQueries(
  context: Context,
  userId: string,
  page: number,
): Promise<SavedQuery[]> {
  const rows = await context.db
    .select()
    .from(savedQueries)
    .where(eq(savedQueries.userId, userId))
    .orderBy(asc(savedQueries.createdAt), asc(savedQueries.id))
    .limit(BOUNDS.queriesPage)
    .offset((page - 1) * BOUNDS.queriesPage);
  return rows.map(toSavedQuery);
}

/** Saves a query. @throws AppError expression-invalid, limit-reached */
export async function saveQuery(context: Context, userId: string, query: SaveQuery): Promise<SavedQuery> {
  const texts = fromSaveQuery(query);
  await checkExpression(context, userId, texts.expression);
  return context.db.transaction((tx) => insertQuery(tx, userId, texts));
}

/**
 * Inserts a query in the caller's transaction. Inserts of the same user are serialised by an advisory lock, so the
 * limit is exact.
 * @throws AppError limit-reached
 */
export async function insertQuery(tx: Queryable, userId: string, texts: QueryTexts): Promise<SavedQuery> {
  await lockAccount(tx, userId);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 4))`);
  const [stored] = await tx
    .select({ count: count() })
    .from(savedQueries)
    .where(eq(savedQueries.userId, userId));
  if ((stored?.count ?? 0) >= BOUNDS.queriesPerUser)
    throw new AppError(
      'limit-reached',
      `You have reached the limit of ${BOUNDS.queriesPerUser} saved queries. Delete one first.`,
      { fields: { title: `At most ${BOUNDS.queriesPerUser} saved queries` } },
    );
  const [row] = await tx
    .insert(savedQueries)
    .values({ userId, id: newId(), ...texts })
    .returning();
  if (!row) throw new Error('the query was not stored');
  return toSavedQuery(row);
}

/** Renames or changes a saved query. @throws AppError expression-invalid, not-found */
export async function updateSavedQuery(
  context: Context,
  userId: string,
  id: string,
  query: SaveQuery,
): Promise<SavedQuery> {
  const texts = fromSaveQuery(query);
  await checkExpression(context, userId, texts.expression);
  const [row] = isId(id)
    ? await context.db
        .update(savedQueries)
        .set(texts)
        .where(and(eq(savedQueries.userId, userId), eq(savedQueries.id, id)))
        .returning()
    : [];
  if (!row) throw notFound('This query');
  return toSavedQuery(row);
}

/** Deletes a saved query. @throws AppError not-found */
export async function deleteSavedQuery(context: Context, userId: string, id: string): Promise<void> {
  const deleted = isId(id)
    ? await context.db
        .delete(savedQueries)
        .where(and(eq(savedQueries.userId, userId), eq(savedQueries.id, id)))
        .returning({ id: savedQueries.id })
    : [];
  if (deleted.length === 0) throw notFound('This query');
}

/** Deletes all of a user's saved queries. */
export async function deleteSavedQueries(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(savedQueries).where(eq(savedQueries.userId, userId));
}
