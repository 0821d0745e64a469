import { asJsonataError, JsonataError } from './errors.ts';
import { type Code, Frame, type Scope } from './frame.ts';

/** Where a function is called: the context value, the variables in sight and the nesting there. */
export interface Site {
  readonly input: unknown;
  readonly frame: Frame;
  readonly depth: number;
}

/** Checks and completes the arguments of a call. */
export type Signature = (args: unknown[], context: unknown) => unknown[];

/**
 * A function as a value of the language. State is private so that a path step cannot look into it. `call` may return
 * a `TailCall`; use `apply` unless that is wanted.
 */
export abstract class Callable {
  abstract get arity(): number;
  abstract call(args: unknown[], site: Site): unknown;
}

/** A call in tail position, left to the caller's loop so that recursion does not deepen the stack. */
export class TailCall {
  readonly #callee: unknown;
  readonly #args: unknown[];
  readonly #token: unknown;
  readonly #position: number | undefined;

  constructor(callee: unknown, args: unknown[], at: { token: unknown; position: number | undefined }) {
    this.#callee = callee;
    this.#args = args;
    this.#token = at.token;
    this.#position = at.position;
  }

  run(site: Site): unknown {
    try {
      return callOnce(this.#callee, this.#args, site);
    } catch (thrown) {
      const error = asJsonataError(thrown);
      error.token ??= this.#token;
      error.position = this.#position || error.position;
      throw error;
    }
  }
}

function callOnce(callee: unknown, args: unknown[], site: Site): unknown {
  if (callee instanceof Callable) return callee.call(args, site);
  if (typeof callee === 'function') return Reflect.apply(callee, site.input, args) as unknown;
  throw new JsonataError('T1006');
}

/** Calls a function and all the tail calls that follow from it. */
export function apply(callee: unknown, args: unknown[], site: Site): unknown {
  return finish(callOnce(callee, args, site), site);
}

/** Follows the tail calls that a call has led to. */
function finish(first: unknown, site: Site): unknown {
  let result = first;
  while (result instanceof TailCall) {
    site.frame.run.budget.spend(1);
    result = result.run(site);
  }
  return result;
}

/** How many arguments a function takes; higher-order functions pass no more. */
export function arityOf(callee: unknown): number {
  if (callee instanceof Callable) return callee.arity;
  return typeof callee === 'function' ? callee.length : 0;
}

/** What all closures of one lambda expression have in common. */
export interface LambdaCode {
  readonly scope: Scope;
  readonly body: Code;
  readonly signature: Signature | undefined;
  /** Whether the body may end in a call, which is then left to the caller. */
  readonly hasTailCalls: boolean;
  /** Set for `function($l, $r){ $l.a > $r.a }`: sorting by it is sorting by a key. */
  readonly order: KeyOrder | undefined;
}

/** The field below an item that a comparing function compares. */
export interface KeyOrder {
  readonly names: readonly string[];
  readonly descending: boolean;
  /** It looks at the sign of a difference: only numbers have one, and not if it is too large a number. */
  readonly isDifference: boolean;
}

/** `function($a, $b){ ... }` together with the variables and the context it was made in. */
export class Lambda extends Callable {
  readonly #code: LambdaCode;
  readonly #input: unknown;
  readonly #frame: Frame;

  constructor(code: LambdaCode, input: unknown, frame: Frame) {
    super();
    this.#code = code;
    this.#input = input;
    this.#frame = frame;
  }

  get arity(): number {
    return this.#code.scope.parameters;
  }

  /** Whether it has no signature. */
  get isUnchecked(): boolean {
    return this.#code.signature === undefined;
  }

  override call(args: unknown[], site: Site): unknown {
    const { signature } = this.#code;
    return this.enter(signature === undefined ? args : signature(args, site.input), site);
  }

  /** The key that it compares its arguments by, if it does nothing else. */
  get keyOrder(): KeyOrder | undefined {
    return this.isUnchecked ? this.#code.order : undefined;
  }

  get hasTailCalls(): boolean {
    return this.#code.hasTailCalls;
  }

