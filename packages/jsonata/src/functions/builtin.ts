import { arityOf, type Callable, prepare, type Quick, type Site } from '../runtime/callable.ts';

/** A built-in function: its declaration and what it does with checked arguments. */
export interface Builtin {
  readonly name: string;
  readonly signature: string;
  /** One sentence for completion and hover. */
  readonly summary: string;
  /** How many arguments it takes when passed to a higher-order function. */
  readonly arity: number;
  readonly body: (args: unknown[], site: Site) => unknown;
  /** What a call does with arguments of the usual types; `SLOW` for others. */
  readonly quick?: Quick;
}

/** Wraps a body that gives nothing for a missing first argument. */
export function unlessMissing<T>(
  body: (first: T, rest: unknown[], site: Site) => unknown,
): (args: unknown[], site: Site) => unknown {
  return (args, site) => {
    const first = args[0];
    return first === undefined ? undefined : body(first as T, args, site);
  };
}

/** Calls a function given as an argument with as many of the arguments as it takes, at least one. */
export function callback(callee: Callable | undefined, site: Site): (...args: unknown[]) => unknown {
  const arity = Math.max(arityOf(callee), 1);
  const call = prepare(callee, site);
  if (arity === 1) return (first) => call([first]);
  if (arity === 2) return (first, second) => call([first, second]);
  return (...args) => call(args.slice(0, arity));
}
