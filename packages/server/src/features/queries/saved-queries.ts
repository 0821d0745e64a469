import type { SavedQuery, SaveQuery } from '@datadeck/contract';
import { and, asc, eq } from 'drizzle-orm';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { isId, newId } from '../../platform/ids.ts';
import { holdAccount } from '../accounts/index.ts';
import { savedQueries } from './tables.ts';

type Row = typeof savedQueries.$inferSelect;

function toSavedQuery(row: Row): SavedQuery {
  return { _id: row.id, title: row.title, jsonNataQuery: row.expression };
}

/** A user's saved queries, in the order of saving. */
export async function listSavedQueries(context: Context, userId: string): Promise<SavedQuery[]> {
  const rows = await context.db
    .select()
    .from(savedQueries)
    .where(eq(savedQueries.userId, userId))
    .orderBy(asc(savedQueries.createdAt), asc(savedQueries.id));
  return rows.map(toSavedQuery);
}

/** Saves a query in an open transaction. */
export async function saveQuery(tx: Queryable, userId: string, query: SaveQuery): Promise<SavedQuery> {
  await holdAccount(tx, userId);
  const [row] = await tx
    .insert(savedQueries)
    .values({ userId, id: newId(), title: query.title, expression: query.jsonNataQuery })
    .returning();
  return toSavedQuery(row as Row);
}

/** Renames or changes a saved query. @throws AppError not-found */
export async function updateSavedQuery(
  context: Context,
  userId: string,
  id: string,
  query: SaveQuery,
): Promise<SavedQuery> {
  const [row] = isId(id)
    ? await context.db
        .update(savedQueries)
        .set({ title: query.title, expression: query.jsonNataQuery })
        .where(and(eq(savedQueries.userId, userId), eq(savedQueries.id, id)))
        .returning()
    : [];
  if (!row) throw notFound('This query');
  return toSavedQuery(row);
}

/** @throws AppError not-found */
export async function deleteSavedQuery(context: Context, userId: string, id: string): Promise<void> {
  const gone = isId(id)
    ? await context.db
        .delete(savedQueries)
        .where(and(eq(savedQueries.userId, userId), eq(savedQueries.id, id)))
        .returning({ id: savedQueries.id })
    : [];
  if (gone.length === 0) throw notFound('This query');
}

/** Deletes all of a user's saved queries. */
export async function deleteSavedQueries(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(savedQueries).where(eq(savedQueries.userId, userId));
}
