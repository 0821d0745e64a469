import type { Budget } from './limits.ts';

/** Returns whether the first item must come after the second. */
export type MustSwap = (first: number, second: number) => boolean;

/**
 * Stable merge sort of the numbers 0 to count-1. It compares in the same order as the reference, so that failing and
 * inconsistent comparators behave alike. With `skipSorted` (pure comparators), it skips runs that are already in order.
 */
export function mergeSort(
  count: number,
  mustSwap: MustSwap,
  { budget, skipSorted }: { budget: Budget; skipSorted: boolean },
): Uint32Array {
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  const spare = new Uint32Array(count);

  const sortRange = (from: number, to: number): void => {
    if (to - from < 2) return;
    const middle = from + ((to - from) >> 1);
    sortRange(from, middle);
    sortRange(middle, to);
    budget.spend(to - from);
    if (skipSorted && !mustSwap(order[middle - 1] as number, order[middle] as number)) return;
    let left = from;
    let right = middle;
    let at = from;
    while (left < middle && right < to) {
      const a = order[left] as number;
      const b = order[right] as number;
      if (mustSwap(a, b)) {
        spare[at++] = b;
        right++;
      } else {
        spare[at++] = a;
        left++;
      }
    }
    while (left < middle) spare[at++] = order[left++] as number;
    // The rest of the right half is already in its final position.
    for (let i = from; i < at; i++) order[i] = spare[i] as number;
  };
  sortRange(0, count);
  return order;
}
