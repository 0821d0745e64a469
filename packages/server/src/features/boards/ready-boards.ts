import {
  type AddedBoard,
  boardParts,
  READY_BOARDS,
  type ReadyBoardKey,
  storedTiles,
} from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type ConnectorRegistry, listShownConnections } from '../connections/index.ts';
import { freeTitle, insertReadyViews, lockViews } from '../views/index.ts';
import { insertBoard, lockBoards, selectTitles } from './store.ts';

async function connectedProviders(tx: Queryable, userId: string): Promise<Set<string>> {
  const connections = await listShownConnections(tx, userId);
  return new Set(connections.flatMap(({ status, provider }) => (status === 'disconnected' ? [] : provider)));
}

/**
 * Adds a ready-made board with its views, all or nothing. Tiles without a connected provider are left out.
 * @throws AppError not-connected when no tile is left; limit-reached
 */
export async function addReadyBoard(
  context: Context,
  registry: ConnectorRegistry,
  userId: string,
  key: ReadyBoardKey,
): Promise<AddedBoard> {
  const ready = READY_BOARDS.find((board) => board.key === key);
  if (!ready) throw new Error(`There is no ready-made board ${key}`);
  return context.db.transaction(async (tx) => {
    await lockViews(tx, userId);
    await lockBoards(tx, userId);
    const connected = await connectedProviders(tx, userId);
    const { tiles, views, leftOut } = boardParts(ready, connected);
    if (tiles.length === 0)
      throw new AppError(
        'not-connected',
        `Nothing that ${ready.title} shows is connected. Connect it under Providers first.`,
      );
    const { ids, created, reused } = await insertReadyViews(tx, registry, { userId, views, connected });
    const title = freeTitle(ready.title, await selectTitles(tx, userId));
    const board = await insertBoard(tx, userId, { title, tiles: storedTiles(tiles, ids) });
    return {
      board,
      createdViews: created,
      reusedViews: reused,
      leftOut: leftOut.flatMap(({ parts }) => parts),
    };
  });
}
