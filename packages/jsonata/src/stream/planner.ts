import type { Node } from '../compiler/ast.ts';
import type { Place } from '../compiler/place.ts';
import type { Code, Frame } from '../runtime/frame.ts';

/** Thrown while planning, with the reason why an expression cannot run row by row. */
export class NotStreamableError extends Error {}

/** The progress of one streamed sub-expression. */
export interface StreamState {
  /** Takes the next rows. @throws JsonataError only when a limit of the evaluation is reached */
  push(rows: readonly unknown[]): void;
  /** Returns the value of the sub-expression over all rows. @throws JsonataError as the engine would */
  finish(): unknown;
}

/** A compiled sub-expression that takes its rows in chunks. */
export interface Stream {
  begin(frame: Frame): StreamState;
}

/**
 * Where a sub-expression is evaluated.
 * - `input`: at the top, where a name reads the field of the whole input.
 * - `rows`: inside a group or constructor, where each row is an item of its own.
 */
export type Context = 'input' | 'rows';

/** The state that planning one expression shares. */
export interface Planner {
  readonly place: Place;
  /** The code of nodes that the planner put into the tree. */
  readonly replaced: Map<Node, Code>;
  /** Variables bound by the expression itself. */
  readonly bound: ReadonlySet<string>;
  /** Whether `$name` is the built-in function of that name. */
  isBuiltin(name: string): boolean;
  /** Plans an expression that is evaluated once over all rows. @throws NotStreamableError */
  template(node: Node, context: Context): Stream;
}
