import { arityOf, type Callable, prepare, type Quick, type Site } from '../runtime/callable.ts';

/** A built-in function: its declaration and its implementation for checked arguments. */
export interface Builtin {
  readonly name: string;
  readonly signature: string;
  /** One sentence for completion and hover. */
  readonly summary: string;
  /** Number of arguments that it takes as a callback of a higher-order function. */
  readonly arity: number;
  readonly body: (args: unknown[], site: Site) => unknown;
  /** Fast path for arguments of the usual types; returns `SLOW` for others. */
  readonly quick?: Quick;
}

/** Wraps an implementation so that it returns undefined for a missing first argument. */
export function unlessMissing<T>(
  body: (first: T, rest: unknown[], site: Site) => unknown,
): (args: unknown[], site: Site) => unknown {
  return (args, site) => {
    const first = args[0];
    return first === undefined ? undefined : body(first as T, args, site);
  };
}

/** Returns a function that calls a callback with as many arguments as it takes, at least one. */
export function callback(callee: Callable | undefined, site: Site): (...args: unknown[]) => unknown {
  const arity = Math.max(arityOf(callee), 1);
  const call = prepare(callee, site);
  if (arity === 1) return (first) => call([first]);
  if (arity === 2) return (first, second) => call([first, second]);
  return (...args) => call(args.slice(0, arity));
}
