import { JsonataError } from '../runtime/errors.ts';
import { type Frame, NOTHING } from '../runtime/frame.ts';
import { setKey } from '../runtime/values.ts';
import type { Group } from './ast.ts';
import { type CompileContext, compileIn } from './compile-context.ts';
import { checkKey, Gathered } from './group.ts';
import { frameOf, type Tuple } from './tuple.ts';

/**
 * Compiles a grouping of a tuple stream into an object. In the value, each variable has the values of all tuples of the
 * group. Skips undefined keys and values. @throws JsonataError D1009 (at run time) when two pairs produce the same key
 */
export function compileTupleGroup(
  group: Group,
  context: CompileContext,
): (tuples: Tuple[], frame: Frame) => unknown {
  const { scope } = context;
  const pairs = group.lhs.map(([key, value]) => ({
    key: compileIn(context, key),
    value: compileIn(context, value),
  }));
  return (tuples, frame) => {
    frame.run.budget.spend(tuples.length);
    const groups = Object.create(null) as Record<string, Merged>;
    for (const tuple of tuples) {
      pairs.forEach((pair, index) => {
        const key = pair.key(tuple[0], frameOf(tuple, scope, frame));
        if (key === undefined) return;
        checkKey(key, group.position);
        const known = groups[key];
        if (known === undefined) groups[key] = new Merged(index, tuple);
        else if (known.pair === index) known.add(tuple);
        else throw new JsonataError('D1009', { position: group.position, value: key });
      });
    }
    const result: Record<string, unknown> = {};
    for (const [key, merged] of Object.entries(groups)) {
      const slots = merged.tuple;
      const value = pairs[merged.pair]?.value(slots[0], frameOf(slots, scope, frame));
      if (value !== undefined) setKey(result, key, frame.run.keep(value));
    }
    return result;
  };
}

/** The tuples of one group, merged slot by slot. */
class Merged {
  /** Index of the key/value pair that created the group. */
  readonly pair: number;
  readonly #slots: Gathered[];

  constructor(pair: number, first: Tuple) {
    this.pair = pair;
    this.#slots = Array.from(first, (value) => new Gathered(pair, value === NOTHING ? undefined : value));
  }

  add(tuple: Tuple): void {
    for (let i = 0; i < tuple.length; i++) {
      const value = tuple[i] === NOTHING ? undefined : tuple[i];
      const slot = this.#slots[i];
      if (slot === undefined) this.#slots[i] = new Gathered(this.pair, value);
      else slot.add(value);
    }
  }

  get tuple(): Tuple {
    return this.#slots.map((slot) => slot.items);
  }
}
