import { conditionOf, type Node, type Pair } from '../compiler/ast.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import { hasItsArguments, isIndependent, seesInput } from './analysis.ts';
import { aggregateCall, callStream } from './call-stream.ts';
import { checkSelecting, type PathPlan, planPath, planSlice } from './path-plan.ts';
import { pathStream } from './path-stream.ts';
import { type Context, NotStreamableError, type Planner, type Stream, type StreamState } from './planner.ts';

/** An expression whose row-reading parts are streamed; the rest is evaluated once at the end. */
export class Template implements Stream {
  readonly streams: Stream[] = [];
  readonly code: Code;
  readonly #planner: Planner;
  #finishing: TemplateState | undefined;
  #isList = false;

  /** @throws NotStreamableError if a part needs all rows at once */
  constructor(node: Node, context: Context, planner: Planner) {
    this.#planner = planner;
    const rest = this.#rewrite(node, context, true);
    this.code = planner.compileContext.unit.compile(rest, planner.compileContext);
  }

  begin(frame: Frame): TemplateState {
    return new TemplateState(this, frame);
  }

  /** Whether the value is the list of a single stream. */
  get isList(): boolean {
    return this.#isList;
  }

  /** Evaluates the rest with the values of the streamed parts. */
  finish(state: TemplateState, frame: Frame): unknown {
    this.#finishing = state;
    return this.code(undefined, frame);
  }

