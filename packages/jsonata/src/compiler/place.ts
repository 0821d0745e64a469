import type { Code, Scope } from '../runtime/frame.ts';
import type { Node } from './ast.ts';

/** What the compilation of one expression shares. */
export interface Unit {
  /** The expression mentions `$eval`, so variables are found by name while it runs. */
  readonly dynamic: boolean;
  readonly compile: (node: Node, place: Place) => Code;
  /** The names that a path with `@`, `#` or `%` hands on to the path around it. */
  readonly tupleScopes: Map<Node, Scope>;
  /** The steps whose tuples are taken over by the path around them; elsewhere only the items of a stream are seen. */
  readonly streamWanted: Set<Node>;
}

/** Where a node stands: the variables in sight and how deep its evaluation is nested in its function. */
export interface Place {
  readonly unit: Unit;
  readonly scope: Scope;
  readonly level: number;
}

/** Compiles a node one level below. */
export function compileIn(place: Place, node: Node): Code {
  return place.unit.compile(node, { unit: place.unit, scope: place.scope, level: place.level + 1 });
}

/** The same place with other variables in sight. */
export function within(place: Place, scope: Scope): Place {
  return { unit: place.unit, scope, level: place.level };
}
