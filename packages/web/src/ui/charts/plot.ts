import type { ChartData } from '@datadeck/contract';

/** A mark that is pointed at or reached by keyboard: a group, or one cell of a heat map. */
export interface ActiveMark {
  group: number;
  /** Row of a heat map; null elsewhere, where the mark is of all series. */
  series: number | null;
}

/** What a picture is drawn from. Pictures have an element with `data-group` for each mark, which is found by pointers. */
export interface PlotProps {
  data: ChartData;
  /** Positions of the series that the legend shows. */
  visible: readonly number[];
  /** px */
  width: number;
  height: number;
  active: ActiveMark | null;
}

/** Average width of a character of the small text, px. */
export const CHARACTER = 6.8;

/** Shortens a text to a width, px. */
export function shortened(text: string, width: number): string {
  const most = Math.max(1, Math.floor(width / CHARACTER));
  return text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
}
