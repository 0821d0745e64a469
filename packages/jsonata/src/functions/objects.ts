import type { Site } from '../runtime/callable.ts';
import { JsonataError } from '../runtime/errors.ts';
import { lookUp, lookUpAll, SLOW } from '../runtime/fields.ts';
import { markSequence } from '../runtime/sequence.ts';
import { toText } from '../runtime/text.ts';
import { isFunction, isNumeric, isObject, isTruthy, setKey } from '../runtime/values.ts';
import { type Builtin, unlessMissing } from './builtin.ts';

function keys(value: unknown, site: Site): string[] {
  if (isObject(value)) return Object.keys(value);
  if (!Array.isArray(value)) return [];
  const all = Object.create(null) as Record<string, true>;
  site.frame.run.budget.spend(value.length);
  for (const item of value) for (const key of keys(item, site)) all[key] = true;
  return Object.keys(all);
}

function spread(value: unknown, site: Site): unknown {
  if (Array.isArray(value)) {
    const parts: unknown[] = [];
    site.frame.run.budget.spend(value.length);
    for (const item of value) {
      const spreadItem = spread(item, site);
      if (Array.isArray(spreadItem)) for (const each of spreadItem) parts.push(each);
      else if (spreadItem !== undefined) parts.push(spreadItem);
    }
    return value.length === 0 ? markSequence(parts) : parts;
  }
  if (!isObject(value)) return value;
  const parts: unknown[] = [];
  for (const key of Object.keys(value)) {
    const part: Record<string, unknown> = {};
    setKey(part, key, value[key]);
    parts.push(part);
  }
  site.frame.run.budget.spend(parts.length);
  return markSequence(parts);
}

function merge(objects: readonly unknown[], site: Site): unknown {
  const merged: Record<string, unknown> = {};
  for (const object of objects) {
    const fields = Object.keys(object as object);
    site.frame.run.budget.spend(fields.length);
    for (const key of fields) setKey(merged, key, (object as Record<string, unknown>)[key]);
  }
  return merged;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return isNumeric(value) ? 'number' : 'object';
  if (Array.isArray(value)) return 'array';
  return isFunction(value) ? 'function' : typeof value;
}

function clone(value: unknown, site: Site): unknown {
  return JSON.parse(toText(value, site.frame.run.budget)) as unknown;
}

export const objects: readonly Builtin[] = [
  {
    name: 'keys',
    signature: '<x-:a<s>>',
    summary: 'Returns the field names of an object, or of all objects of an array.',
    arity: 1,
    body: ([value], site) => markSequence(keys(value, site)),
  },
  {
    name: 'lookup',
    signature: '<x-s:x>',
    summary: 'Returns the field of this name, from an object or from each object of an array.',
    arity: 2,
    body: ([value, key], { frame }) =>
      Array.isArray(value)
        ? markSequence(lookUpAll(value, String(key), frame.run.budget))
        : lookUp(value, String(key), frame.run.budget),
  },
  {
    name: 'spread',
    signature: '<x-:a<o>>',
    summary: 'Splits an object into an array of objects with one field each.',
    arity: 1,
    body: ([value], site) => spread(value, site),
  },
  {
    name: 'merge',
    signature: '<a<o>:o>',
    summary: 'Merges the objects of an array into one. Later fields replace earlier ones.',
    arity: 1,
    body: unlessMissing<unknown[]>((all, _, site) => merge(all, site)),
  },
  {
    name: 'type',
    signature: '<x:s>',
    summary: 'Returns the type of a value: null, number, string, boolean, array, object or function.',
    arity: 1,
    body: unlessMissing<unknown>((value) => typeOf(value)),
  },
  {
    name: 'exists',
    signature: '<x:b>',
    summary: 'Returns whether the expression has a value.',
    arity: 1,
    body: ([value]) => value !== undefined,
    quick: {
      arity: 1,
      call: (value) => (typeof value === 'object' && value !== null ? SLOW : value !== undefined),
    },
  },
  {
    name: 'boolean',
    signature: '<x-:b>',
    summary: 'Converts a value to true or false, as a condition does.',
    arity: 1,
    body: unlessMissing<unknown>((value) => isTruthy(value)),
    quick: { arity: 1, call: (value) => (typeof value === 'boolean' ? value : SLOW) },
  },
  {
    name: 'not',
    signature: '<x-:b>',
    summary: 'Returns true if the value is false, and false if it is true.',
    arity: 1,
    body: unlessMissing<unknown>((value) => !isTruthy(value)),
    quick: { arity: 1, call: (value) => (typeof value === 'boolean' ? !value : SLOW) },
  },
  {
    name: 'clone',
    signature: '<(oa)-:o>',
    summary: 'Returns a deep copy of an object or array.',
    arity: 1,
    body: unlessMissing<unknown>((value, _, site) => clone(value, site)),
  },
  {
    name: 'error',
    signature: '<s?:x>',
    summary: 'Stops the evaluation with an error message.',
    arity: 1,
    body: ([message]) => {
      throw new JsonataError('D3137', {
        message: (message as string | undefined) || '$error() function evaluated',
      });
    },
  },
  {
    name: 'assert',
    signature: '<bs?:x>',
    summary: 'Stops the evaluation with an error message unless the condition is true.',
    arity: 2,
    body: ([condition, message]) => {
      if (condition) return undefined;
      throw new JsonataError('D3141', {
        message: (message as string | undefined) || '$assert() statement failed',
      });
    },
  },
];
