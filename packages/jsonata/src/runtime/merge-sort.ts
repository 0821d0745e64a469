import type { Budget } from './limits.ts';

/** Whether the item now standing first must give way to the second. */
export type MustSwap = (first: number, second: number) => boolean;

/**
 * Stable merge sort of the numbers 0 to count-1, comparing in the order the reference does: a comparator that errs or
 * contradicts itself behaves alike. With `skipSorted` (comparators without effects), runs in order are not merged.
 */
export function mergeSort(
  count: number,
  mustSwap: MustSwap,
  options: { budget: Budget; skipSorted: boolean },
): Uint32Array {
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  sortRange(order, new Uint32Array(count), { from: 0, to: count, mustSwap, ...options });
  return order;
}

interface Range {
  from: number;
  to: number;
  mustSwap: MustSwap;
  budget: Budget;
  skipSorted: boolean;
}

function sortRange(order: Uint32Array, spare: Uint32Array, range: Range): void {
  const { from, to, mustSwap, budget, skipSorted } = range;
  if (to - from < 2) return;
  const middle = from + Math.floor((to - from) / 2);
  sortRange(order, spare, { ...range, to: middle });
  sortRange(order, spare, { ...range, from: middle });
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
  // What is left on the right already stands where it belongs.
  for (let i = from; i < at; i++) order[i] = spare[i] as number;
}
