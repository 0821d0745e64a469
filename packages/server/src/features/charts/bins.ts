import { CHART_LIMITS } from '@datadeck/contract';

/** Steps between round numbers. */
const STEPS = [1, 2, 5, 10];

/** Equal ranges of numbers: the first one contains the smallest, the last one the largest number. */
export interface Bins {
  width: number;
  /** Lower edges. */
  edges: number[];
  /** Returns the position of the bin of a number within the range. */
  indexOf(value: number): number;
}

/** Returns bins with round edges for a range, at most `CHART_LIMITS.bins`; whole numbers have bins of whole numbers. */
export function binsOf({ from, to, isWhole }: { from: number; to: number; isWhole: boolean }): Bins {
  // The range of huge numbers would be infinite.
  const rough = to / CHART_LIMITS.bins - from / CHART_LIMITS.bins;
  const power = rough > 0 ? 10 ** Math.floor(Math.log10(rough)) : 0;
  const step = STEPS.find((one) => one * power >= rough) ?? 10;
  let width = power > 0 && Number.isFinite(step * power) ? step * power : Math.max(1, Math.abs(from) / 10);
  if (isWhole) width = Math.max(1, width);
  let first = Math.floor(from / width);
  let count = Math.floor(to / width) - first + 1;
  // Round edges may need one bin more than there are.
  while (count > CHART_LIMITS.bins + 1) {
    width *= 2;
    first = Math.floor(from / width);
    count = Math.floor(to / width) - first + 1;
  }
  return {
    width,
    edges: Array.from({ length: count }, (_, index) => Number(((first + index) * width).toPrecision(12))),
    indexOf: (value) => Math.min(count - 1, Math.max(0, Math.floor(value / width) - first)),
  };
}
