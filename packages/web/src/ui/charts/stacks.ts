import type { ChartData } from '@datadeck/contract';

/** A part of a stack: from where to where it reaches. */
export interface Segment {
  from: number;
  to: number;
}

/** Stacks the visible series of each group: positive numbers upwards, negative ones downwards. Null where there is no number. */
export function stacksOf(
  series: ChartData['series'],
  visible: readonly number[],
): Map<number, (Segment | null)[]> {
  const ends = (series[0]?.values ?? []).map(() => ({ above: 0, below: 0 }));
  return new Map(
    visible.map((index) => [
      index,
      (series[index]?.values ?? []).map((value, group) => {
        const end = ends[group];
        if (value === null || !end) return null;
        const side = value < 0 ? 'below' : 'above';
        const from = end[side];
        end[side] = from + value;
        return { from, to: from + value };
      }),
    ]),
  );
}

/** Returns the numbers that a scale must contain. @param groups how many groups it is made for; default: all */
export function extentOf(
  series: ChartData['series'],
  visible: readonly number[],
  isStacked: boolean,
  groups?: number,
): number[] {
  if (!isStacked)
    return visible.flatMap(
      (index) => series[index]?.values.slice(0, groups).filter((value) => value !== null) ?? [],
    );
  return [...stacksOf(series, visible).values()].flatMap((segments) =>
    segments.slice(0, groups).flatMap((segment) => (segment ? [segment.to] : [])),
  );
}
