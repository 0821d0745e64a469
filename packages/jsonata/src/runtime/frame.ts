import { Budget, type Limits } from './limits.ts';
import { isFlagged, release } from './sequence.ts';

/** A compiled expression. */
export type Code = (input: unknown, frame: Frame) => unknown;

/** The names of one frame, known while compiling. Slots below `parameters` are always bound. */
export class Scope {
  readonly parent: Scope | null;
  readonly names: string[];
  readonly parameters: number;

  constructor(parent: Scope | null, parameters: readonly string[] = []) {
    this.parent = parent;
    this.names = [...parameters];
    this.parameters = parameters.length;
  }

  /** The slot of the name in this scope, made when there is none. */
  declare(name: string): number {
    const known = this.names.lastIndexOf(name);
    return known >= 0 ? known : this.names.push(name) - 1;
  }

  slotOf(name: string): number {
    return this.names.lastIndexOf(name);
  }
}

/** Stands in a slot for a variable bound to nothing, which still hides an outer one of the same name. */
export const NOTHING = Symbol('nothing');

/** The variables of one block, function call or tuple while it runs. */
export class Frame {
  readonly parent: Frame | null;
  readonly scope: Scope;
  readonly run: Run;
  /** Nesting of evaluations around this frame. */
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

/** What one evaluation shares. */
export class Run {
  readonly budget: Budget;
  /** The instant `$now` and `$millis` report throughout. */
  readonly timestamp = Date.now();
  readonly input: unknown;
  /** Variables given by the caller; they hide the built-in functions. */
  readonly bindings: ReadonlyMap<string, unknown>;
  /** Compiles the text given to `$eval` in the scope of its caller. */
  readonly compileText: (text: string, scope: Scope) => Code;
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

  /** Remembers a marked array about to be stored inside a value, so that its mark is removed in the end. */
  keep(value: unknown): unknown {
    if (Array.isArray(value) && isFlagged(value)) this.#kept.push(value);
    return value;
  }

  /** Makes every array that was marked a plain one again. */
  releaseAll(): void {
    for (const array of this.#kept) release(array);
    this.#kept.length = 0;
  }
}
