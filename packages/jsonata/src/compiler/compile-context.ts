import type { Code, Scope } from '../runtime/frame.ts';
import type { Node } from './ast.ts';

/** State that the compilation of one expression shares. */
export interface Unit {
  /** Whether the expression uses `$eval`, so that variables must be looked up by name at run time. */
  readonly dynamic: boolean;
  readonly compile: (node: Node, context: CompileContext) => Code;
  /** The names that a path with `@`, `#` or `%` passes to the enclosing path. */
  readonly tupleScopes: Map<Node, Scope>;
  /** Steps whose tuples the enclosing path uses; elsewhere only the items of a tuple stream are used. */
  readonly streamWanted: Set<Node>;
  /** Number of nodes that were compiled so far; a node in a predicate or group may be compiled several times. */
  compiled: number;
  /** Number of conditions around the current node that are compiled a second time, for an index. */
  indexedDepth: number;
}

/** Nesting of conditions that are compiled for an index, too; a copy at each level of any depth would double the work. */
const MAX_INDEXED_DEPTH = 2;
/** Number of compiled nodes after which no condition is compiled for an index. */
const MAX_INDEXED_NODES = 20_000;

/**
 * Compiles a condition for an index, beside its plain form. Undefined where conditions are nested too deep or the
 * expression is too large, and when `compile` returns it.
 */
export function compileIndexed<T>({ unit }: CompileContext, compile: () => T | undefined): T | undefined {
  if (unit.indexedDepth >= MAX_INDEXED_DEPTH || unit.compiled > MAX_INDEXED_NODES) return undefined;
  unit.indexedDepth++;
  try {
    return compile();
  } finally {
    unit.indexedDepth--;
  }
}

/** The context of a node during compilation: the variables in scope and the nesting depth in its function. */
export interface CompileContext {
  readonly unit: Unit;
  readonly scope: Scope;
  readonly level: number;
}

/** Compiles a node one level deeper. */
export function compileIn(context: CompileContext, node: Node): Code {
  return context.unit.compile(node, { unit: context.unit, scope: context.scope, level: context.level + 1 });
}

/** Returns the same context with another scope. */
export function within(context: CompileContext, scope: Scope): CompileContext {
  return { unit: context.unit, scope, level: context.level };
}
