import {
  BOUNDS,
  type Board,
  type CreateBoard,
  type ListedBoard,
  type Tile,
  type UpdateBoard,
  viewIdsOf,
} from '@datadeck/contract';
import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isId, newId } from '../../platform/ids.ts';
import { lockAccount } from '../accounts/index.ts';
import { viewTitles } from '../views/index.ts';
import { boards } from './tables.ts';

/** A stored board. */
export type BoardRow = typeof boards.$inferSelect;

export const toBoard = ({ id, title, tiles, version, weeklyMail, updatedAt }: BoardRow): Board => ({
  _id: id,
  title,
  tiles,
  version,
  weeklyMail,
  updated_at: updatedAt.toISOString(),
});

/** Lists a user's boards by title; at most `BOUNDS.boardsPerUser`. */
export async function listBoards(context: Context, userId: string): Promise<ListedBoard[]> {
  const rows = await context.db
    .select({
      id: boards.id,
      title: boards.title,
      tileCount: sql<number>`jsonb_array_length(${boards.tiles})`,
      updatedAt: boards.updatedAt,
    })
    .from(boards)
    .where(eq(boards.userId, userId))
    .orderBy(asc(sql`lower(${boards.title})`), asc(boards.id));
  return rows.map(({ id, updatedAt, ...row }) => ({ _id: id, ...row, updated_at: updatedAt.toISOString() }));
}

/** Selects a board, and locks it if asked to; undefined for an unknown id or another user's board. */
export async function selectBoard(
  db: Queryable,
  userId: string,
  id: string,
  lock = false,
): Promise<BoardRow | undefined> {
  if (!isId(id)) return undefined;
  const query = db
    .select()
    .from(boards)
    .where(and(eq(boards.userId, userId), eq(boards.id, id)));
  const [row] = lock ? await query.for('update') : await query;
  return row;
}

/** Returns the titles of boards by id, without those that do not exist. */
export async function boardTitles(
  db: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: boards.id, title: boards.title })
    .from(boards)
    .where(and(eq(boards.userId, userId), inArray(boards.id, [...ids])));
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** Returns the titles of all boards of a user. */
export async function selectTitles(db: Queryable, userId: string): Promise<Set<string>> {
  const rows = await db.select({ title: boards.title }).from(boards).where(eq(boards.userId, userId));
  return new Set(rows.map(({ title }) => title));
}

/** Finds a board like `selectBoard`. @throws AppError not-found */
export async function findBoard(db: Queryable, userId: string, id: string, lock = false): Promise<BoardRow> {
  const row = await selectBoard(db, userId, id, lock);
  if (!row) throw notFound('This board');
  return row;
}

/** Returns a board. @throws AppError not-found */
export async function readBoard(context: Context, userId: string, id: string): Promise<Board> {
  return toBoard(await findBoard(context.db, userId, id));
}

/**
 * Checks that the views of the tiles exist. Those that the board shows already may have been deleted since.
 * @throws AppError validation-failed
 */
async function checkViews(
  tx: Queryable,
  userId: string,
  tiles: readonly Tile[],
  known: readonly Tile[] = [],
): Promise<void> {
  const shown = new Set(viewIdsOf(known));
  const added = viewIdsOf(tiles).filter((id) => !shown.has(id));
  const titles = await viewTitles(tx, userId, added.filter(isId));
  if (added.every((id) => titles.has(id))) return;
  throw new AppError('validation-failed', 'A view of the board does not exist any more.', {
    fields: { tiles: 'Unknown view' },
  });
}

/** Creates a board. @throws AppError limit-reached; validation-failed for an unknown view */
export async function createBoard(context: Context, userId: string, board: CreateBoard): Promise<Board> {
  return context.db.transaction((tx) => insertBoard(tx, userId, board));
}

