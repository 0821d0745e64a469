import { Budget, type Limits } from './limits.ts';
import { isFlagged, release } from './sequence.ts';

/** A compiled expression. */
export type Code = (input: unknown, frame: Frame) => unknown;

/** The variable names of one frame, assigned at compile time. Slots below `parameters` are always bound. */
export class Scope {
  readonly parent: Scope | null;
  readonly names: string[];
  readonly parameters: number;

  constructor(parent: Scope | null, parameters: readonly string[] = []) {
    this.parent = parent;
    this.names = [...parameters];
    this.parameters = parameters.length;
  }

  /** Returns the slot of a name; adds one if the name is new. */
  declare(name: string): number {
    const known = this.names.lastIndexOf(name);
    return known >= 0 ? known : this.names.push(name) - 1;
  }

  slotOf(name: string): number {
    return this.names.lastIndexOf(name);
  }
}

/** The slot value of a variable bound to undefined, which still hides an outer variable of the same name. */
export const NOTHING = Symbol('nothing');

/** The variables of one block, function call or tuple at run time. */
export class Frame {
  readonly parent: Frame | null;
  readonly scope: Scope;
  readonly run: Run;
  /** Nesting depth of evaluations around this frame. */
  readonly depth: number;
  readonly slots: unknown[];

  constructor(run: Run, parent: Frame | null, scope: Scope, slots: unknown[], depth: number) {
    this.run = run;
    this.parent = parent;
    this.scope = scope;
    this.slots = slots;
    this.depth = depth;
  }
}

/** State that one evaluation shares. */
export class Run {
  readonly budget: Budget;
  /** The timestamp that `$now` and `$millis` return throughout the evaluation. */
  readonly timestamp = Date.now();
  readonly input: unknown;
  /** Variables set by the caller; they hide built-in functions of the same name. */
  readonly bindings: ReadonlyMap<string, unknown>;
  /** Compiles the argument of `$eval` in its caller's scope. */
  readonly compileText: (text: string, scope: Scope) => Code;
  /** What an operation keeps of the list that it read last, such as an index, by the operation. */
  readonly memory = new Map<object, unknown>();
  readonly #kept: unknown[][] = [];

  constructor(options: {
    limits: Limits;
    input: unknown;
    bindings: ReadonlyMap<string, unknown>;
    compileText: (text: string, scope: Scope) => Code;
  }) {
    this.budget = new Budget(options.limits);
    this.input = options.input;
    this.bindings = options.bindings;
    this.compileText = options.compileText;
  }

  /** Registers a flagged array that will be stored inside a value, so that its flag is removed at the end. */
  keep(value: unknown): unknown {
    if (Array.isArray(value) && isFlagged(value)) this.#kept.push(value);
    return value;
  }

  /** Removes the flags of all registered arrays. */
  releaseAll(): void {
    for (const array of this.#kept) release(array);
    this.#kept.length = 0;
  }
}
