import { Frame, type Scope } from '../runtime/frame.ts';

/**
 * The variables that a path has bound on the way to one item: slot 0 is the item itself, the others belong to `@`, `#`
 * and `%`, as the scope of the path names them.
 */
export type Tuple = unknown[];

/** What a path gives that keeps its tuples, because the path around it asks for them. */
export class TupleStream {
  readonly #tuples: Tuple[];

  constructor(tuples: Tuple[]) {
    this.#tuples = tuples;
  }

  get tuples(): Tuple[] {
    return this.#tuples;
  }
}

/** The frame in which a tuple's variables are seen. */
export function frameOf(tuple: Tuple, scope: Scope, frame: Frame): Frame {
  return new Frame(frame.run, frame, scope, tuple, frame.depth);
}
