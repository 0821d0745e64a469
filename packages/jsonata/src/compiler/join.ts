import { type Code, type Frame, NOTHING } from '../runtime/frame.ts';
import type { KeyIndex } from '../runtime/key-index.ts';
import { isTruthy } from '../runtime/values.ts';
import type { Node } from './ast.ts';
import { type CompileContext, compileIn } from './compile-context.ts';
import { type Dependencies, dependenciesOf, isComparison } from './dependencies.ts';
import { compileKeys, type EqualityKeys } from './equality-keys.ts';
import { frameOf, type Tuple, TupleStream } from './tuple.ts';
import { inOwnFrame } from './variables.ts';

/** Length of a list from which it is indexed. */
const MIN_INDEXED = 8;

/** The items that a step returns for tuples of the same context. */
interface List {
  readonly items: readonly unknown[];
  /** Whether a tuple has been compared with all items, so that their keys are known to evaluate. */
  isScanned: boolean;
  index: KeyIndex | undefined;
}

/** A step `$others@$o[condition]`, whose items do not depend on the tuples before it. */
export interface JoinStep {
  readonly step: Node;
  /** The step without its stages. */
  readonly value: Code;
  readonly focus: { readonly name: string; readonly slot: number };
  /** Slot and name of `#`; the slot is negative without one. */
  readonly index: { readonly name: string | undefined; readonly slot: number };
  /** Variables of the path that are bound before this step. */
  readonly bound: ReadonlySet<string>;
}

/** Returns what a step depends on if its items are the same for all tuples with the same context; else undefined. */
export function independenceOf(step: Node, bound: ReadonlySet<string>): Dependencies | undefined {
  const dependencies = dependenciesOf(step);
  if (dependencies === undefined || [...dependencies.variables].some((name) => bound.has(name)))
    return undefined;
  return dependencies;
}

/**
 * Compiles a step and the condition after it. The condition is evaluated for the pairs whose compared fields are equal
 * only, if it has such fields, and no pair is stored for which it does not hold. Selects the same pairs in the same order as
 * the nested loop, and fails with the same error. Undefined when only the nested loop does.
 */
export function compileJoin(
  join: JoinStep,
  predicate: Node,
  context: CompileContext,
): ((tuples: readonly Tuple[], frame: Frame) => Tuple[] | undefined) | undefined {
  if (context.unit.dynamic || !isComparison(predicate)) return undefined;
  const dependencies = independenceOf(join.step, join.bound);
  if (dependencies === undefined) return undefined;
  const own = new Set([join.focus.name, ...(join.index.name === undefined ? [] : [join.index.name])]);
  const usesOwn = ({ variables }: Dependencies) => [...variables].some((name) => own.has(name));
  const keys = compileKeys(
    predicate,
    {
      isOfItems: (side) =>
        !side.usesContext &&
        usesOwn(side) &&
        [...side.variables].every((name) => own.has(name) || !join.bound.has(name)),
      isOutside: (side) => !usesOwn(side),
    },
    context,
  );
  const test = inOwnFrame([predicate], context, (inner) => compileIn(inner, predicate));
  const joined = new Join(join, { keys, test, context, position: predicate.position });
  return (tuples, frame) => {
    const lists = listsOf(join.value, tuples, { frame, context, usesContext: dependencies.usesContext });
    return lists && joined.run(tuples, lists, frame);
  };
}

/** Evaluates the step for each context; undefined when it returns a stream of tuples. */
function listsOf(
  value: Code,
  tuples: readonly Tuple[],
  at: { frame: Frame; context: CompileContext; usesContext: boolean },
): (List | undefined)[] | undefined {
  const lists: (List | undefined)[] = [];
  let last: { context: unknown; list: List | undefined } | undefined;
  for (const tuple of tuples) {
    if (last === undefined || (at.usesContext && last.context !== tuple[0])) {
      const found = value(tuple[0], frameOf(tuple, at.context.scope, at.frame));
      if (found instanceof TupleStream) return undefined;
      const items = Array.isArray(found) ? found : [found];
      const list = found === undefined ? undefined : { items, isScanned: false, index: undefined };
      last = { context: tuple[0], list };
    }
    lists.push(last.list);
  }
  return lists;
}

