import { Callable, Lambda, Native, PassedFunction } from './callable.ts';
import type { Code } from './frame.ts';
import type { Budget } from './limits.ts';
import { collapseItems, flattenInto, isFlagged } from './sequence.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Names an object has without owning them; only for these must ownership be checked. */
const INHERITED: ReadonlySet<string> = new Set(
  [Object, Callable, Lambda, Native, PassedFunction].flatMap(({ prototype }) =>
    Object.getOwnPropertyNames(prototype),
  ),
);

/** Whether reading the name from an object might find something that is not data. */
export function isInherited(name: string): boolean {
  return INHERITED.has(name);
}

/** The object's own field; a function is no data unless the object owns it. */
export function ownField(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Fields)[name] : undefined;
}

/** The field of a value: of each of its items when it is an array. */
export function lookUp(value: unknown, name: string, budget: Budget): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return ownField(value, name);
  return collapseItems(lookUpAll(value, name, budget));
}

/** The field of every item, arrays inside taken apart. */
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

/** The field of one item of a step. */
export function compileField(name: string): Code {
  const checked = isInherited(name);
  return (input, frame) => {
    if (typeof input !== 'object' || input === null) return undefined;
    if (checked || Array.isArray(input)) return lookUp(input, name, frame.run.budget);
    const value = (input as Fields)[name];
    return typeof value === 'function' ? ownField(input, name) : value;
  };
}

/** What a short cut gives where only the general way knows the answer. */
export const SLOW = Symbol('slow');

/** Whether a field that was read stands for itself: no function, no array that the engine marked. */
function isSettled(field: unknown): boolean {
  if (typeof field === 'string' || typeof field === 'number') return true;
  return typeof field !== 'function' && !(Array.isArray(field) && isFlagged(field));
}

/**
 * Compiles the reading of a chain of fields below a value, without making arrays on the way; `slow` takes over where
 * an array (or a function) is met. One and two names have a closure of their own: they are what nearly all queries use.
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

/** The field at the end of a chain of names; `SLOW` where an array or a function is met on the way. */
export function readChain(value: unknown, names: readonly string[]): unknown {
  let field = value;
  for (let i = 0; i < names.length; i++) {
    if (typeof field !== 'object' || field === null) return typeof field === 'function' ? SLOW : undefined;
    if (Array.isArray(field)) return SLOW;
    field = (field as Fields)[names[i] as string];
  }
  return field;
}

/** The field of each item where all items are objects and no field is an array or a function; else undefined. */
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
 * Whether a scalar is among the values of `first.second`, without gathering them; `SLOW` where anything but scalars is
 * met. As the general way, it compares by identity.
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

/** Whether a value that is no plain object has no fields. */
function isPassable(value: unknown): boolean {
  return typeof value !== 'function' && !Array.isArray(value);
}

/**
 * A chain of names for every item of a step, in one pass; undefined where an array is met, since that needs a pass for
 * each name.
 */
export function mapChain(
  input: readonly unknown[],
  names: readonly string[],
  at: { budget: Budget; tally: Tally },
): unknown[] | undefined {
  // The input of an expression comes as the only item of an array around it.
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

/** What the last step of a path must know beside its items. */
export class Tally {
  /** Inputs for which the step gave anything. */
  count = 0;
  /** What it gave for the first of them, before it was flattened. */
  first: unknown = undefined;
}

/** The field of every item, as the items of the next step. May return an array of the input itself: do not change it. */
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
        // A new sequence: it can be neither a value of its own nor an array of the input.
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
