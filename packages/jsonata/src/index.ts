/**
 * A synchronous JSONata engine that is fast, exact and bounded.
 *
 *     const query = compile('$[state = "open"].title', { timeMs: 1000 });
 *     query.evaluate(pulls);
 *     query.evaluate(pulls, { since: '2024-01-01' });   // available as $since
 *
 * The reference parser (npm `jsonata`) produces the syntax tree; `compiler/` compiles it once to closures. There is no
 * `eval`, no `new Function` and no Node API, so it also runs in a browser under a strict Content-Security-Policy.
 *
 * - `compiler/`  one file per kind of expression; start with `path.ts` and `steps.ts`. `tuples.ts` does `@`, `#`, `%`.
 * - `runtime/`   sequences, frames with slots assigned at compile time, function values, signatures, limits, errors.
 * - `analysis/`  what an expression needs of its input: `rowFields`, `rowFilter`, `joinKeys`.
 * - `functions/` the built-in functions, each with its signature and a one-line description.
 *
 * Regular expressions run on the built-in engine, which no step limit stops, so the caller must be able to terminate the
 * thread or process. Lookaround and back-references are rejected (L1004).
 *
 * Every evaluation has `Limits`, which `$eval` shares; each limit has its own error code (`LIMIT_CODES`). Results are
 * plain JSON values that may share parts with the input, so treat both as read-only.
 *
 * Intended differences from the reference: evaluation is in order (the reference evaluates constructor members
 * concurrently); the input is never changed (the reference changes empty arrays, and values outside of a transform's
 * copy); a regular expression works on the left of `?:` and `??`; a partially applied built-in function still checks
 * its arguments; promises are not awaited.
 */
import { joinKeys } from './analysis/join-keys.ts';
import type { RowSource } from './analysis/row-fields.ts';
import { rowFilter } from './analysis/row-filter.ts';
import type { Node } from './compiler/ast.ts';
import { compileExpression } from './compiler/compile.ts';
import { parse } from './compiler/parse.ts';
import { isSelective } from './compiler/selective.ts';
import { guarded } from './runtime/errors.ts';
import { type Code, Frame, Run, Scope } from './runtime/frame.ts';
import { DEFAULT_LIMITS, type Limits, pairsWithin } from './runtime/limits.ts';
import { checkResultSize } from './runtime/result-size.ts';
import { release, wrapInput } from './runtime/sequence.ts';

export { type JoinKeys, joinKeys } from './analysis/join-keys.ts';
export { type RowFields, type RowSource, rowFields } from './analysis/row-fields.ts';
export { rowFilter } from './analysis/row-filter.ts';
export { childrenOf, mentions, type Node } from './compiler/ast.ts';
export { parse } from './compiler/parse.ts';
export { FUNCTIONS, type FunctionInfo } from './functions/library.ts';
export { JsonataError } from './runtime/errors.ts';
export {
  DEFAULT_LIMITS,
  LIMIT_CODES,
  type Limits,
  PAIRS_PER_MS,
  pairsWithin,
  QUERY_LIMITS,
} from './runtime/limits.ts';

/** A compiled expression. */
export interface Expression {
  /** The syntax tree of the reference parser. */
  readonly ast: unknown;
  /** Evaluates the expression for an input; `bindings` are available as `$name`. @throws JsonataError */
  evaluate(input: unknown, bindings?: Record<string, unknown>): unknown;
}

/** Compiles an expression. @throws JsonataError (Sxxxx) if it is not well formed */
export function compile(expression: string, limits: Partial<Limits> = {}): Expression {
  return guarded(() => compileTree(parse(expression), limits));
}

/**
 * Compiles the part of an expression that selects the rows that it needs, so that rows can be left out as they arrive.
 * @returns a function that returns the needed ones of some rows; undefined when the expression may need all
 * @throws JsonataError (Sxxxx) if it is not well formed
 */
export function compileRowFilter(
  expression: string,
  limits: Partial<Limits> = {},
): ((rows: readonly unknown[], bindings?: Record<string, unknown>) => readonly unknown[]) | undefined {
  const filter = rowFilter(guarded(() => parse(expression)));
  if (filter === undefined) return undefined;
  const { evaluate } = compileTree(filter, limits);
  return (rows, bindings) => {
    try {
      const selected = evaluate(rows, bindings);
      if (Array.isArray(selected)) return selected;
      return selected === undefined ? [] : [selected];
    } catch {
      // The whole expression fails as well, or not, if it does not come to these rows.
      return rows;
    }
  };
}

/**
 * Compiles the part of an expression that computes the keys with which it compares the rows of a list.
 * @returns a function that returns the distinct texts and numbers among the keys, undefined for more than `most`; undefined
 *   when the expression may need all rows of the list
 * @throws JsonataError (Sxxxx) if it is not well formed
 */
export function compileJoinKeys(
  expression: string,
  source: RowSource,
  { most, ...limits }: Partial<Limits> & { most: number },
): ((input: unknown, bindings?: Record<string, unknown>) => (string | number)[] | undefined) | undefined {
  const found = joinKeys(
    guarded(() => parse(expression)),
    source,
  );
  if (found === undefined) return undefined;
  const { evaluate } = compileTree(found.keys, limits);
  return (input, bindings) => distinctScalars(evaluate(input, bindings), most);
}

/** Returns the texts and numbers in nested arrays, each once; undefined for more than `most`. */
function distinctScalars(value: unknown, most: number): (string | number)[] | undefined {
  const found = new Set<string | number>();
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (Array.isArray(next)) for (const each of next) rest.push(each);
    else if (typeof next === 'string' || typeof next === 'number') found.add(next);
    if (found.size > most) return undefined;
  }
  return [...found];
}

function compileTree(ast: Node, limits: Partial<Limits>): Expression {
  const { timeMs = DEFAULT_LIMITS.timeMs } = limits;
  const allLimits = { ...DEFAULT_LIMITS, pairs: pairsWithin(timeMs), ...limits };
  const mostValues = isSelective(ast) ? Number.POSITIVE_INFINITY : allLimits.resultSize;
  const scope = new Scope(null);
  const code = compileExpression(ast, scope, { dynamic: false });
  return {
    ast,
    evaluate: (input, bindings = {}) =>
      guarded(() => {
        const run = new Run({
          limits: allLimits,
          input,
          bindings: new Map(Object.entries(bindings)),
          compileText,
        });
        const result = evaluate(code, scope, run);
        if (mostValues !== Number.POSITIVE_INFINITY) checkResultSize(result, mostValues, run.budget);
        return result;
      }),
  };
}

function evaluate(code: Code, scope: Scope, run: Run): unknown {
  const result = code(wrapInput(run.input), new Frame(run, null, scope, [], 0));
  run.releaseAll();
  if (Array.isArray(result)) release(result);
  return result;
}

function compileText(text: string, scope: Scope): Code {
  const ast: Node = parse(text);
  return compileExpression(ast, scope, { dynamic: true });
}