/** Inserts a board in the caller's transaction. @throws AppError limit-reached; validation-failed for an unknown view */
export async function insertBoard(
  tx: Queryable,
  userId: string,
  { title, tiles }: CreateBoard,
): Promise<Board> {
  await lockBoards(tx, userId);
  const [stored] = await tx.select({ count: count() }).from(boards).where(eq(boards.userId, userId));
  if ((stored?.count ?? 0) >= BOUNDS.boardsPerUser)
    throw new AppError(
      'limit-reached',
      `You have reached the limit of ${BOUNDS.boardsPerUser} boards. Delete one first.`,
      { fields: { title: `At most ${BOUNDS.boardsPerUser} boards` } },
    );
  await checkViews(tx, userId, tiles);
  const [row] = await tx.insert(boards).values({ userId, id: newId(), title, tiles }).returning();
  return toBoard(row as BoardRow);
}

/** Serialises additions of boards, so that their counted number is exact. @throws AppError unauthenticated */
export async function lockBoards(tx: Queryable, userId: string): Promise<void> {
  await lockAccount(tx, userId);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 9))`);
}

async function storeChange(
  tx: Queryable,
  { userId, id, version }: BoardRow,
  change: Partial<Pick<BoardRow, 'title' | 'tiles'>>,
): Promise<Board> {
  const [row] = await tx
    .update(boards)
    .set({ ...change, version: version + 1, updatedAt: new Date() })
    .where(and(eq(boards.userId, userId), eq(boards.id, id)))
    .returning();
  return toBoard(row as BoardRow);
}

/**
 * Changes the title and the tiles of a board.
 * @throws AppError not-found; board-outdated if it was changed since it was read; validation-failed for an unknown view
 */
export async function updateBoard(
  context: Context,
  userId: string,
  { id, title, tiles, version }: UpdateBoard & { id: string },
): Promise<Board> {
  return context.db.transaction(async (tx) => {
    const row = await findBoard(tx, userId, id, true);
    if (row.version !== version)
      throw new AppError(
        'board-outdated',
        'The board was changed elsewhere. It is loaded again; repeat your change.',
      );
    await checkViews(tx, userId, tiles, row.tiles);
    return storeChange(tx, row, { title, tiles });
  });
}

/** Adds a tile at the end of a board. @throws AppError not-found, limit-reached, validation-failed */
export async function addTile(
  context: Context,
  userId: string,
  { id, tile }: { id: string; tile: Tile },
): Promise<Board> {
  return context.db.transaction(async (tx) => {
    const row = await findBoard(tx, userId, id, true);
    if (row.tiles.length >= BOUNDS.tilesPerBoard)
      throw new AppError(
        'limit-reached',
        `A board has at most ${BOUNDS.tilesPerBoard} tiles. Remove one first.`,
      );
    if (row.tiles.some((other) => other.id === tile.id))
      throw new AppError('validation-failed', 'The board has a tile with this id already.', {
        fields: { id: 'Must be an id of its own' },
      });
    await checkViews(tx, userId, [tile], row.tiles);
    return storeChange(tx, row, { tiles: [...row.tiles, tile] });
  });
}

/** Deletes a board, and what belongs to it in the same transaction. @throws AppError not-found */
export async function deleteBoard(
  context: Context,
  userId: string,
  { id, inTransaction }: { id: string; inTransaction: (tx: Queryable) => Promise<void> },
): Promise<void> {
  if (!isId(id)) throw notFound('This board');
  await context.db.transaction(async (tx) => {
    const deleted = await tx
      .delete(boards)
      .where(and(eq(boards.userId, userId), eq(boards.id, id)))
      .returning({ id: boards.id });
    if (deleted.length === 0) throw notFound('This board');
    await inTransaction(tx);
  });
}

/** Deletes all boards of a user. */
export async function deleteBoards(tx: Queryable, userId: string): Promise<void> {
  await lockBoards(tx, userId);
  await tx.delete(boards).where(eq(boards.userId, userId));
}
