import { type SharedCopy, type Tile, viewIdsOf } from '@datadeck/contract';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { insertBoard, selectBoard } from '../boards/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { copyViews, lockViews, viewTitles } from '../views/index.ts';
import { findAccepted } from './shared-with-me.ts';

/** Searches are left out, as on the page; so are tiles whose view was deleted. */
function copiedTiles(tiles: readonly Tile[], views: ReadonlyMap<string, string>): Tile[] {
  return tiles.flatMap((tile): Tile[] => {
    if (tile.kind === 'text') return [tile];
    const viewId = tile.kind === 'view' ? views.get(tile.viewId) : undefined;
    return tile.kind === 'view' && viewId !== undefined ? [{ ...tile, viewId }] : [];
  });
}

/**
 * Copies a shared view or board, with all views that it needs, into the account of the member, where they read the member's own
 * records. All or nothing is stored.
 * @throws AppError not-found, limit-reached
 */
export async function copyShared(
  context: Context,
  registry: ConnectorRegistry,
  { userId, id }: { userId: string; id: string },
): Promise<SharedCopy> {
  return context.db.transaction(async (tx) => {
    await lockViews(tx, userId);
    const { userId: ownerId, viewId, boardId } = await findAccepted(tx, userId, id);
    const board = boardId === null ? undefined : await selectBoard(tx, ownerId, boardId);
    if (viewId === null && !board) throw notFound('This shared page');
    const ids = board ? viewIdsOf(board.tiles) : [viewId ?? ''];
    const copies = await copyViews(tx, registry, { from: ownerId, to: userId, ids });
    if (board) {
      const copy = { title: board.title, tiles: copiedTiles(board.tiles, copies) };
      const { _id } = await insertBoard(tx, userId, copy);
      return { kind: 'board', _id, title: copy.title, views: copies.size };
    }
    const _id = copies.get(viewId ?? '');
    if (_id === undefined) throw notFound('This shared page');
    const title = (await viewTitles(tx, userId, [_id])).get(_id) ?? '';
    return { kind: 'view', _id, title, views: copies.size };
  });
}
