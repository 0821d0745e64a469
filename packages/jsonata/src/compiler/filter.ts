import type { Code, Frame } from '../runtime/frame.ts';
import { markSequence } from '../runtime/sequence.ts';
import { isNumeric, isTruthy } from '../runtime/values.ts';
import type { Node } from './ast.ts';
import { compileIn, type Place } from './place.ts';

/** Selects from a value (an array, or anything else as its only item). The result is a new, unmarked array. */
export type Filter = (value: unknown, frame: Frame) => unknown[];

/** A predicate that is a number as written: it selects one item, and an item that is an array becomes the selection. */
export function literalIndex(predicate: Node): number | undefined {
  return predicate.type === 'number' && typeof predicate.value === 'number'
    ? Math.floor(predicate.value)
    : undefined;
}

/** The item at an index, counted from the end when negative. */
export function itemAt(value: unknown, index: number): unknown {
  if (!Array.isArray(value)) return index === 0 || index === -1 ? value : undefined;
  return value[index < 0 ? value.length + index : index];
}

/** Any other predicate: a position, an array of positions, or a condition on each item. */
export function compileFilter(predicate: Node, place: Place): Filter {
  const test = compileIn(place, predicate);
  return (value, frame) => {
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

/** How often the answer of a predicate selects the item it was asked about. */
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

/** One stage of selection; an item that is an array and was selected by a literal index comes back as it is. */
export function compileStage(predicate: Node, place: Place): Filter {
  const index = literalIndex(predicate);
  if (index === undefined) return compileFilter(predicate, place);
  return (value) => {
    const item = itemAt(value, index);
    if (Array.isArray(item)) return item;
    return item === undefined ? [] : [item];
  };
}

/** A predicate behind an expression that is no path step: the selection is marked as a sequence. */
export function compilePredicate(predicate: Node, value: Code, place: Place): Code {
  const index = literalIndex(predicate);
  if (index === undefined) {
    const filter = compileFilter(predicate, place);
    return (input, frame) => markSequence(filter(value(input, frame), frame));
  }
  return (input, frame) => {
    const item = itemAt(value(input, frame), index);
    if (Array.isArray(item)) return item;
    return markSequence(item === undefined ? [] : [item]);
  };
}
