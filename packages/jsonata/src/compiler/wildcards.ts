import type { Budget } from '../runtime/limits.ts';
import { markSequence } from '../runtime/sequence.ts';
import { isObject } from '../runtime/values.ts';

/** Evaluates `*`: the values of all fields of an object, or the items of an array. */
export function wildcard(input: unknown, budget: Budget): unknown {
  if (!isObject(input) && !Array.isArray(input)) return markSequence([]);
  const values: unknown[] = [];
  let isSequence = true;
  for (const value of Array.isArray(input) ? input : Object.values(input)) {
    if (Array.isArray(value)) {
      flatten(value, values, budget);
      isSequence = false;
    } else values.push(value);
    if (values.length > budget.limits.sequenceLength) budget.spendItems(values.length);
  }
  budget.spend(values.length);
  return isSequence ? markSequence(values) : values;
}

function flatten(array: readonly unknown[], into: unknown[], budget: Budget): void {
  budget.spend(array.length);
  for (const item of array) {
    if (Array.isArray(item)) flatten(item, into, budget);
    else into.push(item);
  }
}

/** Evaluates `**`: the value and all values inside it, except the arrays themselves. */
export function descendants(input: unknown, budget: Budget): unknown {
  if (input === undefined) return undefined;
  const found: unknown[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      budget.spend(value.length);
      value.forEach(visit);
      return;
    }
    found.push(value);
    if (isObject(value)) {
      budget.spend(1);
      for (const key of Object.keys(value)) visit(value[key]);
    }
  };
  visit(input);
  if (found.length > budget.limits.sequenceLength) budget.spendItems(found.length);
  return found.length === 1 ? found[0] : markSequence(found);
}
