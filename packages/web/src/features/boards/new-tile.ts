import type { SearchTile, TextTile, TilePicture, ViewTile } from '@datadeck/contract';

/** Size of a new tile, columns and rows of the grid. */
const SIZES = {
  chart: { width: 6, height: 4 },
  table: { width: 12, height: 5 },
  list: { width: 4, height: 5 },
  text: { width: 12, height: 1 },
  search: { width: 6, height: 5 },
} as const;

/** Returns an id that no other tile has. */
function newTileId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => (byte % 36).toString(36)).join('');
}

/** Returns a tile that shows a view. */
export function newViewTile(viewId: string, picture: TilePicture): ViewTile {
  return { id: newTileId(), kind: 'view', ...SIZES[picture], viewId, picture, title: '' };
}

/** Returns a tile with a text. */
export function newTextTile(text: string): TextTile {
  return { id: newTileId(), kind: 'text', ...SIZES.text, text };
}

/** Returns a tile with the matches of a search. @param within a provider or an entity whose records alone are searched */
export function newSearchTile(
  search: string,
  within: Pick<SearchTile, 'providerId' | 'entityLabel'> = {},
): SearchTile {
  return { id: newTileId(), kind: 'search', ...SIZES.search, search, ...within, title: '' };
}
