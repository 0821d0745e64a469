import type { Node } from '../compiler/ast.ts';
import type { CompileContext } from '../compiler/compile-context.ts';
import type { Code, Frame } from '../runtime/frame.ts';

/** Thrown during planning; its message is the reason why an expression cannot run row by row. */
export class NotStreamableError extends Error {}

/** The progress of one streamed sub-expression. */
export interface StreamState {
  /** Adds the next rows. @throws JsonataError only if a limit of the evaluation is reached */
  push(rows: readonly unknown[]): void;
  /** Returns the value of the sub-expression over all rows. @throws JsonataError like the engine */
  finish(): unknown;
}

/** A compiled sub-expression that takes its rows in chunks. */
export interface Stream {
  begin(frame: Frame): StreamState;
}

/**
 * The input of a sub-expression.
 * - `input`: the top level, where a name reads the field of the whole input.
 * - `rows`: inside a group or constructor, where each row is an item.
 */
export type Context = 'input' | 'rows';

/** State that the planning of one expression shares. */
export interface Planner {
  readonly compileContext: CompileContext;
  /** The code of nodes that the planner inserted into the tree. */
  readonly replaced: Map<Node, Code>;
  /** Variables that the expression itself binds. */
  readonly bound: ReadonlySet<string>;
  /** Returns whether `$name` is the built-in function of that name. */
  isBuiltin(name: string): boolean;
  /** Plans an expression that is evaluated once over all rows. @throws NotStreamableError */
  template(node: Node, context: Context): Stream;
}
