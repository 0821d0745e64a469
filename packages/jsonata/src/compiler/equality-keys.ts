import type { Code, Frame } from '../runtime/frame.ts';
import { KeyIndex, keyOf } from '../runtime/key-index.ts';
import type { Node } from './ast.ts';
import { type CompileContext, compileIn } from './compile-context.ts';
import { type Dependencies, equalitiesOf } from './dependencies.ts';
import { isGlobal } from './variables.ts';

/** Which side of an equality belongs to the items, and which can be evaluated without them. */
export interface Sides {
  isOfItems(dependencies: Dependencies): boolean;
  isOutside(dependencies: Dependencies): boolean;
}

/** The equalities of a predicate, evaluated apart: for each item, and for what the items are compared with. */
export interface EqualityKeys {
  /** Returns whether the keys can be used, which the caller's bindings may prevent. */
  isUsable(frame: Frame): boolean;
  /** Indexes items. @param at the context value and the frame of an item */
  index(items: readonly unknown[], frame: Frame, at: (position: number) => [unknown, Frame]): KeyIndex;
  /** Returns the key of the items for which the predicate may hold. */
  probe(input: unknown, frame: Frame): unknown;
}

/** Compiles the equalities of a predicate; undefined if it has none whose sides are apart. */
export function compileKeys(
  predicate: Node,
  sides: Sides,
  context: CompileContext,
): EqualityKeys | undefined {
  if (context.unit.dynamic) return undefined;
  const items: Code[] = [];
  const others: Code[] = [];
  const functions = new Set<string>();
  for (const { left, right } of equalitiesOf(predicate)) {
    const [own, other] = sides.isOfItems(left.dependencies) ? [left, right] : [right, left];
    if (!sides.isOfItems(own.dependencies) || !sides.isOutside(other.dependencies)) continue;
    const called = [...own.dependencies.functions, ...other.dependencies.functions];
    if (!called.every((name) => isGlobal(name, context))) continue;
    items.push(compileIn(context, own.node));
    others.push(compileIn(context, other.node));
    for (const name of called) functions.add(name);
  }
  if (items.length === 0) return undefined;
  const key = (codes: readonly Code[], input: unknown, frame: Frame): unknown =>
    keyOf(codes.map((code) => code(input, frame)));
  return {
    isUsable: ({ run }) => run.bindings.size === 0 || ![...functions].some((name) => run.bindings.has(name)),
    index: (list, frame, at) => {
      const keys = list.map((_, position) => key(items, ...at(position)));
      return new KeyIndex(keys, list.length, frame.run.budget);
    },
    probe: (input, frame) => key(others, input, frame),
  };
}
