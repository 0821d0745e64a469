import { JsonataError } from '../runtime/errors.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import { setKey } from '../runtime/values.ts';
import type { Group } from './ast.ts';
import { type CompileContext, compileIn } from './compile-context.ts';

const RESERVED: ReadonlySet<string> = new Set(['_jsonata_lambda', '_jsonata_function']);

interface PairCode {
  readonly key: Code;
  readonly value: Code;
}

/** Compiles `{key: value, ...}`: an object constructor for one item, a grouping for several. */
export function compileGroup(group: Group, context: CompileContext): Code {
  const pairs = group.lhs.map(([key, value]) => ({
    key: compileIn(context, key),
    value: compileIn(context, value),
  }));
  const grouped: Code = (input, frame) => {
    const items = Array.isArray(input) ? (input.length === 0 ? [undefined] : input) : [input];
    const groups = collect(items, pairs, { position: group.position, frame });
    return evaluateGroups(groups, pairs, frame);
  };
  const keys = literalKeys(group);
  if (keys === undefined) return grouped;
  const values = pairs.map((pair) => pair.value);
  const shape = { keys, values, template: Object.fromEntries(keys.map((key) => [key, undefined])) };
  return (input, frame) => (Array.isArray(input) ? grouped(input, frame) : construct(shape, input, frame));
}

/** Returns the keys if all are distinct literals; then one item produces one object. */
function literalKeys(group: Group): string[] | undefined {
  const keys: string[] = [];
  for (const [key] of group.lhs) {
    if (key.type !== 'string' || typeof key.value !== 'string' || key.predicate || key.group)
      return undefined;
    if (RESERVED.has(key.value) || key.value === '__proto__' || keys.includes(key.value)) return undefined;
    keys.push(key.value);
  }
  return keys;
}

/** Constructs the object as a copy of a template, which is faster than adding one field after another. */
function construct(shape: Shape, input: unknown, frame: Frame): unknown {
  const { keys, values } = shape;
  frame.run.budget.spend(keys.length);
  const result: Record<string, unknown> = { ...shape.template };
  let isComplete = true;
  for (let i = 0; i < keys.length; i++) {
    const value = (values[i] as Code)(input, frame);
    if (value === undefined) isComplete = false;
    else {
      if (typeof value === 'object' && Array.isArray(value)) frame.run.keep(value);
      result[keys[i] as string] = value;
    }
  }
  return isComplete ? result : withoutMissing(result);
}

interface Shape {
  readonly keys: readonly string[];
  readonly values: readonly Code[];
  /** An object with these keys and undefined values. */
  readonly template: Readonly<Record<string, unknown>>;
}

function withoutMissing(object: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(object)) if (object[key] !== undefined) result[key] = object[key];
  return result;
}

/** The items of one group, concatenated like `$append`, but in linear time. */
export class Gathered {
  readonly pair: number;
  items: unknown;
  #owned = false;

  constructor(pair: number, first: unknown) {
    this.pair = pair;
    this.items = first;
  }

  add(item: unknown): void {
    if (item === undefined) return;
    if (this.items === undefined) {
      this.items = item;
      return;
    }
    if (!this.#owned) {
      this.items = Array.isArray(this.items) ? this.items.slice() : [this.items];
      this.#owned = true;
    }
    const items = this.items as unknown[];
    if (!Array.isArray(item)) items.push(item);
    else for (let i = 0; i < item.length; i++) items.push(item[i]);
  }
}

type Groups = Record<string, Gathered>;

/** Checks that a key is a string; `position` is for the error. @throws JsonataError T1003 */
export function checkKey(key: unknown, position: number): asserts key is string {
  if (typeof key !== 'string') throw new JsonataError('T1003', { position, value: key });
  if (RESERVED.has(key)) throw new JsonataError('D1013', { position, value: key });
}

/** Adds an item to the group of its key. */
export function gather(
  groups: Groups,
  key: string,
  entry: { item: unknown; pair: number; position: number },
): void {
  const group = groups[key];
  if (group === undefined) {
    groups[key] = new Gathered(entry.pair, entry.item);
  } else {
    if (group.pair !== entry.pair) throw new JsonataError('D1009', { position: entry.position, value: key });
    group.add(entry.item);
  }
}

function collect(
  items: readonly unknown[],
  pairs: readonly PairCode[],
  at: { position: number; frame: Frame },
): Groups {
  const groups = newGroups();
  at.frame.run.budget.spend(items.length);
  for (const item of items) {
    for (let pair = 0; pair < pairs.length; pair++) {
      const key = (pairs[pair] as PairCode).key(item, at.frame);
      if (key === undefined) continue;
      checkKey(key, at.position);
      gather(groups, key, { item, pair, position: at.position });
    }
  }
  return groups;
}

export function newGroups(): Groups {
  return Object.create(null) as Groups;
}

function evaluateGroups(groups: Groups, pairs: readonly PairCode[], frame: Frame): unknown {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(groups)) {
    const group = groups[key] as Gathered;
    const value = (pairs[group.pair] as PairCode).value(group.items, frame);
    if (value !== undefined) setKey(result, key, frame.run.keep(value));
  }
  return result;
}
