import type { Code, Frame } from '../runtime/frame.ts';
import type { KeyIndex } from '../runtime/key-index.ts';
import { markSequence } from '../runtime/sequence.ts';
import { isNumeric, isTruthy } from '../runtime/values.ts';
import type { Node } from './ast.ts';
import { type CompileContext, compileIn, compileIndexed } from './compile-context.ts';
import { type Dependencies, isComparison } from './dependencies.ts';
import { compileKeys } from './equality-keys.ts';

/**
 * Selects items of an array, or of any other value as a single item. Returns a new array without sequence flags; see
 * `compileStage` for the exception.
 */
export type Filter = (value: unknown, frame: Frame) => unknown[];

/** Returns the number, rounded down, of a predicate that is a literal number; undefined for other predicates. */
export function literalIndex(predicate: Node): number | undefined {
  return predicate.type === 'number' && typeof predicate.value === 'number'
    ? Math.floor(predicate.value)
    : undefined;
}

/** Returns the item at an index; a negative index counts from the end. */
export function itemAt(value: unknown, index: number): unknown {
  if (!Array.isArray(value)) return index === 0 || index === -1 ? value : undefined;
  return value[index < 0 ? value.length + index : index];
}

/** Length of a list from which it is indexed when it is filtered again. */
const MIN_INDEXED = 16;

/** The list that a filter has read last. */
interface FilteredList {
  readonly items: readonly unknown[];
  index: KeyIndex | undefined;
}

/**
 * Returns a function that selects the items of a list by an index of its keys, if the filter has read the same list before:
 * `$others[id = $item.ref]` in a loop. It returns undefined when all items must be compared.
 */
function compileIndexedFilter(predicate: Node, test: Code, context: CompileContext) {
  const isOfItems = (side: Dependencies) =>
    side.usesContext && [...side.variables].every((name) => name === '$');
  const keys = isComparison(predicate)
    ? compileIndexed(context, () =>
        compileKeys(predicate, { isOfItems, isOutside: (side) => !side.usesContext }, context),
      )
    : undefined;
  if (keys === undefined) return undefined;
  return (items: readonly unknown[], frame: Frame): unknown[] | undefined => {
    if (items.length < MIN_INDEXED || !keys.isUsable(frame)) return undefined;
    const { memory, budget } = frame.run;
    const known = memory.get(keys) as FilteredList | undefined;
    if (known?.items !== items) {
      memory.set(keys, { items, index: undefined } satisfies FilteredList);
      return undefined;
    }
    known.index ??= keys.index(items, frame, (position) => [items[position], frame]);
    const positions = known.index.find(keys.probe(undefined, frame));
    budget.spend(positions.length + 1);
    return positions.map((position) => items[position]).filter((item) => test(item, frame) === true);
  };
}

/** Compiles a predicate: a position, an array of positions, or a condition on each item. */
export function compileFilter(predicate: Node, context: CompileContext): Filter {
  const test = compileIn(context, predicate);
  const indexed = compileIndexedFilter(predicate, test, context);
  return (value, frame) => {
    const found = indexed !== undefined && Array.isArray(value) ? indexed(value, frame) : undefined;
    if (found !== undefined) return found;
    const items = Array.isArray(value) ? value : [value];
    frame.run.budget.spend(items.length);
    const selected: unknown[] = [];
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      const answer = test(item, frame);
      if (answer === true) selected.push(item);
      else if (answer !== false && answer !== undefined) {
        for (let n = timesSelected(answer, i, items.length); n > 0; n--) selected.push(item);
      }
    }
    return selected;
  };
}

/** Returns how many times a predicate's result selects the item. */
export function timesSelected(answer: unknown, index: number, length: number): number {
  if (isNumeric(answer)) return position(answer, length) === index ? 1 : 0;
  if (Array.isArray(answer) && answer.every(isNumeric)) {
    return answer.filter((each: number) => position(each, length) === index).length;
  }
  return isTruthy(answer) ? 1 : 0;
}

function position(index: number, length: number): number {
  const floor = Math.floor(index);
  return floor < 0 ? length + floor : floor;
}

/** Compiles one filter stage. If a literal index selects an array, the selection is that array itself, not a copy. */
export function compileStage(predicate: Node, context: CompileContext): Filter {
  const index = literalIndex(predicate);
  if (index === undefined) return compileFilter(predicate, context);
  return (value) => {
    const item = itemAt(value, index);
    if (Array.isArray(item)) return item;
    return item === undefined ? [] : [item];
  };
}

/**
 * Compiles a predicate after an expression that is not a path step. Marks the selection as a sequence, except an array
 * that a literal index selects: it is returned itself, unmarked.
 */
export function compilePredicate(predicate: Node, value: Code, context: CompileContext): Code {
  const index = literalIndex(predicate);
  if (index === undefined) {
    const filter = compileFilter(predicate, context);
    return (input, frame) => markSequence(filter(value(input, frame), frame));
  }
  return (input, frame) => {
    const item = itemAt(value(input, frame), index);
    if (Array.isArray(item)) return item;
    return markSequence(item === undefined ? [] : [item]);
  };
}
