import { Callable, Lambda, Native, PassedFunction } from './callable.ts';
import type { Code } from './frame.ts';
import type { Budget } from './limits.ts';
import { collapseItems, flattenInto, isFlagged } from './sequence.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Names of inherited object members; only for these must ownership be checked. */
const INHERITED: ReadonlySet<string> = new Set(
  [Object, Callable, Lambda, Native, PassedFunction].flatMap(({ prototype }) =>
    Object.getOwnPropertyNames(prototype),
  ),
);

/** Returns whether reading the name may find an inherited member instead of data. */
export function isInherited(name: string): boolean {
  return INHERITED.has(name);
}

/** Returns an object's own field; ignores functions that the object does not own. */
export function ownField(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Fields)[name] : undefined;
}

/** Returns the field of a value; for an array, of each item. */
export function lookUp(value: unknown, name: string, budget: Budget): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return ownField(value, name);
  return collapseItems(lookUpAll(value, name, budget));
}

/** Returns the field of every item, with nested arrays flattened. */
export function lookUpAll(items: readonly unknown[], name: string, budget: Budget): unknown[] {
  budget.spend(items.length);
  const checked = isInherited(name);
  const found: unknown[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item !== 'object' || item === null) continue;
    let field: unknown;
    if (Array.isArray(item)) field = lookUpAll(item, name, budget);
    else if (checked) field = ownField(item, name);
    else {
      field = (item as Fields)[name];
      if (typeof field === 'function') field = ownField(item, name);
    }
    if (typeof field === 'string' || typeof field === 'number') found.push(field);
    else if (Array.isArray(field)) {
      for (let j = 0; j < field.length; j++) found.push(field[j]);
      if (found.length > budget.limits.sequenceLength) budget.spendItems(found.length);
    } else if (field !== undefined) found.push(field);
  }
  return found;
}

/** Compiles the reading of a field of one item. */
export function compileField(name: string): Code {
  const checked = isInherited(name);
  return (input, frame) => {
    if (typeof input !== 'object' || input === null) return undefined;
    if (checked || Array.isArray(input)) return lookUp(input, name, frame.run.budget);
    const value = (input as Fields)[name];
    return typeof value === 'function' ? ownField(input, name) : value;
  };
}

/** Returned by a fast path when only the general code can compute the result. */
export const SLOW = Symbol('slow');

/** Returns whether a field's value needs no further processing: it is neither a function nor a flagged array. */
function isSettled(field: unknown): boolean {
  if (typeof field === 'string' || typeof field === 'number') return true;
  return typeof field !== 'function' && !(Array.isArray(field) && isFlagged(field));
}

/**
 * Compiles the reading of nested fields without creating arrays; `slow` handles arrays and functions. Chains of one and
 * two names have their own closures, because nearly all queries use these.
 */
export function compileChain(names: readonly string[], slow: Code): Code {
  const [first = '', second = ''] = names;
  if (names.length === 1) {
    return (input, frame) => {
      if (typeof input !== 'object' || input === null) return undefined;
      if (Array.isArray(input)) return slow(input, frame);
      const field = (input as Fields)[first];
      return isSettled(field) ? field : slow(input, frame);
    };
  }
  if (names.length === 2) {
    return (input, frame) => {
      if (typeof input !== 'object' || input === null) return undefined;
      if (Array.isArray(input)) return slow(input, frame);
      const inner = (input as Fields)[first];
      if (typeof inner !== 'object' || inner === null)
        return typeof inner === 'function' ? slow(input, frame) : undefined;
      if (Array.isArray(inner)) {
        const found = isFlagged(inner) ? undefined : plainFields(inner, second);
        if (found === undefined) return slow(input, frame);
        frame.run.budget.spend(inner.length);
        return collapseItems(found);
      }
      const field = (inner as Fields)[second];
      return isSettled(field) ? field : slow(input, frame);
    };
  }
  return (input, frame) => {
    const field = readChain(input, names);
    return field === SLOW || !isSettled(field) ? slow(input, frame) : field;
  };
}

/** Returns the field at the end of a chain of names; `SLOW` if there is an array or a function on the way. */
export function readChain(value: unknown, names: readonly string[]): unknown {
  let field = value;
  for (let i = 0; i < names.length; i++) {
    if (typeof field !== 'object' || field === null) return typeof field === 'function' ? SLOW : undefined;
    if (Array.isArray(field)) return SLOW;
    field = (field as Fields)[names[i] as string];
  }
  return field;
}

