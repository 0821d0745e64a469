/**
 * Sequences: arrays that stand for "the results so far" and dissolve when they hold one item, against arrays that are
 * values of their own. The difference is a number under a symbol, so the arrays stay arrays; `release` takes it away
 * from every array that leaves the engine.
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

/** Makes the array a sequence, in place. */
export function markSequence(items: unknown[]): unknown[] {
  (items as Flagged)[FLAGS] = SEQUENCE;
  return items;
}

/** Marks a sequence that stays an array with a single item (`[]` after a step), in place. */
export function markKept(items: unknown[]): unknown[] {
  return addFlags(items, SEQUENCE | KEEP_SINGLETON);
}

/** Marks an array written as `[...]` at the end of a path, which later steps must not flatten. */
export function markConstructed(items: unknown[]): unknown[] {
  return addFlags(items, CONSTRUCTED);
}

/** Wraps an input that is an array, so that it is one item and not many. */
export function wrapInput(input: unknown): unknown {
  return Array.isArray(input) && !isSequence(input) ? addFlags([input], SEQUENCE | OUTER_WRAPPER) : input;
}

/** The input itself, out of the wrapper that `wrapInput` put around it. */
export function unwrapInput(input: unknown): unknown {
  return Array.isArray(input) && flagsOf(input) & OUTER_WRAPPER ? input[0] : input;
}

export function isSequence(value: unknown): value is unknown[] {
  return Array.isArray(value) && (flagsOf(value) & SEQUENCE) !== 0;
}

export function isConstructed(array: unknown[]): boolean {
  return (flagsOf(array) & CONSTRUCTED) !== 0;
}

/** What an evaluated sub-expression is worth: an empty sequence is nothing, one of a single item is that item. */
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

/** As `collapse`, for an unmarked array that the caller made as a sequence. */
export function collapseItems(items: unknown[]): unknown {
  return items.length > 1 ? markSequence(items) : items[0];
}

/** Adds one result of a step to the results so far: arrays dissolve, unless written as `[...]`. */
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

/** Takes the mark away, in place. */
export function release(array: unknown[]): void {
  if ((array as Flagged)[FLAGS] !== undefined) delete (array as Flagged)[FLAGS];
}
