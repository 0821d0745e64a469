import { apply, arityOf, type Callable, type Site } from '../runtime/callable.ts';
import { JsonataError } from '../runtime/errors.ts';
import { markSequence } from '../runtime/sequence.ts';
import { isTruthy, setKey } from '../runtime/values.ts';
import { type Builtin, callback, unlessMissing } from './builtin.ts';

function map(items: readonly unknown[], callee: Callable, site: Site): unknown {
  const call = callback(callee, site);
  const { run } = site.frame;
  run.budget.spend(items.length);
  const results: unknown[] = [];
  for (let i = 0; i < items.length; i++) {
    const result = call(items[i], i, items);
    if (result !== undefined) results.push(typeof result === 'object' ? run.keep(result) : result);
  }
  return markSequence(results);
}

function filter(items: readonly unknown[], callee: Callable, site: Site): unknown {
  const call = callback(callee, site);
  site.frame.run.budget.spend(items.length);
  const kept: unknown[] = [];
  for (let i = 0; i < items.length; i++) {
    const answer = call(items[i], i, items);
    if (answer === true || (answer !== false && isTruthy(answer))) kept.push(items[i]);
  }
  return markSequence(kept);
}

function single(items: readonly unknown[], callee: Callable | undefined, site: Site): unknown {
  const call = callee === undefined ? () => true : callback(callee, site);
  let found = -1;
  for (let i = 0; i < items.length; i++) {
    if (!isTruthy(call(items[i], i, items))) continue;
    if (found >= 0) throw new JsonataError('D3138', { index: i });
    found = i;
  }
  if (found < 0) throw new JsonataError('D3139');
  return items[found];
}

function reduce(items: readonly unknown[], [, callee, init]: unknown[], site: Site): unknown {
  const arity = arityOf(callee);
  if (arity < 2) throw new JsonataError('D3050', { index: 1 });
  const skip = init === undefined && items.length > 0 ? 1 : 0;
  let result = skip === 1 ? items[0] : init;
  for (let i = skip; i < items.length; i++) {
    const args = [result, items[i], i, items].slice(0, Math.min(arity, 4));
    result = apply(callee, args, site);
  }
  return result;
}

type Fields = Readonly<Record<string, unknown>>;

function each(object: Fields, callee: Callable, site: Site): unknown {
  const call = callback(callee, site);
  const results: unknown[] = [];
  for (const key of Object.keys(object)) {
    const result = call(object[key], key, object);
    if (result !== undefined) results.push(site.frame.run.keep(result));
  }
  return markSequence(results);
}

/** Returns undefined if no field remains. @throws JsonataError T1006 without a callee, optional in the signature */
function sift(object: Fields, callee: Callable, site: Site): unknown {
  const call = callback(callee, site);
  const result: Record<string, unknown> = {};
  let size = 0;
  for (const key of Object.keys(object)) {
    if (!isTruthy(call(object[key], key, object))) continue;
    setKey(result, key, object[key]);
    size++;
  }
  return size === 0 ? undefined : result;
}

export const higherOrder: readonly Builtin[] = [
  {
    name: 'map',
    signature: '<af>',
    summary: 'Applies a function to each item of an array and returns the results.',
    arity: 2,
    body: unlessMissing<unknown[]>((items, [, callee], site) => map(items, callee as Callable, site)),
  },
  {
    name: 'filter',
    signature: '<af>',
    summary: 'Returns the items of an array for which a function returns true.',
    arity: 2,
    body: unlessMissing<unknown[]>((items, [, callee], site) => filter(items, callee as Callable, site)),
  },
  {
    name: 'single',
    signature: '<af?>',
    summary:
      'Returns the only item of an array for which a function returns true. It is an error if there is none or more than one.',
    arity: 2,
    body: unlessMissing<unknown[]>((items, [, callee], site) =>
      single(items, callee as Callable | undefined, site),
    ),
  },
  {
    name: 'reduce',
    signature: '<afj?:j>',
    summary:
      'Combines the items of an array into one value by calling a function on the result so far and the next item.',
    arity: 3,
    body: unlessMissing<unknown[]>(reduce),
  },
  {
    name: 'each',
    signature: '<o-f:a>',
    summary: 'Applies a function to each field of an object and returns the results.',
    arity: 2,
    body: ([object, callee], site) => each((object ?? {}) as Fields, callee as Callable, site),
  },
  {
    name: 'sift',
    signature: '<o-f?:o>',
    summary: 'Returns the fields of an object for which a function returns true.',
    arity: 2,
    body: ([object, callee], site) => sift((object ?? {}) as Fields, callee as Callable, site),
  },
];