  /** Runs the body without checking the arguments. */
  enter(args: unknown[], site: Site): unknown {
    const { scope, body } = this.#code;
    const run = this.#frame.run;
    run.budget.spend(1);
    run.budget.checkDepth(site.depth + 1);
    const slots = args.length === scope.parameters ? args : fit(args, scope.parameters);
    return body(this.#input, new Frame(run, this.#frame, scope, slots, site.depth));
  }
}

function fit(args: unknown[], length: number): unknown[] {
  const slots = args.slice(0, length);
  while (slots.length < length) slots.push(undefined);
  return slots;
}

/** A function given as an argument, ready to be called many times from the same place. */
export function prepare(callee: unknown, site: Site): (args: unknown[]) => unknown {
  if (!(callee instanceof PassedFunction)) return (args) => apply(callee, args, site);
  const { callee: inner } = callee;
  const at = callee.siteAt(site.depth);
  if (inner instanceof Lambda && inner.isUnchecked) {
    if (!inner.hasTailCalls) return (args) => inner.enter(args, at);
    return (args) => finish(inner.enter(args, at), at);
  }
  return (args) => apply(inner, args, at);
}

/**
 * A short cut of a built-in function for arguments of the usual types, given apart so that a call needs no list of
 * them. Gives `SLOW` when the arguments must be checked or converted.
 */
export interface Quick {
  /** How many arguments a call must have. */
  readonly arity: 1 | 2 | 3;
  readonly call: (first: unknown, second: unknown, third: unknown, frame: Frame) => unknown;
}

/** A built-in function, or one that the engine makes on the fly. */
export class Native extends Callable {
  readonly #arity: number;
  readonly #signature: Signature | undefined;
  readonly #body: (args: unknown[], site: Site) => unknown;
  readonly #quick: Quick | undefined;

  constructor(
    arity: number,
    signature: Signature | undefined,
    body: (args: unknown[], site: Site) => unknown,
    quick?: Quick,
  ) {
    super();
    this.#quick = quick;
    this.#arity = arity;
    this.#signature = signature;
    this.#body = body;
  }

  get arity(): number {
    return this.#arity;
  }

  get quick(): Quick | undefined {
    return this.#quick;
  }

  override call(args: unknown[], site: Site): unknown {
    const checked = this.#signature === undefined ? args : this.#signature(args, site.input);
    // A built-in function may look at every character before it pays for anything.
    for (let i = 0; i < checked.length; i++) {
      const arg = checked[i];
      if (typeof arg === 'string' && arg.length >= LONG_TEXT) site.frame.run.budget.spendReading(arg.length);
    }
    return this.#body(checked, site);
  }
}

/** Units of a text from which on reading it counts as work. */
const LONG_TEXT = 256;

/** A function passed as an argument: called later, it sees the variables of the call it was passed to, no context. */
export class PassedFunction extends Callable {
  readonly #callee: unknown;
  readonly #frame: Frame;

  constructor(callee: unknown, frame: Frame) {
    super();
    this.#callee = callee;
    this.#frame = frame;
  }

  get arity(): number {
    return arityOf(this.#callee);
  }

  /** The function that was passed, however often it was passed on. */
  get callee(): unknown {
    return this.#callee instanceof PassedFunction ? this.#callee.callee : this.#callee;
  }

  /** The call site that the function sees when called at `depth`. */
  siteAt(depth: number): Site {
    return { input: null, frame: this.#frame, depth };
  }

  override call(args: unknown[], site: Site): unknown {
    return apply(this.#callee, args, { input: null, frame: this.#frame, depth: site.depth });
  }
}

/** A function with some arguments given; `HOLE` stands for those still to come. */
export class PartialCall extends Callable {
  readonly #callee: Callable | ((...args: unknown[]) => unknown);
  readonly #args: readonly unknown[];

  constructor(callee: Callable | ((...args: unknown[]) => unknown), args: readonly unknown[]) {
    super();
    this.#callee = callee;
    this.#args = args;
  }

  get arity(): number {
    return this.#args.filter((arg) => arg === HOLE).length;
  }

  override call(args: unknown[], site: Site): unknown {
    let next = 0;
    const all = this.#args.map((arg) => (arg === HOLE ? args[next++] : arg));
    return this.#callee instanceof Lambda ? this.#callee.enter(all, site) : callOnce(this.#callee, all, site);
  }
}

export const HOLE = Symbol('hole');