  /** Inserts a node into the tree whose value comes from a stream. */
  #part(stream: Stream): Node {
    const index = this.streams.push(stream) - 1;
    const node = { type: 'wildcard' } as Node;
    this.#planner.replaced.set(node, () => this.#finishing?.states[index]?.finish());
    return { type: 'block', expressions: [node] };
  }

  #rewrite(node: Node, context: Context, isRoot = false): Node {
    const planner = this.#planner;
    if (isIndependent(node, planner)) return node;
    const call = aggregateCall(node, planner);
    if (call !== undefined) {
      const argument = this.#listOf(call.argument, context);
      if (argument !== undefined) {
        checkSelections(node);
        const { predicate, group, keepArray } = node;
        if (call.name === 'distinct' && (!isRoot || predicate || group)) checkSelecting(argument);
        const part = this.#part(callStream(call, argument, planner));
        return { ...part, ...defined({ predicate, group, keepArray }) } as Node;
      }
    }
    if (node.type === 'variable' || (node.type === 'path' && beginsWithRows(node.steps[0]))) {
      const plan = planPath(node, context, planner);
      checkBounded(plan, isRoot);
      if (plan.ending.kind === 'list' && !isRoot) checkSelecting(plan);
      this.#isList = isRoot && plan.ending.kind === 'list';
      return this.#part(pathStream(plan));
    }
    checkSelections(node);
    const slice = this.#sliceOf(node, context);
    if (slice !== undefined) {
      if (!isRoot) checkSelecting(slice);
      return this.#part(pathStream(slice));
    }
    return this.#rewriteParts(node, context, isRoot);
  }

  /** Plans an argument that is a list of any number of items. */
  #listOf(node: Node, context: Context): PathPlan | undefined {
    if (node.type !== 'variable' && node.type !== 'path') return undefined;
    if (isIndependent(node, this.#planner)) return undefined;
    if (node.type === 'path' && !beginsWithRows(node.steps[0])) return undefined;
    const plan = planPath(node, context, this.#planner);
    return plan.ending.kind === 'list' ? plan : undefined;
  }

  /** Plans `(path)[slice]`. */
  #sliceOf(node: Node, context: Context): PathPlan | undefined {
    const [only] = node.type === 'block' && node.expressions.length === 1 ? node.expressions : [];
    if (only === undefined || node.predicate === undefined) return undefined;
    const inner = this.#listOf(only, context);
    return inner && planSlice(node, inner, this.#planner);
  }

  #rewriteParts(node: Node, context: Context, isRoot: boolean): Node {
    const part = (each: Node): Node => this.#rewrite(each, context);
    switch (node.type) {
      case 'block': {
        const isAlone = isRoot && node.expressions.length === 1 && !node.predicate && !node.group;
        return {
          ...node,
          expressions: node.expressions.map((each) => this.#rewrite(each, context, isAlone)),
        };
      }
      case 'binary':
        return { ...node, lhs: part(node.lhs), rhs: part(node.rhs) };
      case 'bind':
        return { ...node, rhs: part(node.rhs) };
      case 'condition': {
        // biome-ignore lint/suspicious/noThenProperty: the parser calls the branch `then`
        const rewritten = { ...node, condition: part(conditionOf(node)), then: part(node.then) };
        return node.else === undefined ? rewritten : { ...rewritten, else: part(node.else) };
      }
      case 'function':
        if (!isIndependent(node.procedure, this.#planner) || !hasItsArguments(node, this.#planner)) break;
        return { ...node, arguments: node.arguments.map(part) };
      case 'apply': {
        const { rhs } = node;
        const args = rhs.type === 'function' ? [rhs.procedure, ...rhs.arguments] : [rhs];
        if (!args.every((each) => isIndependent(each, this.#planner))) break;
        return { ...node, lhs: part(node.lhs) };
      }
      case 'unary':
        if (node.value === '-') return { ...node, expression: part(node.expression) };
        if (node.value === '[') return { ...node, expressions: node.expressions.map(part) };
        return { ...node, lhs: node.lhs.map((pair) => this.#rewriteMember(pair)) };
      case 'path':
        return this.#rewriteFirstStep(node, context);
    }
    throw new NotStreamableError('It works on all rows at once.');
  }

  #rewriteMember([key, value]: Pair): Pair {
    if (key.type !== 'string') throw new NotStreamableError('Its keys are computed from all rows at once.');
    return [key, this.#rewrite(value, 'rows')];
  }

  /** Rewrites a path that begins with a call or constructor, which is evaluated once, for all rows as one item. */
  #rewriteFirstStep(node: Node & { type: 'path' }, context: Context): Node {
    const [first, ...rest] = node.steps;
    if (first === undefined || context === 'rows' || first.consarray || first.tuple)
      throw new NotStreamableError('It works on all rows at once.');
    if (rest.some(seesInput)) throw new NotStreamableError('`$$` refers to all rows at once.');
    return { ...node, steps: [this.#rewrite(first, 'rows'), ...rest] };
  }
}

function beginsWithRows(step: Node | undefined): boolean {
  return step?.type === 'variable' || step?.type === 'name';
}

function defined(extras: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(extras).filter(([, value]) => value !== undefined));
}

/** Checks that the predicates and groups of a value do not read the input. */
function checkSelections(node: Node): void {
  const nodes = (node.predicate ?? []).flatMap((stage) => (stage.type === 'filter' ? [stage.expr] : []));
  if ([...nodes, ...(node.group?.lhs.flat() ?? [])].some(seesInput))
    throw new NotStreamableError('`$$` refers to all rows at once.');
}

/** Refuses to store all rows: a list may only be stored if a condition removes rows, or if it is the result. */
function checkBounded({ ending, filters }: PathPlan, isRoot: boolean): void {
  if (filters || ending.kind === 'group' || (ending.kind === 'list' && isRoot)) return;
  if (ending.kind === 'list') throw new NotStreamableError('A function or operator takes all rows at once.');
  if (!ending.isBounded)
    throw new NotStreamableError(
      'Sorting needs all rows. Take the first ones, such as `^(created_at)[[0..99]]`.',
    );
}

/** The state of an expression while its rows arrive. */
class TemplateState implements StreamState {
  readonly states: readonly StreamState[];
  readonly #template: Template;
  readonly #frame: Frame;

  constructor(template: Template, frame: Frame) {
    this.#template = template;
    this.#frame = frame;
    this.states = template.streams.map((stream) => stream.begin(frame));
  }

  push(rows: readonly unknown[]): void {
    for (const state of this.states) state.push(rows);
  }

  finish(): unknown {
    return this.#template.finish(this, this.#frame);
  }
}
