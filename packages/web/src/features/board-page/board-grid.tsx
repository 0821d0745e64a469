import type { Tile } from '@datadeck/contract';
import type { RefObject } from 'react';
import type { View } from '../../api/models.ts';
import { FramedText } from './framed-text.tsx';
import { SearchTile } from './search-tile.tsx';
import { TileGrid } from './tile-grid.tsx';
import type { TileArrangement } from './use-arrangement.ts';
import { ViewTile } from './view-tile.tsx';

interface BoardGridProps {
  grid: RefObject<HTMLElement | null>;
  title: string;
  tiles: readonly Tile[];
  /** Undefined while they load. */
  views: readonly View[] | undefined;
  parameterText: (name: string) => string;
  /** Set while the board is arranged. */
  arrangementOf: ((tile: Tile) => TileArrangement) | undefined;
}

/** The tiles of a board on their grid. */
export function BoardGrid({ grid, title, tiles, views, parameterText, arrangementOf }: BoardGridProps) {
  const viewOf = (id: string) => views && (views.find((view) => view.id === id) ?? null);
  const renderTile = (tile: Tile) => {
    const arrangement = arrangementOf?.(tile);
    if (tile.kind === 'text') return <FramedText text={tile.text} arrangement={arrangement} />;
    if (tile.kind === 'search') return <SearchTile tile={tile} arrangement={arrangement} />;
    return (
      <ViewTile
        tile={tile}
        view={viewOf(tile.viewId)}
        parameterText={parameterText}
        arrangement={arrangement}
      />
    );
  };
  return <TileGrid grid={grid} title={title} tiles={tiles} renderTile={renderTile} />;
}