interface Parts {
  readonly keys: EqualityKeys | undefined;
  readonly test: Code;
  readonly context: CompileContext;
  readonly position: number | undefined;
}

class Join {
  readonly #join: JoinStep;
  readonly #parts: Parts;

  constructor(join: JoinStep, parts: Parts) {
    this.#join = join;
    this.#parts = parts;
  }

  run(tuples: readonly Tuple[], lists: readonly (List | undefined)[], frame: Frame): Tuple[] {
    const { budget } = frame.run;
    const { keys, position } = this.#parts;
    const token = `$${this.#join.focus.name}`;
    const isIndexed = keys?.isUsable(frame) === true;
    const results: Tuple[] = [];
    if (!isIndexed) budget.checkPairs(totalOf(lists), { token, position });
    const candidates = new Array<readonly number[] | undefined>(tuples.length);
    let pairs = 0;
    let isCounted = false;
    for (let i = 0; i < tuples.length; i++) {
      const list = lists[i];
      if (list === undefined) continue;
      const tuple = tuples[i] as Tuple;
      if (!isIndexed || !list.isScanned || list.items.length < MIN_INDEXED) {
        // The first tuple is compared with all items, as in the nested loop, which fails with the same error.
        list.isScanned = true;
        budget.spend(list.items.length);
        this.#select(tuple, list, { positions: undefined, results, frame });
        continue;
      }
      if (!isCounted) {
        isCounted = true;
        for (let rest = i; rest < tuples.length; rest++) {
          const found = this.#tryFind(tuples[rest] as Tuple, lists[rest], frame);
          if (found === undefined) continue;
          candidates[rest] = found;
          pairs += found.length;
        }
        budget.checkPairs(pairs, { token, position });
      }
      const positions = candidates[i] ?? this.#find(tuple, list, frame);
      budget.spend(positions.length + 1);
      this.#select(tuple, list, { positions, results, frame });
    }
    return results;
  }

  /** Returns the positions for a tuple; undefined if they are not known before the tuples before it are finished. */
  #tryFind(tuple: Tuple, list: List | undefined, frame: Frame): readonly number[] | undefined {
    if (list?.isScanned !== true || list.items.length < MIN_INDEXED) return undefined;
    try {
      return this.#find(tuple, list, frame);
    } catch {
      // Fails again, or not, if a tuple before it fails.
      return undefined;
    }
  }

  /** Returns the positions of the items for which the condition may hold. */
  #find(tuple: Tuple, list: List, frame: Frame): readonly number[] {
    const { context, keys } = this.#parts as Parts & { keys: EqualityKeys };
    list.index ??= keys.index(list.items, frame, (position) => {
      const next = this.#bind(tuple.slice(), list, position);
      return [next[0], frameOf(next, context.scope, frame)];
    });
    return list.index.find(keys.probe(tuple[0], frameOf(tuple, context.scope, frame)));
  }

  #bind(tuple: Tuple, { items }: List, position: number): Tuple {
    const { focus, index } = this.#join;
    const item = items[position];
    tuple[focus.slot] = item === undefined ? NOTHING : item;
    if (index.slot >= 0) tuple[index.slot] = position;
    return tuple;
  }

  /** Adds the tuples of the items for which the condition holds. @param positions all when undefined */
  #select(
    tuple: Tuple,
    list: List,
    at: { positions: readonly number[] | undefined; results: Tuple[]; frame: Frame },
  ): void {
    const { positions, results, frame } = at;
    const { test, context } = this.#parts;
    const { budget } = frame.run;
    const count = positions?.length ?? list.items.length;
    let next = tuple.slice();
    let inner = frameOf(next, context.scope, frame);
    for (let i = 0; i < count; i++) {
      this.#bind(next, list, positions === undefined ? i : (positions[i] as number));
      const answer = test(next[0], inner);
      if (answer !== true && (answer === undefined || !isTruthy(answer))) continue;
      results.push(next);
      if (results.length > budget.limits.sequenceLength) budget.spendItems(results.length);
      next = tuple.slice();
      inner = frameOf(next, context.scope, frame);
    }
  }
}

function totalOf(lists: readonly (List | undefined)[]): number {
  return lists.reduce((sum, list) => sum + (list?.items.length ?? 0), 0);
}
