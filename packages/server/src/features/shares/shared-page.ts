import {
  type Chart,
  type SharedPage,
  type SharedViewTile,
  TILE_SIZES,
  type Tile,
  viewIdsOf,
} from '@datadeck/contract';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { selectBoard } from '../boards/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { selectViews, type ViewRow } from '../views/index.ts';
import { type Shared, shareEnded } from './share-grant.ts';

/** A tile of a shared page, and how its view is read. */
interface ReadableTile {
  tile: SharedViewTile;
  viewId: string;
  chart: Chart | undefined;
  /** Sort of its rows, as in a request. */
  sort: string | undefined;
}

type PageTile = ReadableTile | { tile: Extract<Tile, { kind: 'text' }> };

/** Size of the only tiles of a shared view, in columns and rows of the grid. */
const [, WIDTH] = TILE_SIZES.width;
const HEIGHTS = { chart: 5, rows: 8 } as const;

/** Returns the fields that come first where the owner sees the whole view. */
function preferredOf(registry: ConnectorRegistry, { entity }: ViewRow): string[] {
  const templates = registry.findEntity(entity)?.templates ?? [];
  return [...(templates.find(({ kind }) => kind === 'documents')?.columns ?? [])];
}

function tilesOfView(registry: ConnectorRegistry, view: ViewRow): PageTile[] {
  const { id: viewId, title, display } = view;
  const columns = display?.columns ?? [];
  const preferred = preferredOf(registry, view);
  const tile = { kind: 'view', width: WIDTH, title, columns, preferred } as const;
  const rows = { viewId, chart: display?.chart, sort: display?.sort || undefined };
  const table = { ...rows, tile: { ...tile, id: 'rows', height: HEIGHTS.rows, picture: 'table' as const } };
  if (display?.chart === undefined) return [table];
  return [{ ...rows, tile: { ...tile, id: 'chart', height: HEIGHTS.chart, picture: 'chart' } }, table];
}

/** Searches read all records of their owner, and are not shared. */
function tilesOfBoard(tiles: readonly Tile[], views: ReadonlyMap<string, ViewRow>): PageTile[] {
  return tiles.flatMap((tile): PageTile[] => {
    if (tile.kind === 'text') return [{ tile }];
    const view = tile.kind === 'view' ? views.get(tile.viewId) : undefined;
    if (tile.kind !== 'view' || !view) return [];
    const { viewId, chart, ...rest } = tile;
    const { display } = view;
    const shown = {
      ...rest,
      title: tile.title || view.title,
      columns: display?.columns ?? [],
      preferred: [],
    };
    return [{ viewId, chart: chart ?? display?.chart, sort: display?.sort || undefined, tile: shown }];
  });
}

async function pageOf(
  context: Context,
  registry: ConnectorRegistry,
  { owner, viewId, boardId }: Shared,
): Promise<Pick<SharedPage, 'kind' | 'title'> & { tiles: PageTile[] }> {
  const viewsOf = (ids: readonly string[]) => selectViews(context.db, owner.id, ids);
  if (boardId !== null) {
    const board = await selectBoard(context.db, owner.id, boardId);
    if (!board) throw shareEnded();
    const { title, tiles } = board;
    return { kind: 'board', title, tiles: tilesOfBoard(tiles, await viewsOf(viewIdsOf(tiles))) };
  }
  const [view] = (await viewsOf([viewId ?? ''])).values();
  if (!view) throw shareEnded();
  return { kind: 'view', title: view.title, tiles: tilesOfView(registry, view) };
}

/** Returns the page of a share, as its view or board is now. @throws AppError share-ended when that was deleted */
export async function readSharedPage(
  context: Context,
  registry: ConnectorRegistry,
  shared: Shared,
): Promise<SharedPage> {
  const { kind, title, tiles } = await pageOf(context, registry, shared);
  const expiresAt = shared.expiresAt?.toISOString() ?? null;
  return { kind, title, tiles: tiles.map(({ tile }) => tile), expiresAt };
}

/** Finds a tile with rows on the page of a share. @throws AppError share-ended, not-found */
export async function findSharedTile(
  context: Context,
  registry: ConnectorRegistry,
  { shared, tileId }: { shared: Shared; tileId: string },
): Promise<ReadableTile> {
  const { tiles } = await pageOf(context, registry, shared);
  const found = tiles.find((one): one is ReadableTile => 'viewId' in one && one.tile.id === tileId);
  if (!found) throw notFound('This tile');
  return found;
}
