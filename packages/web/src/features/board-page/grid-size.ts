/** Height of a row of the grid and the gap between tiles, px. */
export const ROW_HEIGHT = 64;
export const GAP = 16;

/** Lowest chart that can be read, px. */
const MIN_CHART = 96;
/** What a chart's tile has beside the picture: header, space around it, and a legend, px. */
const AROUND_CHART = 92;

/** Returns the height of a chart in a tile of this many rows, px. */
export function chartHeight(rows: number): number {
  return Math.max(MIN_CHART, rows * (ROW_HEIGHT + GAP) - GAP - AROUND_CHART);
}
