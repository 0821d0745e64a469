import type { Tile } from '@datadeck/contract';
import { type CSSProperties, lazy, type RefObject, Suspense } from 'react';
import type { View } from '../../api/models.ts';
import { fetchCode } from '../../ui/fetch-code.ts';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { SearchTile } from './search-tile.tsx';
import { TileFrame } from './tile-frame.tsx';
import { GAP, ROW_HEIGHT, type TileArrangement } from './use-arrangement.ts';
import { ViewTile } from './view-tile.tsx';

const TextTile = lazy(async () => fetchCode(async () => import('./text-tile.tsx')));

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

/** Sizes as CSS variables, which narrow windows ignore. */
const sizeOf = ({ width, height }: Tile) =>
  ({ '--columns': width, gridRow: `span ${height}` }) as CSSProperties;

/** The tiles of a board on a grid of 12 columns, one on phones. Each is placed in the first gap that it fits. */
export function BoardGrid({ grid, title, tiles, views, parameterText, arrangementOf }: BoardGridProps) {
  const viewOf = (id: string) => views && (views.find((view) => view.id === id) ?? null);
  return (
    <section
      ref={grid}
      aria-label={title}
      style={{ gridAutoRows: ROW_HEIGHT, gap: GAP }}
      className="grid grid-flow-row-dense grid-cols-1 sm:grid-cols-12"
    >
      {tiles.map((tile) => (
        <div
          key={tile.id}
          data-tile={tile.id}
          style={sizeOf(tile)}
          className="min-w-0 break-inside-avoid sm:[grid-column:span_var(--columns)]"
        >
          {tile.kind === 'view' && (
            <ViewTile
              tile={tile}
              view={viewOf(tile.viewId)}
              parameterText={parameterText}
              arrangement={arrangementOf?.(tile)}
            />
          )}
          {tile.kind === 'search' && <SearchTile tile={tile} arrangement={arrangementOf?.(tile)} />}
          {tile.kind === 'text' && (
            <TileFrame isPadded title={undefined} arrangement={arrangementOf?.(tile)}>
              <Suspense fallback={<LoadingRows rows={1} />}>
                <TextTile text={tile.text} />
              </Suspense>
            </TileFrame>
          )}
        </div>
      ))}
    </section>
  );
}
