/**
 * Sequences: arrays that collect results and collapse when they contain one item, in contrast to array values. A number
 * under a symbol marks them, so they remain arrays; `release` removes the flag from arrays that leave the engine.
 */
const FLAGS = Symbol('jsonata.flags');

const SEQUENCE = 1;
const KEEP_SINGLETON = 2;
const CONSTRUCTED = 4;
const OUTER_WRAPPER = 8;

type Flagged = unknown[] & { [FLAGS]?: number };

function flagsOf(array: unknown[]): number {
  return (array as Flagged)[FLAGS] ?? 0;
}

function addFlags(array: unknown[], flags: number): unknown[] {
  (array as Flagged)[FLAGS] = flagsOf(array) | flags;
  return array;
}

/** Flags an array as a sequence, in place. */
export function markSequence(items: unknown[]): unknown[] {
  (items as Flagged)[FLAGS] = SEQUENCE;
  return items;
}

/** Flags a sequence that remains an array with a single item (`[]` after a step), in place. */
export function markKept(items: unknown[]): unknown[] {
  return addFlags(items, SEQUENCE | KEEP_SINGLETON);
}

/** Flags an array constructor at the end of a path, which later steps must not flatten. Changes the array in place. */
export function markConstructed(items: unknown[]): unknown[] {
  return addFlags(items, CONSTRUCTED);
}

/** Wraps an array input, so that it counts as one item. */
export function wrapInput(input: unknown): unknown {
  return Array.isArray(input) && !isSequence(input) ? addFlags([input], SEQUENCE | OUTER_WRAPPER) : input;
}

/** Returns the input without the wrapper of `wrapInput`. */
export function unwrapInput(input: unknown): unknown {
  return Array.isArray(input) && flagsOf(input) & OUTER_WRAPPER ? input[0] : input;
}

export function isSequence(value: unknown): value is unknown[] {
  return Array.isArray(value) && (flagsOf(value) & SEQUENCE) !== 0;
}

export function isConstructed(array: unknown[]): boolean {
  return (flagsOf(array) & CONSTRUCTED) !== 0;
}

/** Collapses a sequence: an empty one becomes undefined, one with a single item becomes that item. */
export function collapse(value: unknown, keepArray = false): unknown {
  if (!Array.isArray(value)) return value;
  let flags = flagsOf(value);
  if (!(flags & SEQUENCE)) return value;
  if (keepArray) {
    addFlags(value, KEEP_SINGLETON);
    flags |= KEEP_SINGLETON;
  }
  if (value.length === 0) return undefined;
  return value.length === 1 && !(flags & KEEP_SINGLETON) ? value[0] : value;
}

/** Collapses an unflagged array that the caller created as a sequence. */
export function collapseItems(items: unknown[]): unknown {
  return items.length > 1 ? markSequence(items) : items[0];
}

/** Appends a step's result to the results so far; arrays are flattened, except array constructors. */
export function flattenInto(items: unknown[], result: unknown): void {
  if (!Array.isArray(result) || isConstructed(result)) {
    items.push(result);
  } else {
    for (let i = 0; i < result.length; i++) items.push(result[i]);
  }
}

export function isFlagged(array: unknown[]): boolean {
  return (array as Flagged)[FLAGS] !== undefined;
}

/** Removes the flag, in place. */
export function release(array: unknown[]): void {
  if ((array as Flagged)[FLAGS] !== undefined) delete (array as Flagged)[FLAGS];
}
