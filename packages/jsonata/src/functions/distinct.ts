import type { Budget } from '../runtime/limits.ts';
import { isDeepEqual, isObject } from '../runtime/values.ts';

/** The values without repetition, in order, by deep equality and in linear time. */
export function distinct(items: readonly unknown[], budget: Budget): unknown[] {
  return new DistinctValues(budget).add(items);
}

/** The values seen so far, of a list that comes in chunks. */
export class DistinctValues {
  readonly #budget: Budget;
  readonly #primitives = new Set<unknown>();
  readonly #structures = new Map<string, unknown[]>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Returns the items that were not seen before, each once. */
  add(items: readonly unknown[]): unknown[] {
    this.#budget.spend(items.length);
    return items.filter((item) => {
      if (typeof item === 'object' && item !== null)
        return isNewStructure(item, this.#structures, this.#budget);
      // NaN equals nothing, not even itself.
      if (Number.isNaN(item)) return true;
      const known = this.#primitives.size;
      return this.#primitives.add(item).size > known;
    });
  }
}

function isNewStructure(item: object, seen: Map<string, unknown[]>, budget: Budget): boolean {
  const digest = digestOf(item, budget);
  const alike = seen.get(digest);
  if (alike === undefined) {
    seen.set(digest, [item]);
    return true;
  }
  if (alike.some((other) => isDeepEqual(item, other, budget))) return false;
  alike.push(item);
  return true;
}

/** A text that equal structures share; unequal ones seldom do. */
function digestOf(value: unknown, budget: Budget): string {
  budget.spend(1);
  if (Array.isArray(value)) {
    let digest = '[';
    for (const item of value) digest += `${digestOf(item, budget)},`;
    budget.spendText(digest.length);
    return digest;
  }
  if (isObject(value)) {
    let digest = '{';
    for (const key of Object.keys(value).sort()) digest += `${key}:${digestOf(value[key], budget)},`;
    budget.spendText(digest.length);
    return digest;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(typeof value === 'object' ? null : value);
}
