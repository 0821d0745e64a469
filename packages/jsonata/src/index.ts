import type { Node } from './compiler/ast.ts';
import { compileExpression } from './compiler/compile.ts';
import { parse } from './compiler/parse.ts';
import { isSelective } from './compiler/selective.ts';
import { asJsonataError, describe } from './runtime/errors.ts';
import { type Code, Frame, Run, Scope } from './runtime/frame.ts';
import { DEFAULT_LIMITS, type Limits } from './runtime/limits.ts';
import { checkResultSize } from './runtime/result-size.ts';
import { release, wrapInput } from './runtime/sequence.ts';

export { FUNCTIONS, type FunctionInfo } from './functions/library.ts';
export { JsonataError } from './runtime/errors.ts';
export { DEFAULT_LIMITS, LIMIT_CODES, type Limits } from './runtime/limits.ts';

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
          if (mostValues !== Number.POSITIVE_INFINITY) checkResultSize(result, mostValues);
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

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw describe(asJsonataError(thrown));
  }
}
