import { JsonataError } from '../runtime/errors.ts';
import type { Frame } from '../runtime/frame.ts';
import { sortByKeys } from '../runtime/key-sort.ts';
import { type MustSwap, mergeSort } from '../runtime/merge-sort.ts';
import type { SortNode } from './ast.ts';
import { type CompileContext, compileIn } from './compile-context.ts';

/** Compiles `^(term, >term)`: a stable sort. Keys are evaluated once per item, those of later terms only to break ties. */
export function compileSort(
  node: SortNode,
  context: CompileContext,
): (items: readonly unknown[], frame: Frame) => readonly unknown[] {
  const sorter = compileOrder(node, context);
  return (items, frame) => {
    if (items.length < 2) return items;
    return pick(
      items,
      sorter(items.length, (i) => items[i], { frame, frameOf: () => frame }),
    );
  };
}

/** Returns the items in the given order. */
export function pick<T>(items: readonly T[], order: Uint32Array): T[] {
  const sorted: T[] = [];
  for (let i = 0; i < order.length; i++) sorted.push(items[order[i] as number] as T);
  return sorted;
}

/** Returns the order of the items, given how to read an item's context and variables. */
type Sorter = (
  count: number,
  contextOf: (item: number) => unknown,
  at: { frame: Frame; frameOf: (item: number) => Frame },
) => Uint32Array;

/** Compiles the sort terms to a function that returns the order of the items. */
export function compileOrder(node: SortNode, context: CompileContext): Sorter {
  const terms = node.terms.map((term) => ({
    key: compileIn(context, term.expression),
    descending: term.descending,
  }));
  return (count, contextOf, { frame, frameOf }) => {
    const { budget } = frame.run;
    budget.spendItems(count);
    const columns = terms.map(({ key, descending }) => {
      const keys: unknown[] = [];
      return { keys, descending, keyOf: (item: number) => key(contextOf(item), frameOf(item)) };
    });
    const [first] = columns;
    if (first === undefined) return mergeSort(count, () => false, { budget, skipSorted: true });
    for (let i = 0; i < count; i++) first.keys.push(first.keyOf(i));
    if (columns.length === 1) {
      const simple = sortByKeys(first.keys, first.descending, budget);
      if (simple !== undefined) return simple;
    }
    return mergeSort(count, byColumns(columns, node.position), { budget, skipSorted: false });
  };
}

interface Column {
  readonly keys: unknown[];
  readonly descending: boolean;
  readonly keyOf: (item: number) => unknown;
}

function byColumns(columns: readonly Column[], position: number | undefined): MustSwap {
  const computed = columns.map(() => new Set<number>());
  const keyOf = (index: number, column: Column, item: number): unknown => {
    if (index === 0) return column.keys[item];
    if (!computed[index]?.has(item)) {
      computed[index]?.add(item);
      column.keys[item] = column.keyOf(item);
    }
    return column.keys[item];
  };
  return (first, second) => {
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i] as Column;
      const a = keyOf(i, column, first);
      const b = keyOf(i, column, second);
      if (a === undefined && b === undefined) continue;
      if (a === undefined) return true;
      if (b === undefined) return false;
      const order = compareKeys(a, b, position);
      if (order !== 0) return order > 0 !== column.descending;
    }
    return false;
  };
}

function isOrdered(key: unknown): key is string | number {
  return typeof key === 'string' || typeof key === 'number';
}

/** Compares two keys; returns -1, 0 or 1. @throws JsonataError T2007, T2008 */
function compareKeys(a: unknown, b: unknown, position: number | undefined): number {
  if (!isOrdered(a) || !isOrdered(b))
    throw new JsonataError('T2008', { position, value: isOrdered(a) ? b : a });
  if (typeof a !== typeof b) throw new JsonataError('T2007', { position, value: a, value2: b });
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
