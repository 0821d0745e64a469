import { type ScaleLinear, scaleLinear } from 'd3-scale';

/** Largest number of a scale: the range of larger ones with both signs would be infinite. */
const MOST = 8e307;

export type NumberScale = ScaleLinear<number, number>;

/** Returns a scale from zero, or from the smallest negative number, to the largest number, with round ends. */
export function numberScale(
  values: Iterable<number | null>,
  range: [number, number],
  ticks: number,
): NumberScale {
  let [least, most] = [0, 0];
  for (const value of values) {
    if (value === null) continue;
    least = Math.max(-MOST, Math.min(least, value));
    most = Math.min(MOST, Math.max(most, value));
  }
  const scale = scaleLinear().domain([least, most === least ? least + 1 : most]);
  const nice = scale.copy().nice(ticks);
  // The round ends of the largest numbers are infinite.
  const [from = 0, to = 0] = nice.domain();
  return (Number.isFinite(to - from) ? nice : scale).range(range).clamp(true);
}

/** Returns the numbers that an axis names, at most about `count`. Counts have whole numbers only. */
export function ticksOf(scale: NumberScale, count: number, isWhole: boolean): number[] {
  const ticks = scale
    .ticks(count)
    .filter((tick) => Number.isFinite(tick) && (!isWhole || Number.isInteger(tick)));
  return ticks.length > 0 ? ticks : scale.domain();
}
