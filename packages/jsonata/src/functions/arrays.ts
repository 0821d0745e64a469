import { type Callable, Lambda, PassedFunction, prepare, type Site } from '../runtime/callable.ts';
import { JsonataError } from '../runtime/errors.ts';
import { readChain } from '../runtime/fields.ts';
import { sortByKeys } from '../runtime/key-sort.ts';
import type { Budget } from '../runtime/limits.ts';
import { mergeSort } from '../runtime/merge-sort.ts';
import { isSequence, markSequence } from '../runtime/sequence.ts';
import { isNumeric } from '../runtime/values.ts';
import { type Builtin, unlessMissing } from './builtin.ts';
import { distinct } from './distinct.ts';

function append(first: unknown, second: unknown, site: Site): unknown {
  if (first === undefined) return second;
  if (second === undefined) return first;
  const left: unknown[] = Array.isArray(first) ? first : [first];
  const right: unknown[] = Array.isArray(second) ? second : [second];
  site.frame.run.budget.spendItems(left.length + right.length);
  return left.concat(right);
}

function reverse(items: unknown[]): unknown[] {
  return items.length <= 1 ? items : items.toReversed();
}

/** Shuffles by the inside-out Fisher–Yates algorithm. */
function shuffle(items: unknown[]): unknown[] {
  if (items.length <= 1) return items;
  const shuffled: unknown[] = [];
  for (let i = 0; i < items.length; i++) {
    const j = Math.floor(Math.random() * (i + 1));
    shuffled.push(shuffled[j]);
    shuffled[j] = items[i];
  }
  return shuffled;
}

function zip(arrays: unknown[]): unknown[] {
  let length = Number.POSITIVE_INFINITY;
  for (const array of arrays) length = Math.min(length, Array.isArray(array) ? array.length : 0);
  const zipped: unknown[] = [];
  for (let i = 0; i < length && arrays.length > 0; i++)
    zipped.push(arrays.map((array) => (array as unknown[])[i]));
  return zipped;
}

function sort(items: unknown[], comparator: Callable | undefined, site: Site): unknown[] {
  if (items.length <= 1) return items;
  const { budget } = site.frame.run;
  if (comparator === undefined) return sortPlain(items, site);
  const call = prepare(comparator, site);
  const order =
    sortByKey(items, comparator, budget) ??
    mergeSort(items.length, (first, second) => Boolean(call([items[first], items[second]])), {
      budget,
      skipSorted: false,
    });
  const sorted: unknown[] = [];
  for (let i = 0; i < order.length; i++) sorted.push(items[order[i] as number]);
  return sorted;
}

/** Sorts by the key that a comparator reads, if all keys are numbers or all are strings; undefined otherwise. */
function sortByKey(items: unknown[], comparator: Callable, budget: Budget): Uint32Array | undefined {
  const callee = comparator instanceof PassedFunction ? comparator.callee : comparator;
  const order = callee instanceof Lambda ? callee.keyOrder : undefined;
  if (order === undefined) return undefined;
  budget.spend(items.length);
  const keys = items.map((item) => readChain(item, order.names));
  if (order.isDifference && !keys.every(isSubtractable)) return undefined;
  return sortByKeys(keys, order.descending, budget);
}

/** Returns whether differences of such values are numbers that are 0 only for equal values. */
function isSubtractable(key: unknown): boolean {
  return typeof key === 'number' && Math.abs(key) < Number.MAX_VALUE / 2;
}

function sortPlain(items: unknown[], site: Site): unknown[] {
  site.frame.run.budget.spend(items.length * Math.ceil(Math.log2(items.length)));
  if (items.every(isNumeric)) return Array.from(Float64Array.from(items).sort());
  if (items.every((item) => typeof item === 'string')) return items.slice().sort();
  throw new JsonataError('D3070', { index: 1 });
}

export const arrays: readonly Builtin[] = [
  {
    name: 'append',
    signature: '<xx:a>',
    summary: 'Returns the items of the first argument, followed by those of the second.',
    arity: 2,
    body: ([first, second], site) => append(first, second, site),
  },
  {
    name: 'sort',
    signature: '<af?:a>',
    summary:
      'Sorts an array. An optional function returns whether its first argument comes after its second.',
    arity: 2,
    body: unlessMissing<unknown[]>((items, [, comparator], site) =>
      sort(items, comparator as Callable | undefined, site),
    ),
  },
  {
    name: 'reverse',
    signature: '<a:a>',
    summary: 'Returns the items of an array in reverse order.',
    arity: 1,
    body: unlessMissing<unknown[]>((items, _, { frame }) => {
      frame.run.budget.spend(items.length);
      return reverse(items);
    }),
  },
  {
    name: 'shuffle',
    signature: '<a:a>',
    summary: 'Returns the items of an array in random order.',
    arity: 1,
    body: unlessMissing<unknown[]>((items, _, { frame }) => {
      frame.run.budget.spend(items.length);
      return shuffle(items);
    }),
  },
  {
    name: 'distinct',
    signature: '<x:x>',
    summary: 'Returns each value of an array once, in the order of first occurrence.',
    arity: 1,
    body: unlessMissing<unknown>((items, _, { frame }) => {
      if (!Array.isArray(items) || items.length <= 1) return items;
      const values = distinct(items, frame.run.budget);
      return isSequence(items) ? markSequence(values) : values;
    }),
  },
  {
    name: 'zip',
    signature: '<a+>',
    summary: 'Returns arrays that group the first items of all arguments, then the second items, and so on.',
    arity: 0,
    body: (args, { frame }) => {
      frame.run.budget.spend(Array.isArray(args[0]) ? args[0].length * args.length : 1);
      return zip(args);
    },
  },
];
