import { Callable, PassedFunction } from './callable.ts';
import type { Code } from './frame.ts';
import type { Budget } from './limits.ts';
import { collapseItems, flattenInto, isFlagged } from './sequence.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Names an object has without owning them; only for these must ownership be checked. */
const INHERITED: ReadonlySet<string> = new Set(
  [Object.prototype, Callable.prototype, PassedFunction.prototype].flatMap((each) =>
    Object.getOwnPropertyNames(each),
  ),
);

/** Whether reading the name from an object might find something that is not data. */
export function isInherited(name: string): boolean {
  return INHERITED.has(name) || name === 'enter';
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

export const SLOW = Symbol('slow');

/**
 * Compiles the reading of a chain of fields below a value, without making arrays on the way. It gives `SLOW` where an
 * array (or a function) is met, since that needs the general way.
 */
export function compileChain(names: readonly string[]): (value: unknown) => unknown {
  const [first = '', ...rest] = names;
  if (rest.length > 0) {
    const [second = ''] = rest;
    const more = rest.length > 1 ? compileChain(rest.slice(1)) : undefined;
    return (value) => {
      if (typeof value !== 'object' || value === null) return undefined;
      if (Array.isArray(value)) return SLOW;
      const inner = (value as Fields)[first];
      if (typeof inner !== 'object' || inner === null) return typeof inner === 'function' ? SLOW : undefined;
      if (Array.isArray(inner)) return SLOW;
      return more === undefined ? ended((inner as Fields)[second]) : more((inner as Fields)[second]);
    };
  }
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Array.isArray(value) ? SLOW : ended((value as Fields)[first]);
  };
}

/** The last field of a chain: an array that is a value of its own stays as it is. */
function ended(field: unknown): unknown {
  if (typeof field === 'string' || typeof field === 'number') return field;
  if (typeof field === 'function') return SLOW;
  return Array.isArray(field) && isFlagged(field) ? SLOW : field;
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
