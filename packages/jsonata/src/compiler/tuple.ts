import { Frame, type Scope } from '../runtime/frame.ts';

/**
 * The variables that a path has bound for one item. Slot 0 is the item itself; the path's scope assigns the other slots
 * to `@`, `#` and `%`.
 */
export type Tuple = unknown[];

/** The result of a path that keeps its tuples for the enclosing path. */
export class TupleStream {
  readonly #tuples: Tuple[];

  constructor(tuples: Tuple[]) {
    this.#tuples = tuples;
  }

  get tuples(): Tuple[] {
    return this.#tuples;
  }
}

/** Returns the frame that contains a tuple's variables. */
export function frameOf(tuple: Tuple, scope: Scope, frame: Frame): Frame {
  return new Frame(frame.run, frame, scope, tuple, frame.depth);
}
