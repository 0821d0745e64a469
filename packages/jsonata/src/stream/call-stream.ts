import type { Node } from '../compiler/ast.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import { markSequence } from '../runtime/sequence.ts';
import type { PathPlan } from './path-plan.ts';
import { PathState } from './path-stream.ts';
import type { Planner, Stream, StreamState } from './planner.ts';
import { FOLDS, type Fold } from './sinks.ts';

/** A call of an associative function: its name, its argument, and a function that replaces the argument. */
export interface AggregateCall {
  readonly name: string;
  readonly argument: Node;
  withArgument(argument: Node): Node;
}

/** Recognises `$sum(x)`, `x ~> $sum()` and `x ~> $sum`. */
export function aggregateCall(node: Node, planner: Planner): AggregateCall | undefined {
  if (node.type === 'function') {
    const name = foldName(node.procedure, planner);
    const [argument] = node.arguments;
    if (name === undefined || argument === undefined || node.arguments.length !== 1) return undefined;
    return { name, argument, withArgument: (other) => ({ ...bare(node), arguments: [other] }) };
  }
  if (node.type !== 'apply') return undefined;
  const { lhs, rhs } = node;
  const isCall = rhs.type === 'function' && rhs.arguments.length === 0 && !rhs.predicate && !rhs.group;
  const name = foldName(isCall ? rhs.procedure : rhs, planner);
  return name === undefined
    ? undefined
    : { name, argument: lhs, withArgument: (other) => ({ ...bare(node), lhs: other }) };
}

/** Returns the node without the predicates and grouping on its value. */
function bare<T extends Node>({ predicate, group, keepArray, ...node }: T): T {
  return node as unknown as T;
}

function foldName(procedure: Node, planner: Planner): string | undefined {
  if (procedure.type !== 'variable' || procedure.predicate || procedure.group) return undefined;
  const { value } = procedure;
  return Object.hasOwn(FOLDS, value) && planner.isBuiltin(value) ? value : undefined;
}

/** Compiles the call of an associative function over a list. */
export function callStream(call: AggregateCall, argument: PathPlan, planner: Planner): Stream {
  const placeholder = { type: 'wildcard' } as Node;
  planner.replaced.set(placeholder, (input) => input);
  const code = planner.compileContext.unit.compile(call.withArgument(placeholder), planner.compileContext);
  return {
    begin: (frame) => {
      const fold = (FOLDS[call.name] as (frame: Frame) => Fold)(frame);
      return new CallState({ argument, fold, code, frame });
    },
  };
}

class CallState implements StreamState {
  readonly #path: PathState;
  readonly #fold: Fold;
  /** The call, as a function of its argument. */
  readonly #code: Code;
  readonly #isWhole: boolean;
  readonly #frame: Frame;
  #first: unknown;

  constructor(options: { argument: PathPlan; fold: Fold; code: Code; frame: Frame }) {
    this.#fold = options.fold;
    this.#code = options.code;
    this.#frame = options.frame;
    this.#isWhole = options.argument.isWhole;
    const sink = {
      add: (items: readonly unknown[]) => {
        this.#first ??= items[0];
        this.#fold.add(items);
      },
    };
    this.#path = new PathState(options.argument, sink, options.frame);
  }

  push(rows: readonly unknown[]): void {
    this.#path.push(rows);
  }

  finish(): unknown {
    this.#path.end();
    const frame = this.#frame;
    // Let the engine compute the call for few items and report an item of a wrong type.
    if (this.#path.isSmall) return this.#code(this.#path.value([]), frame);
    const { misfit } = this.#fold;
    if (misfit !== undefined) return this.#code(markSequence([this.#first, misfit.item]), frame);
    const value = this.#fold.value(this.#path.count);
    return Array.isArray(value) && !this.#isWhole ? markSequence(value) : value;
  }
}
