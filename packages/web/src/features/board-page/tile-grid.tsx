import type { CSSProperties, ReactNode, RefObject } from 'react';
import { GAP, ROW_HEIGHT } from './grid-size.ts';

/** The id of a tile, and its size in columns and rows of the grid. */
interface Placed {
  id: string;
  width: number;
  height: number;
}

interface TileGridProps<T extends Placed> {
  grid?: RefObject<HTMLElement | null>;
  title: string;
  tiles: readonly T[];
  renderTile: (tile: T) => ReactNode;
}

/** Sizes as CSS variables, which narrow windows ignore. */
const sizeOf = ({ width, height }: Placed) =>
  ({ '--columns': width, gridRow: `span ${height}` }) as CSSProperties;

/** Tiles on a grid of 12 columns, one on phones. Each is placed in the first gap that it fits. */
export function TileGrid<T extends Placed>({ grid, title, tiles, renderTile }: TileGridProps<T>) {
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
          {renderTile(tile)}
        </div>
      ))}
    </section>
  );
}
