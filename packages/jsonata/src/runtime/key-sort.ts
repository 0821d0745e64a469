import type { Budget } from './limits.ts';
import { mergeSort } from './merge-sort.ts';

/** Sorts by keys that are all numbers or all strings; returns undefined for other keys. */
export function sortByKeys(
  keys: readonly unknown[],
  descending: boolean,
  budget: Budget,
): Uint32Array | undefined {
  const options = { budget, skipSorted: true };
  const count = keys.length;
  if (keys.every((key) => typeof key === 'number' && !Number.isNaN(key))) {
    const numbers = Float64Array.from(keys as readonly number[]);
    return descending
      ? mergeSort(count, (a, b) => (numbers[a] as number) < (numbers[b] as number), options)
      : mergeSort(count, (a, b) => (numbers[a] as number) > (numbers[b] as number), options);
  }
  if (keys.every((key) => typeof key === 'string')) {
    return descending
      ? mergeSort(count, (a, b) => (keys[a] as string) < (keys[b] as string), options)
      : mergeSort(count, (a, b) => (keys[a] as string) > (keys[b] as string), options);
  }
  return undefined;
}
