import { asJsonataError, JsonataError } from './errors.ts';
import { type Code, Frame, type Scope } from './frame.ts';

/** A call site: the context value, the variables in scope and the nesting depth. */
export interface Site {
  readonly input: unknown;
  readonly frame: Frame;
  readonly depth: number;
}

/** Checks and completes the arguments of a call. */
export type Signature = (args: unknown[], context: unknown) => unknown[];

/**
 * A function as a value of the language. Its state is private, so that a path step cannot read it. `call` may return a
 * `TailCall`; use `apply` to resolve it.
 */
export abstract class Callable {
  abstract get arity(): number;
  abstract call(args: unknown[], site: Site): unknown;
}

/** A call in tail position, which the caller runs in a loop, so that recursion does not grow the stack. */
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

/** Calls a function and all tail calls that result from it. */
export function apply(callee: unknown, args: unknown[], site: Site): unknown {
  return finish(callOnce(callee, args, site), site);
}

/** Runs the tail calls that result from a call. */
function finish(first: unknown, site: Site): unknown {
  let result = first;
  while (result instanceof TailCall) {
    site.frame.run.budget.spend(1);
    result = result.run(site);
  }
  return result;
}

/** Returns the number of arguments that a function takes; higher-order functions pass no more. */
export function arityOf(callee: unknown): number {
  if (callee instanceof Callable) return callee.arity;
  return typeof callee === 'function' ? callee.length : 0;
}

/** Data that all closures of one lambda expression share. */
export interface LambdaCode {
  readonly scope: Scope;
  readonly body: Code;
  readonly signature: Signature | undefined;
  /** Whether the body may end in a tail call. */
  readonly hasTailCalls: boolean;
  /** Set for a comparator such as `function($l, $r){ $l.a > $r.a }`, which sorts by a key. */
  readonly order: KeyOrder | undefined;
}

/** The key that a comparator compares. */
export interface KeyOrder {
  readonly names: readonly string[];
  readonly descending: boolean;
  /** Whether it checks the sign of a difference, which only works for numbers, and not for very large ones. */
  readonly isDifference: boolean;
}

/** A closure: `function($a, $b){ ... }` with the variables and context of its creation. */
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

  /** The key by which it compares its arguments, if it does nothing else. */
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

/** Prepares a callback for many calls from the same call site. */
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
 * The fast path of a built-in function for arguments of the usual types. It takes separate arguments instead of a list,
 * and returns `SLOW` when they must be checked or converted.
 */
export interface Quick {
  /** The number of arguments that a call must have. */
  readonly arity: 1 | 2 | 3;
  readonly call: (first: unknown, second: unknown, third: unknown, frame: Frame) => unknown;
}

/** A built-in function, or one that the engine creates at run time. */
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
    // Charge for reading long texts in advance, because the function may read every character.
    for (let i = 0; i < checked.length; i++) {
      const arg = checked[i];
      if (typeof arg === 'string' && arg.length >= MIN_CHARGED_LENGTH)
        site.frame.run.budget.spendReading(arg.length);
    }
    return this.#body(checked, site);
  }
}

/** Length from which reading a text costs steps, UTF-16 units. */
const MIN_CHARGED_LENGTH = 256;

/** A function passed as an argument. A later call sees the variables of the original call site, but no context. */
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

  /** The original function, however often it was passed on. */
  get callee(): unknown {
    return this.#callee instanceof PassedFunction ? this.#callee.callee : this.#callee;
  }

  /** Returns the call site that the function sees when it is called at `depth`. */
  siteAt(depth: number): Site {
    return { input: null, frame: this.#frame, depth };
  }

  override call(args: unknown[], site: Site): unknown {
    return apply(this.#callee, args, { input: null, frame: this.#frame, depth: site.depth });
  }
}

/** A partially applied function; `HOLE` marks the missing arguments. */
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
