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
