/**
 * A synchronous JSONata engine that is fast, exact and bounded.
 *
 *     const query = compile('$[state = "open"].title', { timeMs: 1000 });
 *     query.evaluate(pulls);
 *     query.evaluate(pulls, { since: '2024-01-01' });   // seen as $since
 *
 * The reference parser (npm `jsonata`) makes the syntax tree; `compiler/` turns it into closures once, which then run
 * without looking at the tree. No `eval`, no `new Function`, nothing of Node: it runs in the browser under a strict
 * Content-Security-Policy as on the server.
 *
 * - `compiler/` one file per kind of expression; `path.ts` and `steps.ts` are the heart, `tuples.ts` does `@`, `#`, `%`.
 * - `runtime/`  sequences, frames (slots found while compiling), functions as values, signatures, limits, errors.
 * - `stream/`   `planStream`: the same expressions over rows that come in chunks.
 * - `functions/` the built-in functions, each with its signature and the sentence an editor shows.
 *
 * Regular expressions run on the built-in engine, which no step limit ends: the caller must be able to end the thread or
 * process. Lookaround and back-references are refused (L1004).
 *
 * Every evaluation has `Limits`; each ends in an error of its own (`LIMIT_CODES`), `$eval` included. Results are plain
 * JSON values; parts of the input may be shared with them, so treat both as read-only.
 *
 * Where it departs from the reference, on purpose: everything is evaluated in order (the reference evaluates members of
 * constructors at the same time); the input is never changed (the reference adds to empty arrays, and changes what the
 * pattern of a transform finds outside of its copy); a regular expression
 * on the left of `?:` or `??` works; a built-in function that is partially applied still checks its arguments; promises
 * are not awaited.
 */
import type { Node } from './compiler/ast.ts';
import { compileExpression } from './compiler/compile.ts';
import { parse } from './compiler/parse.ts';
import { isSelective } from './compiler/selective.ts';
import { guarded } from './runtime/errors.ts';
import { type Code, Frame, Run, Scope } from './runtime/frame.ts';
import { DEFAULT_LIMITS, type Limits } from './runtime/limits.ts';
import { checkResultSize } from './runtime/result-size.ts';
import { release, wrapInput } from './runtime/sequence.ts';

export { childrenOf, type Node } from './compiler/ast.ts';
export { parse } from './compiler/parse.ts';
export { FUNCTIONS, type FunctionInfo } from './functions/library.ts';
export { JsonataError } from './runtime/errors.ts';
export { DEFAULT_LIMITS, LIMIT_CODES, type Limits, QUERY_LIMITS } from './runtime/limits.ts';
export { planStream, type StreamOptions, type StreamPlan, type StreamPlanning } from './stream/plan.ts';

/** A compiled expression. */
export interface Expression {
  /** The syntax tree of the reference parser. */
  readonly ast: unknown;
  /** Evaluates against an input document; `bindings` are seen as `$name`. Throws `JsonataError`. */
  evaluate(input: unknown, bindings?: Record<string, unknown>): unknown;
}

/** Compiles an expression. Throws `JsonataError` (Sxxxx) when it is not well formed. */
export function compile(expression: string, limits: Partial<Limits> = {}): Expression {
  const allLimits = { ...DEFAULT_LIMITS, ...limits };
  return guarded(() => {
    const ast = parse(expression);
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
  });
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