/** Returns the field of each item if all items are objects without arrays or functions there; undefined otherwise. */
function plainFields(items: readonly unknown[], name: string): unknown[] | undefined {
  const found: unknown[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
    const field = (item as Fields)[name];
    if (typeof field === 'string' || typeof field === 'number') found.push(field);
    else if (typeof field === 'function' || Array.isArray(field)) return undefined;
    else if (field !== undefined) found.push(field);
  }
  return found;
}

/**
 * Returns whether a scalar is among the values of `first.second`, without collecting them; `SLOW` if there are values
 * other than scalars. Like the general code, it compares by identity.
 */
export function isAmongFields(
  item: unknown,
  input: unknown,
  [first, second]: readonly [string, string],
): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return SLOW;
  const list = (input as Fields)[first];
  if (!Array.isArray(list)) return SLOW;
  let isAmong = false;
  for (let i = 0; i < list.length; i++) {
    const each: unknown = list[i];
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return SLOW;
    const field = (each as Fields)[second];
    if (typeof field === 'string' || typeof field === 'number') isAmong ||= field === item;
    else if (field !== undefined) return SLOW;
  }
  return isAmong;
}

function isPlain(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value that is not a plain object has no fields. */
function isPassable(value: unknown): boolean {
  return typeof value !== 'function' && !Array.isArray(value);
}

/**
 * Reads a chain of names from every item in one pass; returns undefined if there is an array, which needs one pass per
 * name.
 */
export function mapChain(
  input: readonly unknown[],
  names: readonly string[],
  at: { budget: Budget; tally: Tally },
): unknown[] | undefined {
  // The input of an expression is wrapped as the only item of an array.
  const items: readonly unknown[] = input.length === 1 && Array.isArray(input[0]) ? input[0] : input;
  at.budget.spend(items.length * names.length);
  const [first = '', second = '', third] = names;
  const found: unknown[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (!isPlain(item)) {
      if (isPassable(item)) continue;
      return undefined;
    }
    let field = item[first];
    if (!isPlain(field)) {
      if (isPassable(field)) continue;
      return undefined;
    }
    field = field[second];
    if (third !== undefined) {
      if (!isPlain(field)) {
        if (isPassable(field)) continue;
        return undefined;
      }
      field = names.length === 3 ? field[third] : readChain(field[third], names.slice(3));
    }
    if (typeof field === 'string' || typeof field === 'number') found.push(field);
    else if (field === SLOW || typeof field === 'function' || Array.isArray(field)) return undefined;
    else if (field !== undefined) found.push(field);
  }
  at.tally.count = found.length;
  at.tally.first = found[0];
  return found;
}

/** Information about the last step of a path, in addition to its items. */
export class Tally {
  /** Number of inputs for which the step returned a value. */
  count = 0;
  /** The first of these values, before flattening. */
  first: unknown = undefined;
}

/** Returns the field of every item, as the items of the next step. It may be an array of the input: do not change it. */
export function mapField(
  items: readonly unknown[],
  name: string,
  at: { budget: Budget; tally: Tally; checked: boolean },
): readonly unknown[] {
  const { budget, tally, checked } = at;
  budget.spend(items.length);
  const found: unknown[] = [];
  let count = 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item !== 'object' || item === null) continue;
    let field: unknown;
    if (Array.isArray(item)) {
      const all = lookUpAll(item, name, budget);
      if (items.length === 1 && all.length > 1) {
        // A new sequence, which is neither an array value nor an array of the input.
        tally.count = 2;
        return all;
      }
      field = collapseItems(all);
    } else if (checked) field = ownField(item, name);
    else {
      field = (item as Fields)[name];
      if (typeof field === 'function') field = ownField(item, name);
    }
    if (field === undefined) continue;
    if (typeof field === 'string' || typeof field === 'number') {
      if (count++ === 0) tally.first = field;
      found.push(field);
      continue;
    }
    if (count++ === 0) tally.first = field;
    tally.count = count;
    if (typeof field !== 'object' || field === null || !Array.isArray(field)) {
      found.push(field);
    } else if (items.length === 1 && !isFlagged(field)) {
      return field;
    } else {
      budget.spend(field.length);
      flattenInto(found, field);
      if (found.length > budget.limits.sequenceLength) budget.spendItems(found.length);
    }
  }
  tally.count = count;
  return found;
}
