import type { Budget } from '../runtime/limits.ts';
import { isDeepEqual, isObject } from '../runtime/values.ts';

/** Returns the distinct values in order, by deep equality, in linear time. */
export function distinct(items: readonly unknown[], budget: Budget): unknown[] {
  return new DistinctValues(budget).add(items);
}

/** Collects the distinct values of a list that arrives in chunks. */
export class DistinctValues {
  readonly #budget: Budget;
  readonly #primitives = new Set<unknown>();
  readonly #structures = new Map<string, unknown[]>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Adds items; returns those that are new. */
  add(items: readonly unknown[]): unknown[] {
    this.#budget.spend(items.length);
    return items.filter((item) => {
      if (typeof item === 'object' && item !== null)
        return isNewStructure(item, this.#structures, this.#budget);
      // NaN is not equal to any value, including itself.
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

/** Returns a digest: equal structures have the same digest, and different ones rarely do. */
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
