import { TILE_SIZES, type Tile } from '@datadeck/contract';

const within = (value: number, [least, most]: readonly [number, number]) =>
  Math.min(most, Math.max(least, value));

/** Returns the tiles with one at another place, from 0. */
export function movedTo(tiles: readonly Tile[], id: string, to: number): Tile[] {
  const tile = tiles.find((one) => one.id === id);
  if (!tile) return [...tiles];
  const others = tiles.filter((one) => one !== tile);
  return others.toSpliced(within(to, [0, others.length]), 0, tile);
}

/** Returns the tiles with another size of one, within the limits. */
export function resizedTo(
  tiles: readonly Tile[],
  id: string,
  size: { width: number; height: number },
): Tile[] {
  return tiles.map((tile) =>
    tile.id === id
      ? {
          ...tile,
          width: within(Math.round(size.width), TILE_SIZES.width),
          height: within(Math.round(size.height), TILE_SIZES.height),
        }
      : tile,
  );
}
