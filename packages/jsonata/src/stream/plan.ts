import { childrenOf, directBinds, mentions, type Node } from '../compiler/ast.ts';
import { compileNode } from '../compiler/compile.ts';
import type { Unit } from '../compiler/compile-context.ts';
import { parse } from '../compiler/parse.ts';
import { isSelective } from '../compiler/selective.ts';
import { builtin } from '../functions/library.ts';
import { guarded } from '../runtime/errors.ts';
import { type Code, Frame, Run, Scope } from '../runtime/frame.ts';
import { DEFAULT_LIMITS, type Limits } from '../runtime/limits.ts';
import { checkResultSize } from '../runtime/result-size.ts';
import { release } from '../runtime/sequence.ts';
import { ListState } from './path-stream.ts';
import { type Context, NotStreamableError, type Planner, type StreamState } from './planner.ts';
import { Template } from './template.ts';

/** A running expression that takes its input rows in chunks and stores only the data that it needs. */
export interface StreamPlan {
  /**
   * Adds the next rows; the caller must not change them afterwards.
   * @throws JsonataError if a limit is reached; `finish` throws other errors, in the engine's order
   */
  push(rows: readonly unknown[]): void;
  /**
   * Removes and returns items of a result that is a list, in order. Once it has returned any, the result is an array:
   * these items, followed by those from `finish`.
   */
  drain(): unknown[];
  /** Returns the same value as `evaluate` for all rows in one array. @throws JsonataError */
  finish(): unknown;
}

/** The result of `planStream`: a plan, or the reason why there is none, as a sentence for the author of the expression. */
export type StreamPlanning =
  | { readonly plan: StreamPlan; readonly reason?: never }
  | { readonly plan?: never; readonly reason: string };

/** Options of `planStream`. */
export interface StreamOptions {
  /** Limits of the whole run; its time starts when the plan is created. */
  readonly limits?: Partial<Limits>;
  /** Variables that are available as `$name`. */
  readonly bindings?: Readonly<Record<string, unknown>>;
}

/**
 * Plans an expression over an array of rows that arrive in chunks. Rows may pass conditions, fields and constructors, and
 * end in a list, a slice, an order with a slice, a group, `$count`, `$sum`, `$average`, `$min`, `$max` or `$distinct`,
 * which may be part of any other expression.
 *
 * The result and the errors are those of `evaluate`, with two exceptions: an order by several keys of mixed types fails
 * with L1006, and an order over keys of three types may fail with T2007 or T2008.
 * @throws JsonataError if the expression is not well formed
 */
export function planStream(expression: string, options: StreamOptions = {}): StreamPlanning {
  return guarded(() => {
    const ast = parse(expression);
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    const bindings = new Map(Object.entries(options.bindings ?? {}));
    const scope = new Scope(null);
    try {
      const template = planTemplate(ast, { scope, bindings });
      const run = new Run({ limits, input: undefined, bindings, compileText: noText });
      return { plan: new RunningPlan(template, new Frame(run, null, scope, [], 0), isSelective(ast)) };
    } catch (thrown) {
      if (thrown instanceof NotStreamableError) return { reason: thrown.message };
      throw thrown;
    }
  });
}

function noText(): Code {
  throw new Error('$eval is not streamed');
}

function planTemplate(
  ast: Node,
  { scope, bindings }: { scope: Scope; bindings: ReadonlyMap<string, unknown> },
): Template {
  if (mentions(ast, 'eval')) throw new NotStreamableError('`$eval` may do anything with the rows.');
  if (directBinds([ast]).length > 0) throw new NotStreamableError('A variable is bound outside of a block.');
  const replaced = new Map<Node, Code>();
  const unit: Unit = {
    dynamic: false,
    compile: (node, compileContext) => replaced.get(node) ?? compileNode(node, compileContext),
    tupleScopes: new Map(),
    streamWanted: new Set(),
  };
  const bound = new Set(allBinds(ast));
  const planner: Planner = {
    compileContext: { unit, scope, level: 1 },
    replaced,
    bound,
    isBuiltin: (name) => builtin(name) !== undefined && !bindings.has(name) && !bound.has(name),
    template: (node, context: Context) => new Template(node, context, planner),
  };
  return new Template(ast, 'input', planner);
}

function allBinds(node: Node): string[] {
  const own = node.type === 'bind' ? [node.lhs.value] : [];
  return [...own, ...childrenOf(node).flatMap(allBinds)];
}

class RunningPlan implements StreamPlan {
  readonly #state: StreamState & { states: readonly StreamState[] };
  readonly #frame: Frame;
  readonly #mostValues: number;
  /** The list that is the result, if it is one. */
  readonly #list: ListState | undefined;
  #hasDrained = false;

  constructor(template: Template, frame: Frame, isSelection: boolean) {
    this.#frame = frame;
    this.#state = template.begin(frame);
    this.#mostValues = isSelection ? Number.POSITIVE_INFINITY : frame.run.budget.limits.resultSize;
    const [only] = this.#state.states;
    this.#list = template.isList && only instanceof ListState ? only : undefined;
  }

  push(rows: readonly unknown[]): void {
    guarded(() => this.#state.push(rows));
    this.#frame.run.releaseAll();
  }

  drain(): unknown[] {
    const items = this.#list?.drain() ?? [];
    if (items.length === 0) return items;
    this.#hasDrained = true;
    return this.#released(items) as unknown[];
  }

  finish(): unknown {
    return guarded(() => {
      const { run } = this.#frame;
      const result = this.#hasDrained ? this.#list?.finish() : this.#state.finish();
      if (this.#mostValues !== Number.POSITIVE_INFINITY)
        checkResultSize(result, this.#mostValues, run.budget);
      return this.#released(result);
    });
  }

  /** Removes the engine's flags from the arrays of a value. */
  #released(value: unknown): unknown {
    this.#frame.run.releaseAll();
    if (Array.isArray(value)) release(value);
    return value;
  }
}
